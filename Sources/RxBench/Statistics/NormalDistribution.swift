#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
