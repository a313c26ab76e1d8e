/// The difference between the counts of one exact metric in two measurements.
package enum ExactDifference: String, Codable, Sendable {
    /// The counts are equal.
    case equal
    /// The second measurement counted more.
    case more
    /// The second measurement counted less.
    case fewer
    /// The counts vary and their ranges overlap, so the difference is undecided.
    case varies
}

extension Metric {
    /// Returns the difference between the counts of this metric and the counts of `before`, or `nil` if either metric
    /// has no counts.
    ///
    /// Counts that agree in every iteration are compared for equality. Other counts are compared by their ranges over
    /// the iterations. If several threads work, the ranges must be a tenth apart, because the order of the threads
    /// differs between processes.
    package func difference(from before: Metric) -> ExactDifference? {
        guard let low = values.min(), let high = values.max(), let oldLow = before.values.min(),
            let oldHigh = before.values.max()
        else { return nil }
        let isThreaded = isThreaded == true || before.isThreaded == true
        if name == Metric.instructions, !isThreaded, isSteady, before.isSteady {
            return Metric.isMore(low, than: oldLow) ? .more : Metric.isMore(oldLow, than: low) ? .fewer : .equal
        }
        func slack(_ count: Double) -> Double { isThreaded ? Metric.threadedSlack(count) : 0 }
        if low > oldHigh + slack(oldHigh) { return .more }
        if high + slack(high) < oldLow { return .fewer }
        return low == oldHigh && high == oldLow ? .equal : .varies
    }

    /// Returns the largest difference between counts of unchanged work by several threads. This is a tenth of the
    /// count, or the few blocks that the start of a thread allocates.
    package static func threadedSlack(_ count: Double) -> Double { max(count * 0.1, 16) }

    /// Returns whether `new` instructions exceed `old` instructions by more than an unchanged benchmark ever shows,
    /// which is 0.05 %. Other code in the process moves the occasional work of the allocator from one iteration to
    /// another. This changes the smallest of five counts by less than that (decision 13). A change of 0.1 % must be
    /// detected.
    package static func isMore(_ new: Double, than old: Double) -> Bool { new - old > max(old * 0.000_5, 2) }

    /// Whether the iterations of an exact metric differ at most by the occasional work of the allocator, which is a
    /// small fraction of a long iteration. A larger difference is caused by threads.
    package var isSteady: Bool {
        guard let low = values.min(), let high = values.max() else { return false }
        return high - low <= max(low * 0.001, 400)
    }
}

/// The scatter of a sampled metric's processes, and the smallest change that they could have detected.
///
/// ```swift
/// let scatter = Scatter(ofProcessMedians: [10, 11, 10, 12, 11, 10, 11, 12, 50])
/// print(scatter.outliers ?? 0, scatter.oddities.map(\.rawValue))  // 1 ["scatter"]
/// ```
package struct Scatter: Codable, Sendable, Equatable {
    /// A kind of unusual distribution that a median and its interval hide. A figure with such a distribution must not
    /// be quoted or compared on its own.
    package enum Oddity: String, Codable, Sendable, CaseIterable {
        /// The processes fall into more than one level.
        case severalLevels
        /// The figure rose or fell from process to process.
        case drift
        /// The processes scatter far beyond the interval of their median: ``detectable`` is more than a twentieth, and
        /// more than ten times the distance from the median to the interval's farther end. With normal noise, the
        /// factor is about two.
        case scatter
    }

    /// The smallest relative change that a comparison with an equal run detects in 80 % of cases, at 1 % false alarms
    /// (the minimum detectable effect). It does not include drift between runs. It is `nil` for fewer than seven
    /// processes.
    package let detectable: Double?
    /// The number of processes that lie far from the others, or `nil` for fewer than four processes. The figure and its
    /// interval include these processes.
    package let outliers: Int?
    /// The kinds of unusual distributions that the figure hides. The array is empty for fewer than seven processes,
    /// which are not enough to detect them.
    package let oddities: [Oddity]

    /// Creates the scatter of `values`, which contains one value for each process in the order of measurement. O(*n*²).
    package init(ofProcessMedians values: [Double]) {
        let detectable = DetectableEffect.relative(ofProcessMedians: values).flatMap { $0.isFinite ? $0 : nil }
        self.detectable = detectable
        outliers = values.count < 4 ? nil : Outliers.count(in: values)
        let levels = Modality.levels(of: values, resolution: Modality.usualResolution)
        let severalLevels: [Oddity] = levels.count > 1 ? [.severalLevels] : []
        // The limit is a thousandth, because a suite has hundreds of series.
        let drift: [Oddity] = Drift.probability(of: values) < 0.001 ? [.drift] : []
        // Scatter that is explained by levels or drift is not reported separately.
        let isWide = severalLevels.isEmpty && drift.isEmpty && Self.isWide(detectable, values)
        oddities = severalLevels + drift + (isWide ? [.scatter] : [])
    }

    /// Returns whether the smallest change that `values` could have detected is far larger than the interval of their
    /// median suggests.
    private static func isWide(_ detectable: Double?, _ values: [Double]) -> Bool {
        guard let detectable, detectable > 0.05, let median = Quantiles.median(of: values), median > 0,
            let interval = MedianInterval.estimate(of: values)
        else { return false }
        return detectable > 10 * max(interval.high - median, median - interval.low) / median
    }
}

extension Metric {
    /// The scatter of a sampled metric's processes. It is `nil` for an exact metric and for a metric that could not be
    /// read. O(*n*²) in the number of processes.
    package var scatter: Scatter? { kind == .sampled && !values.isEmpty ? Scatter(ofProcessMedians: values) : nil }

    /// The range that decides about a sampled metric. This is the interval of its median, or the range of all processes
    /// if ``Scatter/oddities`` is not empty.
    package var decidingRange: Interval? {
        guard let scatter, !scatter.oddities.isEmpty, let low = values.min(), let high = values.max() else {
            return interval
        }
        return Interval(low: low, high: high, confidence: 1)
    }
}
