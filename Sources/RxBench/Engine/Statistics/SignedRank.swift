/// Estimates the middle of a symmetric sample with an exact interval, for as few as five values with any spread.
///
/// Uses Wilcoxon's signed-rank statistic with its estimate and interval: Hollander, Wolfe, Chicken, "Nonparametric
/// Statistical Methods" (3rd edition, 2013), sections 3.1 to 3.3. The only assumptions are that the values are
/// independent and that their distributions are symmetric about the same middle. The differences of two sides that are
/// measured in turns have this property if the sides are equal.
package struct SignedRank: Sendable, Equatable {
    /// The median of all averages of two values (Hodges, Lehmann).
    package let estimate: Double
    /// The number of values.
    package let count: Int
    /// The averages of all pairs in ascending order. The pairs include each value with itself.
    private let averages: [Double]
    private let distribution: SignedRankDistribution

    /// Creates the statistic of `values`. Returns `nil` for an empty sample. O(*n*² log *n*).
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        averages = values.indices.flatMap { first in values[first...].map { (values[first] + $0) / 2 } }.sorted()
        estimate = Quantiles.quantile(0.5, ofSorted: averages) ?? 0
        count = values.count
        distribution = SignedRankDistribution(count: values.count)
    }

    /// Returns the confidence interval of the middle: the narrowest pair of averages that contains it with a confidence
    /// of 1 − `significance`. Returns the whole real line if there are too few values for that confidence.
    package func interval(significance: Double) -> ConfidenceInterval {
        guard let rank = distribution.largestRank(significance: significance) else {
            return ConfidenceInterval(low: -.infinity, high: .infinity, confidence: 1)
        }
        return ConfidenceInterval(
            low: averages[rank.index - 1], high: averages[averages.count - rank.index], confidence: rank.confidence)
    }

    /// Returns the probability of values at least this far from `center`, on either side, if `center` is the middle.
    /// Averages that are equal to `center` count for the hypothesis, so that many equal values never exaggerate the
    /// significance.
    package func probability(center: Double) -> Double {
        let above = averages.count { $0 > center }
        let below = averages.count { $0 < center }
        return min(1, 2 * distribution.probability(atMost: averages.count - max(above, below)))
    }
}

/// The distribution of the signed-rank statistic: exact up to 100 values, and the normal approximation beyond that.
struct SignedRankDistribution: Sendable, Equatable {
    /// The cumulative probabilities of the lower half. `cumulative[t]` is the probability that the statistic is at most
    /// `t`.
    private let cumulative: [Double]

    /// Counts the subsets of 1…*n* by their sum (section 3.1, comment 5).
    init(count: Int) {
        let largest = count * (count + 1) / 2
        guard count <= 100 else {
            // The mean is n(n+1)/4, and the variance is n(n+1)(2n+1)/24, with a correction for continuity.
            let deviation = (Double(largest) * Double(2 * count + 1) / 12).squareRoot()
            let mean = Double(largest) / 2
            cumulative = (0...(largest / 2)).map {
                NormalDistribution.probability(below: (Double($0) + 0.5 - mean) / deviation)
            }
            return
        }
        var shares = [Double](repeating: 0, count: largest + 1)
        shares[0] = 1
        var reach = 0
        for value in 1...max(count, 1) {
            reach += value
            for sum in stride(from: reach, through: value, by: -1) {
                shares[sum] = (shares[sum] + shares[sum - value]) / 2
            }
            for sum in 0..<value { shares[sum] /= 2 }
        }
        var total = 0.0
        cumulative = shares.prefix(largest / 2 + 1).map {
            total += $0
            return total
        }
    }

    func probability(atMost statistic: Int) -> Double {
        guard statistic >= 0 else { return 0 }
        return statistic < cumulative.count ? cumulative[statistic] : 1
    }

    /// Returns the largest *k* for which the interval from the *k*-th smallest to the *k*-th largest average contains
    /// the middle with confidence 1 − `significance`.
    func largestRank(significance: Double) -> (index: Int, confidence: Double)? {
        let index = cumulative.partitioningIndex { 2 * $0 > significance }
        return index == 0 ? nil : (index, 1 - 2 * cumulative[index - 1])
    }
}

extension [Double] {
    /// Returns the first index whose value satisfies `predicate`, provided that all later values do too. O(log *n*).
    fileprivate func partitioningIndex(where predicate: (Double) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
