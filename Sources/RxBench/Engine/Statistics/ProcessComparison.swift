/// A comparison of two sets of process medians. The values are processes and not iterations, because the iterations of
/// a process are not independent.
package struct ProcessComparison: Sendable, Equatable {
    /// The estimated ratio of candidate to baseline.
    package let ratio: Double
    /// The confidence interval of the ratio.
    package let interval: ConfidenceInterval
    /// The position of the interval relative to the margin. It is better if the whole interval lies below the margin,
    /// and worse if it lies above. It is inconclusive if the interval crosses the margin, or if there are too few
    /// processes for the requested confidence.
    package let verdict: ComparisonVerdict

    /// Compares two sets of medians with one median per process. Returns `nil` if a set is empty or contains a value
    /// that is not positive.
    ///
    /// The estimate is the median of all pairwise ratios. The ends of the interval are order statistics of these
    /// ratios, chosen with the exact distribution of the rank-sum statistic. Hodges, Lehmann, "Estimates of Location
    /// Based on Rank Tests" (Annals of Mathematical Statistics 34, 1963); Hollander, Wolfe, Chicken, "Nonparametric
    /// Statistical Methods" (3rd edition, 2013), sections 4.2 and 4.3, with ratios as differences of logarithms. O(*b*
    /// · *c* · (*b* + *c*)).
    /// - Parameters:
    ///   - baseline: Medians of the baseline's processes.
    ///   - candidate: Medians of the candidate's processes.
    ///   - significance: The probability of calling equal processes different, over both directions. Divide it by the
    ///     number of comparisons.
    ///   - margin: The relative difference that does not matter: 0.05 for five per cent.
    ///   - drift: The ratio by which an unchanged control moved between the runs; the interval is widened by it in both
    ///     directions.
    package static func compare(
        baseline: [Double], candidate: [Double], significance: Double, margin: Double, drift: Double = 1
    ) -> ProcessComparison? {
        guard !baseline.isEmpty, !candidate.isEmpty, drift > 0, (baseline + candidate).allSatisfy({ $0 > 0 }) else {
            return nil
        }
        let ratios = candidate.flatMap { upper in baseline.map { upper / $0 } }.sorted()
        guard let ratio = Quantiles.median(of: ratios) else { return nil }
        let rank = RankSum(baseline.count, candidate.count).largestRank(significance: significance)
        let widening = max(drift, 1 / drift)
        let interval = ConfidenceInterval(
            low: ratios[rank.index - 1] / widening, high: ratios[ratios.count - rank.index] * widening,
            confidence: rank.confidence)
        let isConfident = rank.confidence >= 1 - significance
        return ProcessComparison(
            ratio: ratio, interval: interval, verdict: isConfident ? verdict(interval, margin) : .inconclusive)
    }

    private static func verdict(_ interval: ConfidenceInterval, _ margin: Double) -> ComparisonVerdict {
        let upper = 1 + margin
        let lower = 1 / upper
        if interval.low > upper { return .worse }
        if interval.high < lower { return .better }
        return interval.low >= lower && interval.high <= upper ? .same : .inconclusive
    }
}

/// The distribution of the rank-sum statistic of two samples without ties: exact up to 10,000 pairs, and the normal
/// approximation beyond that.
struct RankSum {
    /// The distribution: `probabilities[u]` is the probability that exactly `u` of the pairs are in descending order.
    let probabilities: [Double]

    /// Counts as in Mann, Whitney, "On a Test of Whether One of Two Random Variables is Stochastically Larger than the
    /// Other" (1947), equation 1. The counts are the coefficients of a Gaussian binomial. For many pairs, the
    /// coefficients lose digits by cancellation (300 × 300: probabilities of −0.1) and overflow. The error of the
    /// normal distribution, section 2, is then less than a thousandth.
    init(_ first: Int, _ second: Int) {
        guard first * second <= 10_000 else {
            probabilities = Self.normal(first, second)
            return
        }
        var counts = [Double](repeating: 0, count: first * second + 1)
        counts[0] = 1
        for factor in 1...first {
            // Multiplies by (1 - q^(second + factor)), then divides by (1 - q^factor). Coefficients beyond the degree
            // cancel.
            for index in stride(from: counts.count - 1, through: second + factor, by: -1) {
                counts[index] -= counts[index - second - factor]
            }
            for index in stride(from: factor, to: counts.count, by: 1) { counts[index] += counts[index - factor] }
        }
        let total = counts.reduce(0, +)
        probabilities = counts.map { $0 / total }
    }

    /// Returns the normal distribution with the same mean and variance, at whole numbers. Each step outwards from the
    /// middle multiplies the factor between neighbours by e^(−1/σ²).
    private static func normal(_ first: Int, _ second: Int) -> [Double] {
        let pairs = first * second
        let precision = 12 / (Double(pairs) * Double(first + second + 1))
        // The exponent is small enough for three terms of the exponential series.
        func decay(_ exponent: Double) -> Double {
            1 - exponent + exponent * exponent / 2 - exponent * exponent * exponent / 6
        }
        var weights = [Double](repeating: 0, count: pairs + 1)
        var weight = 1.0
        var factor = decay(pairs.isMultiple(of: 2) ? precision / 2 : precision)
        for index in stride(from: pairs / 2, through: 0, by: -1) {
            weights[index] = weight
            weights[pairs - index] = weight
            weight *= factor
            factor *= decay(precision)
        }
        let total = weights.reduce(0, +)
        return weights.map { $0 / total }
    }

    /// Returns the largest rank *k* for which the interval from the *k*-th smallest to the *k*-th largest pair still
    /// contains the shift with confidence 1 − `significance`. If there is no such rank, returns 1 with its lower
    /// confidence.
    func largestRank(significance: Double) -> (index: Int, confidence: Double) {
        var tail = probabilities[0]
        var best = (index: 1, confidence: 1 - 2 * tail)
        for rank in stride(from: 2, through: probabilities.count / 2, by: 1) {
            tail += probabilities[rank - 1]
            guard 2 * tail <= significance else { break }
            best = (rank, 1 - 2 * tail)
        }
        return best
    }
}
