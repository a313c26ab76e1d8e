#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Order statistics of a sample.
package enum Quantiles {
    /// The value below which the share `probability` of `values` lies, or `nil` for an empty sample.
    ///
    /// Interpolates linearly between order statistics: type 7 of Hyndman and Fan, "Sample Quantiles in Statistical
    /// Packages" (The American Statistician 50, 1996). O(*n* log *n*).
    /// - Parameter probability: 0 (minimum) to 1 (maximum).
    package static func quantile(_ probability: Double, of values: [Double]) -> Double? {
        quantile(probability, ofSorted: values.sorted())
    }

    /// As ``quantile(_:of:)`` for values that are in ascending order. O(1).
    package static func quantile(_ probability: Double, ofSorted sorted: [Double]) -> Double? {
        precondition((0...1).contains(probability), "A quantile's probability is \(probability); it must lie in 0...1.")
        guard let last = sorted.last else { return nil }
        let position = probability * Double(sorted.count - 1)
        let index = Int(position)
        guard index + 1 < sorted.count else { return last }
        let share = position - Double(index)
        let distance = sorted[index + 1] - sorted[index]
        // The distance of two finite values need not be finite.
        return distance.isFinite
            ? sorted[index] + share * distance : sorted[index] * (1 - share) + sorted[index + 1] * share
    }

    /// The middle of `values`, or `nil` for an empty sample. O(*n* log *n*).
    package static func median(of values: [Double]) -> Double? { quantile(0.5, of: values) }
}

/// The standard normal distribution.
package enum NormalDistribution {
    /// The probability of a value below `value`.
    package static func probability(below value: Double) -> Double { erfc(-value / 2.0.squareRoot()) / 2 }

    /// The value below which the share `probability` lies, by bisection; exact to ten digits. 0 < `probability` < 1.
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
