import RxBench

/// The replies of a benchmark's processes, and the result that is computed from them.
struct CollectedReplies {
    let benchmark: Benchmark
    private(set) var failure: String?
    private(set) var exact: [ExactSeries] = []
    private(set) var time: [TimeSeries] = []

    private let hasTimePass: Bool
    /// Whether the result has the raw samples and all buckets of latencies.
    private let keepsSamples: Bool
    /// The part of the interval's error that the last look may spend.
    private var share = 1.0
    /// Whether the interval of the time was narrow enough at a look, so that no more processes are needed.
    private(set) var isSettled = false

    /// The reason for an unavailable time.
    static let noTime = "no process measured it"

    init(_ benchmark: Benchmark, hasTimePass: Bool = true, keepsSamples: Bool = false) {
        self.benchmark = benchmark
        self.hasTimePass = hasTimePass
        self.keepsSamples = keepsSamples
    }

    mutating func add(_ reply: WorkerReply) {
        if failure == nil { failure = reply.failure }
        exact = exact.pooled(with: reply.exact)
        if let series = reply.time { time.append(series) }
    }

    /// Whether other threads worked while events were counted.
    var isThreaded: Bool { exact.contains(where: \.isThreaded) }

    /// Looks at the time to decide whether its measurement can stop. The look spends the part `share` of the interval's
    /// error.
    mutating func look(share: Double, precision: Double) {
        guard !isSettled else { return }
        self.share = share
        guard let metric = timeMetrics.first, let value = metric.reading.value, let interval = metric.interval,
            value > 0
        else { return }
        isSettled = interval.confidence >= 0.95 && max(interval.high - value, value - interval.low) <= precision * value
    }

    func result() -> BenchmarkResult {
        // A forbidden outcome that occurred before a failure is still worth reporting.
        guard failure == nil else { return BenchmarkResult(benchmark, failure: failure, outcomes: outcomes) }
        let metrics =
            hasTimePass ? timeMetrics + latencyMetrics + exact.map(\.metric) + usageMetrics : exact.map(\.metric)
        return BenchmarkResult(
            benchmark, metrics: metrics, isOptimised: Compiler.isOptimised, latencies: latencies, outcomes: outcomes)
    }

    private var timeMetrics: [Metric] {
        let definition = MetricDefinition(name: Metric.time, unit: "ns/operation")
        guard !time.isEmpty else { return [.unavailable(definition, .sampled, because: Self.noTime)] }
        let medians = time.map { $0.median.rounded(toSignificantDigits: 5) }
        let metric = Metric.sampled(
            definition, medians, samples: keepsSamples ? time.map(\.samples) : nil, all: time.flatMap(\.samples),
            share: share)
        let ratios = time.compactMap(\.ratio).map { $0.rounded(toSignificantDigits: 5) }
        guard benchmark.baseline != nil else { return [metric] }
        return [metric, .sampled(MetricDefinition(name: Metric.ratioToBaseline, unit: "ratio"), ratios)]
    }

    private var usageMetrics: [Metric] {
        let measured = time.compactMap { series in
            series.usage.map { (usage: $0, iterations: Double(max(series.iterations, 1))) }
        }
        func perIteration(_ name: String, _ count: (ResourceUsage) -> Int) -> Metric {
            let metric = sampled(
                MetricDefinition(name: name, unit: "count/iteration"),
                measured.map { Double(count($0.usage)) / $0.iterations })
            return keepsSamples ? metric : metric.withoutValues
        }
        return [
            perIteration("voluntarySwitches") { $0.voluntarySwitches },
            perIteration("involuntarySwitches") { $0.involuntarySwitches },
            perIteration("minorFaults") { $0.minorFaults },
            perIteration("majorFaults") { $0.majorFaults },
            sampled(
                MetricDefinition(name: Metric.peakResident, unit: "bytes"),
                measured.map { Double($0.usage.peakResidentBytes) }),
        ]
    }

    private func sampled(_ definition: MetricDefinition, _ values: [Double]) -> Metric {
        guard !values.isEmpty else {
            return .unavailable(definition, .sampled, because: "the system does not report resource usage")
        }
        return .sampled(definition, values.map { $0 == $0.rounded() ? $0 : $0.rounded(toSignificantDigits: 4) })
    }

    /// The metrics of recorded durations. Percentiles are computed within each process, and the interval is computed
    /// over the processes.
    private var latencyMetrics: [Metric] {
        let perProcess = time.compactMap(\.latencies).map(LatencyDistribution.init)
        guard !perProcess.isEmpty else { return [] }
        return LatencyDistribution.reported.map { name, probability in
            .sampled(
                MetricDefinition(name: name, unit: "ns"),
                perProcess.compactMap { $0.quantile(probability).map { Double($0) } })
        }
    }

    private var latencies: [LatencyBucket]? {
        let all = time.compactMap(\.latencies)
        guard !all.isEmpty else { return nil }
        let distribution = LatencyDistribution(all.flatMap { $0 })
        return (keepsSamples ? distribution : distribution.reduced).buckets
    }

    private var outcomes: [RaceOutcome]? {
        let all = time.compactMap(\.outcomes)
        return all.isEmpty ? nil : all.reduce([]) { $0.merged(with: $1) }
    }
}
