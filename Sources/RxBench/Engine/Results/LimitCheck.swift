import RxBench

/// A limit of a benchmark, with the measured figure and the verdict.
///
/// Definitions and files of budgets state limits in the same form. A limit on a count is a budget, which decides the
/// exit code. A limit on a time or a ratio is only reported.
package struct LimitCheck: Sendable, Equatable {
    /// The place where a limit is stated.
    package enum Source: String, Sendable, Encodable {
        /// The benchmark's definition.
        case definition
        /// The limit of every benchmark: an iteration leaves no live resources behind.
        case standard
        /// A file of budgets. Its entry is the lowest count that was measured, and overrides the definition.
        case file
    }

    /// The limited quantity.
    package let quantity: Limit.Quantity
    /// The largest permitted value.
    package let maximum: Double
    /// The place where the limit is stated.
    package let source: Source
    /// The figure, or the reason why it is unavailable.
    package let reading: Reading<Double>
    /// The interval of the figure. For a count, it is the range of the iterations, with confidence 1. For a time with
    /// an unusual distribution (``Scatter/Oddity``), it is the range of the processes.
    package let interval: Metric.Interval?
    /// The position of the figure relative to the limit: below it is better, and above it is worse. The verdict is
    /// inconclusive if the interval includes the limit, or is based on fewer than five processes. It is not judged
    /// without a figure.
    package let verdict: ComparisonVerdict
    /// Whether the limit decides the exit code. Unoptimised code allocates closures and boxes that optimised code does
    /// not allocate, so that the definition's limits on allocations do not decide in a debug build.
    package let decides: Bool

    /// Whether the limit is exceeded and decides the exit code.
    package var isOverBudget: Bool { decides && verdict == .worse }

    /// Checks the limits of a benchmark's definition, in their order, and the standard limit of no live resources if
    /// live resources were counted.
    ///
    /// - Parameter isOptimised: Whether the counted code was optimised.
    static func checks(
        of limits: [Limit], operations: Int, _ metrics: [Metric], isOptimised: Bool
    ) -> [LimitCheck] {
        func check(_ limit: Limit, _ source: Source) -> LimitCheck? {
            LimitCheck(limit, from: source, operations: operations, metrics, isOptimised: isOptimised)
        }
        let declared = limits.compactMap { check($0, .definition) }
        guard !limits.contains(where: { $0.quantity == .liveResources }),
            let live = check(.liveResources(atMost: 0), .standard), live.verdict != .notJudged
        else { return declared }
        return declared + [live]
    }

    /// Checks one limit. Returns `nil` for a limit without a maximum, which only lifts a standard limit.
    package init?(
        _ limit: Limit, from source: Source, operations: Int, _ metrics: [Metric], isOptimised: Bool
    ) {
        guard let maximum = limit.maximum else { return nil }
        let scale = limit.quantity == .allocationsPerOperation ? Double(operations) : 1
        let metric = metrics.first { $0.name == limit.quantity.metricName }
        quantity = limit.quantity
        self.maximum = maximum
        self.source = source
        decides =
            limit.quantity.isExact && (source == .file || isOptimised || limit.quantity == .liveResources)
        switch metric?.reading {
        case .value(let value)?: reading = .value(value / scale)
        case .unavailable(let reason)?: reading = .unavailable(reason)
        case nil: reading = .unavailable("nothing measured it")
        }
        interval = metric.flatMap { Self.range($0, from: source) }?.divided(by: scale)
        verdict =
            reading.value == nil
            ? .notJudged
            : Self.verdict(interval, limit.quantity, maximum, from: source, metric)
    }

    private static func verdict(
        _ interval: Metric.Interval?, _ quantity: Limit.Quantity, _ maximum: Double, from source: Source,
        _ metric: Metric?
    ) -> ComparisonVerdict {
        guard let interval, interval.confidence >= leastConfidence else { return .inconclusive }
        // An entry of a file is the lowest count of its run, so it is compared with the lowest count of this one.
        let high = source == .file ? interval.low : interval.high
        let margin = source == .file ? metric.map { Self.slack($0, above: maximum) } ?? 0 : 0
        if quantity.isMore(interval.low, than: maximum + margin) { return .worse }
        if quantity.isMore(high, than: maximum + margin) { return .inconclusive }
        return quantity.isMore(maximum, than: high) ? .better : .same
    }

    /// Returns how far a count of unchanged code may lie above the lowest count of another run. This is 0 unless
    /// several threads take part.
    ///
    /// Threads that contend for a resource allocate differently in each process. The slack therefore includes twice the
    /// range of the counts of the run's own processes. With this slack, no unchanged benchmark of this package was
    /// found to be over its lowest count in eight stored results.
    package static func slack(_ metric: Metric, above maximum: Double) -> Double {
        guard metric.isThreaded == true, let low = metric.values.min(), let high = metric.values.max() else { return 0 }
        return Metric.threadedSlack(maximum) + 2 * (high - low)
    }

    /// The smallest confidence that allows a verdict. The confidence of five processes is 0.94. With fewer processes
    /// the verdict is inconclusive.
    private static let leastConfidence = 0.9

    /// Returns the range of the iterations of an exact metric, or the deciding range of a sampled metric. Returns `nil`
    /// for a time that only one process measured.
    private static func range(_ metric: Metric, from source: Source) -> Metric.Interval? {
        guard metric.kind == .exact else { return metric.decidingRange }
        guard let low = metric.values.min(), let high = metric.values.max() else {
            // A result may have the value alone. An entry is such a value too, so the two can be compared.
            guard source == .file, let value = metric.reading.value else { return nil }
            return Metric.Interval(low: value, high: value, confidence: 1)
        }
        return Metric.Interval(low: low, high: high, confidence: 1)
    }
}

extension Limit.Quantity {
    /// Whether the quantity is counted and not estimated.
    package var isExact: Bool {
        switch self {
        case .allocationsPerOperation, .allocationsPerIteration, .objectsPerIteration, .instructionsPerIteration,
            .liveResources:
            true
        case .ratioToBaseline, .time: false
        }
    }

    /// Returns whether one figure exceeds another by more than unchanged code does in the same conditions.
    package func isMore(_ figure: Double, than other: Double) -> Bool {
        self == .instructionsPerIteration ? Metric.isMore(figure, than: other) : figure > other
    }

    /// The name of the metric from which the quantity is read.
    package var metricName: String {
        switch self {
        case .allocationsPerOperation, .allocationsPerIteration: Metric.allocations
        case .objectsPerIteration: Metric.objects
        case .instructionsPerIteration: Metric.instructions
        case .liveResources: Metric.liveResources
        case .ratioToBaseline: Metric.ratioToBaseline
        case .time: Metric.time
        }
    }
}
