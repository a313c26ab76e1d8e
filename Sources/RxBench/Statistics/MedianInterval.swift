/// A range that holds an unknown quantity with a stated confidence.
package struct ConfidenceInterval: Codable, Sendable, Equatable {
    /// The lower end.
    package let low: Double
    /// The upper end.
    package let high: Double
    /// The probability that the range holds the quantity, 0 to 1.
    package let confidence: Double

    /// A range with its confidence.
    package init(low: Double, high: Double, confidence: Double) {
        self.low = low
        self.high = high
        self.confidence = confidence
    }

    /// The range of the quantity's part, one in so many.
    package func divided(by count: Double) -> ConfidenceInterval {
        ConfidenceInterval(low: low / count, high: high / count, confidence: confidence)
    }
}

/// A confidence interval of the median that assumes nothing of the distribution.
package enum MedianInterval {
    /// The narrowest pair of order statistics that holds the median with at least the confidence `target`, or, when the
    /// sample is too small for that, minimum and maximum with the confidence that they really have. `nil` for fewer
    /// than two values.
    ///
    /// David, Nagaraja, "Order Statistics" (3rd edition, 2003), section 7.1: the interval from the *k*-th smallest to
    /// the *k*-th largest of *n* holds the median with probability P(*k* ≤ B ≤ *n* − *k*), B binomial with *n* trials
    /// of probability ½. O(*n* log *n*).
    package static func estimate(of values: [Double], target: Double = 0.95) -> ConfidenceInterval? {
        guard values.count >= 2 else { return nil }
        let sorted = values.sorted()
        let (rank, coverage) = widened(count: sorted.count) { $1 >= target }
        return ConfidenceInterval(low: sorted[rank - 1], high: sorted[sorted.count - rank], confidence: coverage)
    }

    /// From the two values in the middle outwards until `isEnough` of the rank, counted from both ends, and of the
    /// probability that the median lies between its two values; at the latest at the outermost. From the middle, as 2⁻ⁿ
    /// at the ends is 0 beyond 1,074 values.
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
