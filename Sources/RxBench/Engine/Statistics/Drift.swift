/// Tests whether a series rises or falls over its course.
package enum Drift {
    /// Returns the probability of a trend that is at least as clear, in either direction, if the order of the values
    /// were random.
    ///
    /// Uses Kendall's statistic S in its normal approximation, corrected for continuity and ties: Mann, "Nonparametric
    /// Tests Against Trend" (Econometrica 13, 1945); Kendall, "Rank Correlation Methods" (4th edition, 1975), section
    /// 4.9. Returns 1 for fewer than eight values. O(*n*²).
    package static func probability(of values: [Double]) -> Double {
        guard values.count >= 8 else { return 1 }
        var score = 0
        for (index, value) in values.enumerated() {
            for later in values[(index + 1)...] { score += later > value ? 1 : later < value ? -1 : 0 }
        }
        func term(_ count: Double) -> Double { count * (count - 1) * (2 * count + 5) }
        let ties = Dictionary(grouping: values) { $0 }.values.map { term(Double($0.count)) }.reduce(0, +)
        let variance = (term(Double(values.count)) - ties) / 18
        guard variance > 0, score != 0 else { return 1 }
        return 2 * NormalDistribution.probability(below: -Double(score.magnitude - 1) / variance.squareRoot())
    }
}
