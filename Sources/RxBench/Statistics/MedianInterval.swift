/// A range that holds an unknown quantity with a stated confidence.
public struct ConfidenceInterval: Sendable, Equatable {
    /// The lower end.
    public let low: Double
    /// The upper end.
    public let high: Double
    /// The probability that the range holds the quantity, 0 to 1.
    public let confidence: Double

    /// A range with its confidence.
    public init(low: Double, high: Double, confidence: Double) {
        self.low = low
        self.high = high
        self.confidence = confidence
    }
}

/// A confidence interval of the median that assumes nothing of the distribution.
public enum MedianInterval {
    /// The narrowest pair of order statistics that holds the median with at least the confidence `target`, or, when the sample is too small
    /// for that, minimum and maximum with the confidence that they really have. `nil` for fewer than two values.
    ///
    /// David, Nagaraja, "Order Statistics" (3rd edition, 2003), section 7.1: the interval from the *k*-th smallest to the *k*-th largest of *n*
    /// holds the median with probability 1 − 2·P(B < *k*), B binomial with *n* trials of probability ½. O(*n* log *n*).
    public static func estimate(of values: [Double], target: Double = 0.95) -> ConfidenceInterval? {
        guard values.count >= 2 else { return nil }
        let sorted = values.sorted()
        var rank = 1
        while rank < sorted.count / 2, coverage(rank: rank + 1, count: sorted.count) >= target { rank += 1 }
        return ConfidenceInterval(
            low: sorted[rank - 1], high: sorted[sorted.count - rank], confidence: coverage(rank: rank, count: sorted.count))
    }

    /// How probable it is that the median lies between the `rank`-th smallest and `rank`-th largest of `count` values.
    static func coverage(rank: Int, count: Int) -> Double {
        // From the middle outwards: from the end, 2⁻ⁿ is 0 beyond 1,074 values, and so would be every tail.
        let middle = (count + 1) / 2
        var term = 1.0
        for pair in stride(from: 1, through: middle, by: 1) { term *= Double(2 * pair - 1) / Double(2 * pair) }
        var tail = 0.0
        for successes in stride(from: middle, through: 0, by: -1) {
            if successes < rank { tail += term }
            term *= Double(successes) / Double(count - successes + 1)
        }
        return 1 - 2 * tail
    }
}
