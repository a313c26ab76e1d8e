import RxBench

/// A limit of a benchmark, with the measured figure and the verdict.
package struct LimitCheck: Codable, Sendable, Equatable {
    /// The limit's outcome.
    package enum Verdict: String, Codable, Sendable {
        /// The whole interval lies within the limit.
        case met
        /// The whole interval lies above the limit. This does not decide the exit code.
        case missed
        /// Every iteration lies above a budget, which is a regression.
        case overBudget
        /// The interval crosses the limit, or is based on fewer than five processes.
        case undecided
        /// There is no figure to judge.
        case unavailable
    }

    /// The limited quantity.
    package let quantity: Limit.Quantity
    /// The unit of the figure, its interval and the limit.
    package let unit: String
    /// The largest permitted value.
    package let maximum: Double
    /// Whether the benchmark's definition declares the limit. The default limit of no live resources is not declared.
    package let isDeclared: Bool
    /// The figure, or the reason why it is unavailable.
    package let reading: Reading<Double>
    /// The interval of the figure. For a count, it is the range of the iterations, with confidence 1. For a time with
    /// an unusual distribution (``Scatter/Oddity``), it is the range of the processes.
    package let interval: Metric.Interval?
    /// The outcome of the comparison with the limit.
    package let verdict: Verdict

    /// Returns the bars of `benchmark`. These are its declared limits in their order, followed by the default limit of
    /// no live resources if live resources were counted.
    ///
    /// - Parameter isOptimised: Whether allocations were counted in an optimised build. Unoptimised code allocates
    ///   closures and boxes that optimised code does not allocate. Without optimisation, a budget for allocations can
    ///   therefore be missed, but not exceeded.
    static func judge(_ benchmark: Benchmark, _ metrics: [Metric], isOptimised: Bool) -> [LimitCheck] {
        let declared = benchmark.limits.compactMap {
            LimitCheck($0, of: benchmark, metrics, isDeclared: true, isOptimised: isOptimised)
        }
        guard !benchmark.limits.contains(where: { $0.quantity == .liveResources }),
            let live = LimitCheck(
                .liveResources(atMost: 0), of: benchmark, metrics, isDeclared: false, isOptimised: isOptimised),
            live.verdict != .unavailable
        else { return declared }
        return declared + [live]
    }

    private init?(_ limit: Limit, of benchmark: Benchmark, _ metrics: [Metric], isDeclared: Bool, isOptimised: Bool) {
        guard let maximum = limit.maximum else { return nil }
        let scale = limit.quantity == .allocationsPerOperation ? Double(benchmark.operations) : 1
        let metric = metrics.first { $0.name == limit.quantity.metricName }
        quantity = limit.quantity
        unit = limit.quantity.unit
        self.maximum = maximum
        self.isDeclared = isDeclared
        switch metric?.reading {
        case .value(let value)?: reading = .value(value / scale)
        case .unavailable(let reason)?: reading = .unavailable(reason)
        case nil: reading = .unavailable("nothing measured it")
        }
        let range = metric.flatMap(Self.range)?.divided(by: scale)
        interval = range
        guard reading.value != nil else {
            verdict = .unavailable
            return
        }
        let isBudget = limit.quantity.isExact && (isOptimised || limit.quantity == .liveResources)
        if let range, range.high <= maximum, range.confidence >= Self.leastConfidence {
            verdict = .met
        } else if let range, range.low > maximum, range.confidence >= Self.leastConfidence {
            verdict = isBudget ? .overBudget : .missed
        } else {
            verdict = .undecided
        }
    }

    /// The smallest confidence that allows a verdict. The confidence of five processes is 0.94. With fewer processes
    /// the verdict is undecided.
    private static let leastConfidence = 0.9

    /// Returns the range of the iterations of an exact metric, or the deciding range of a sampled metric. Returns `nil`
    /// for a time that only one process measured.
    private static func range(_ metric: Metric) -> Metric.Interval? {
        guard metric.kind == .exact else { return metric.decidingRange }
        guard let low = metric.values.min(), let high = metric.values.max() else { return nil }
        return Metric.Interval(low: low, high: high, confidence: 1)
    }
}

extension Limit.Quantity {
    /// Whether the quantity is counted and not estimated.
    package var isExact: Bool {
        switch self {
        case .allocationsPerOperation, .allocationsPerIteration, .liveResources: true
        case .ratioToBaseline, .time: false
        }
    }

    /// The name of the metric from which the quantity is read.
    var metricName: String {
        switch self {
        case .allocationsPerOperation, .allocationsPerIteration: Metric.allocations
        case .liveResources: Metric.liveResources
        case .ratioToBaseline: Metric.ratioToBaseline
        case .time: Metric.time
        }
    }

    var unit: String {
        switch self {
        case .allocationsPerOperation: "count/operation"
        case .allocationsPerIteration, .liveResources: "count/iteration"
        case .ratioToBaseline: "ratio"
        case .time: "ns/operation"
        }
    }
}

extension LimitCheck {
    private enum CodingKeys: CodingKey {
        case quantity, unit, maximum, isDeclared, value, unavailable, interval, verdict
    }

    /// Decodes a bar. Its value may be null with a reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        quantity = try container.decode(Limit.Quantity.self, forKey: .quantity)
        unit = try container.decode(String.self, forKey: .unit)
        maximum = try container.decode(Double.self, forKey: .maximum)
        isDeclared = try container.decode(Bool.self, forKey: .isDeclared)
        reading = try Reading(from: decoder)
        interval = try container.decodeIfPresent(Metric.Interval.self, forKey: .interval)
        verdict = try container.decode(Verdict.self, forKey: .verdict)
    }

    /// Encodes the bar. A missing value is encoded as null with its reason.
    package func encode(to encoder: any Encoder) throws {
        try reading.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode([
            .quantity: quantity, .unit: unit, .maximum: maximum, .isDeclared: isDeclared, .interval: interval,
            .verdict: verdict,
        ])
    }
}
