#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Order statistics of a sample.
package enum Quantiles {
    /// Returns the value below which the share `probability` of `values` lies, or `nil` for an empty sample.
    ///
    /// Interpolates linearly between order statistics: type 7 of Hyndman and Fan, "Sample Quantiles in Statistical
    /// Packages" (The American Statistician 50, 1996). O(*n* log *n*).
    /// - Parameter probability: 0 (minimum) to 1 (maximum).
    package static func quantile(_ probability: Double, of values: [Double]) -> Double? {
        quantile(probability, ofSorted: values.sorted())
    }

    /// Returns the quantile like ``quantile(_:of:)``, for values that are sorted in ascending order. O(1).
    package static func quantile(_ probability: Double, ofSorted sorted: [Double]) -> Double? {
        precondition((0...1).contains(probability), "A quantile's probability is \(probability); it must lie in 0...1.")
        guard let last = sorted.last else { return nil }
        let position = probability * Double(sorted.count - 1)
        let index = Int(position)
        guard index + 1 < sorted.count else { return last }
        let share = position - Double(index)
        let distance = sorted[index + 1] - sorted[index]
        // The difference of two finite values may be infinite.
        return distance.isFinite
            ? sorted[index] + share * distance : sorted[index] * (1 - share) + sorted[index + 1] * share
    }

    /// Returns the median of `values`, or `nil` for an empty sample. O(*n* log *n*).
    package static func median(of values: [Double]) -> Double? { quantile(0.5, of: values) }
}

/// The standard normal distribution.
package enum NormalDistribution {
    /// Returns the probability of a value below `value`.
    package static func probability(below value: Double) -> Double { erfc(-value / 2.0.squareRoot()) / 2 }

    /// Returns the value below which the share `probability` lies. The value is found by bisection and is exact to ten
    /// digits. `probability` must be between 0 and 1, exclusively.
    package static func quantile(_ probability: Double) -> Double {
        precondition(
            probability > 0 && probability < 1,
            "A quantile's probability is \(probability); it must lie between 0 and 1.")
        var low = -40.0
        var high = 40.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if Self.probability(below: middle) < probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}

/// A range that contains an unknown quantity with a stated confidence.
package struct ConfidenceInterval: Codable, Sendable, Equatable {
    /// The lower end.
    package let low: Double
    /// The upper end.
    package let high: Double
    /// The probability that the range contains the quantity, from 0 to 1.
    package let confidence: Double

    /// Creates a range with the given confidence.
    package init(low: Double, high: Double, confidence: Double) {
        self.low = low
        self.high = high
        self.confidence = confidence
    }

    /// Returns the range of the quantity divided by `count`.
    package func divided(by count: Double) -> ConfidenceInterval {
        ConfidenceInterval(low: low / count, high: high / count, confidence: confidence)
    }
}

/// A confidence interval of the median that makes no assumption about the distribution.
package enum MedianInterval {
    /// Returns the narrowest pair of order statistics that contains the median with at least the confidence `target`.
    /// If the sample is too small, returns the minimum and the maximum with their actual confidence. Returns `nil` for
    /// fewer than two values.
    ///
    /// David, Nagaraja, "Order Statistics" (3rd edition, 2003), section 7.1: the interval from the *k*-th smallest to
    /// the *k*-th largest of *n* values contains the median with probability P(*k* ≤ B ≤ *n* − *k*), where B is
    /// binomial with *n* trials of probability ½. O(*n* log *n*).
    package static func estimate(of values: [Double], target: Double = 0.95) -> ConfidenceInterval? {
        guard values.count >= 2 else { return nil }
        let sorted = values.sorted()
        let (rank, coverage) = widened(count: sorted.count) { $1 >= target }
        return ConfidenceInterval(low: sorted[rank - 1], high: sorted[sorted.count - rank], confidence: coverage)
    }

    /// Widens the pair outwards from the two middle values until `isEnough` returns `true`. The closure receives the
    /// rank, counted from both ends, and the probability that the median lies between the values of the pair. The pair
    /// ends at the outermost values at the latest. The search begins in the middle, because 2⁻ⁿ, the probability at the
    /// ends, is 0 for more than 1,074 values.
    static func widened(
        count: Int, until isEnough: (_ rank: Int, _ coverage: Double) -> Bool
    ) -> (rank: Int, coverage: Double) {
        var rank = count / 2
        var probability = 1.0
        for pair in 1...(count + 1) / 2 { probability *= Double(2 * pair - 1) / Double(2 * pair) }
        var coverage = count.isMultiple(of: 2) ? probability : 2 * probability
        while rank > 1, !isEnough(rank, coverage) {
            probability *= Double(rank) / Double(count - rank + 1)
            rank -= 1
            coverage += 2 * probability
        }
        return (rank, coverage)
    }
}
