import RxBenchStatistics
/// How the counts of one exact metric differ between two measurements.
package enum ExactDifference: String, Codable, Sendable {
    /// They agree.
    case equal
    /// The second counted more.
    case more
    /// The second counted less.
    case fewer
    /// They vary, and their ranges overlap: nothing can be said.
    case varies
}

extension Metric {
    /// How this metric's counts differ from those of `before`; `nil` where either has none.
    ///
    /// Counts that agree in every iteration are compared by equality, others by their ranges over the iterations. Where
    /// several threads work, ranges have to be a tenth apart: who is first differs from process to process.
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

    /// How far counts of unchanged work may lie apart where several threads take part: a tenth, or some blocks that a
    /// thread's start takes.
    package static func threadedSlack(_ count: Double) -> Double { max(count * 0.1, 16) }

    /// Whether `new` instructions are more than `old` by what an unchanged benchmark never shows: 0.05 %. Other code in
    /// the process moves the allocator's rare work from one iteration to another, which changes the least of five by
    /// less (decision 13); 0.1 % is to be seen.
    package static func isMore(_ new: Double, than old: Double) -> Bool { new - old > max(old * 0.000_5, 2) }

    /// Whether the iterations of an exact metric differ by no more than the allocator's rare work: a small
    /// fraction of what takes long. More is the work of threads.
    package var isSteady: Bool {
        guard let low = values.min(), let high = values.max() else { return false }
        return high - low <= max(low * 0.001, 400)
    }
}

/// How the processes of a sampled metric differ from each other, and so how small a change they could have shown.
///
/// ```swift
/// let scatter = Scatter(ofProcessMedians: [10, 11, 10, 12, 11, 10, 11, 12, 50])
/// print(scatter.outliers ?? 0, scatter.oddities.map(\.rawValue))  // 1 ["scatter"]
/// ```
package struct Scatter: Codable, Sendable, Equatable {
    /// A shape that a median and its interval hide. A figure with an oddity must not be quoted or compared by itself.
    package enum Oddity: String, Codable, Sendable, CaseIterable {
        /// The processes fall into more than one level.
        case severalLevels
        /// The figure rose or fell from process to process.
        case drift
        /// The processes scatter far beyond the interval of their median: ``detectable`` is more than a twentieth, and
        /// more than ten times as far as the interval reaches. Normal noise shows about twice as far.
        case scatter
    }

    /// The smallest relative change that a comparison with an equal run finds in 80 % of cases at 1 % false alarms (the
    /// minimum detectable effect); drift between runs is not counted. `nil` for fewer than seven processes.
    package let detectable: Double?
    /// How many processes lie far from the others. They are kept: the figure and its interval count them. `nil` for
    /// fewer than four processes.
    package let outliers: Int?
    /// The shapes that the figure hides; empty for fewer than seven processes, which cannot say.
    package let oddities: [Oddity]

    /// The scatter of `values`, one for each process in the order of measurement. O(*n*²).
    package init(ofProcessMedians values: [Double]) {
        let detectable = DetectableEffect.relative(ofProcessMedians: values).flatMap { $0.isFinite ? $0 : nil }
        self.detectable = detectable
        outliers = values.count < 4 ? nil : Outliers.count(in: values)
        let levels = Modality.levels(of: values, resolution: Modality.usualResolution)
        let severalLevels: [Oddity] = levels.count > 1 ? [.severalLevels] : []
        // A thousandth: a suite has hundreds of series.
        let drift: [Oddity] = Drift.probability(of: values) < 0.001 ? [.drift] : []
        // What levels or a drift explain needs no second name.
        let isWide = severalLevels.isEmpty && drift.isEmpty && Self.isWide(detectable, values)
        oddities = severalLevels + drift + (isWide ? [.scatter] : [])
    }

    /// Whether the change that `values` could show is far larger than the interval of their median says.
    private static func isWide(_ detectable: Double?, _ values: [Double]) -> Bool {
        guard let detectable, detectable > 0.05, let median = Quantiles.median(of: values), median > 0,
            let interval = MedianInterval.estimate(of: values)
        else { return false }
        return detectable > 10 * max(interval.high - median, median - interval.low) / median
    }
}

extension Metric {
    /// How the processes of a sampled metric differ; `nil` for an exact metric and for one that could not be read.
    /// O(*n*²) in processes.
    package var scatter: Scatter? { kind == .sampled && !values.isEmpty ? Scatter(ofProcessMedians: values) : nil }

    /// The range that decides about a sampled metric: the interval of its median or, where that hides an oddity, all
    /// processes.
    package var decidingRange: Interval? {
        guard let scatter, !scatter.oddities.isEmpty, let low = values.min(), let high = values.max() else {
            return interval
        }
        return Interval(low: low, high: high, confidence: 1)
    }
}
