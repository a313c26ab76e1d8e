import RxBench
import RxBenchStatistics

/// The content of a report's panels: a run, and the run it is compared with, if there is one.
struct ReportContent {
    let result: RunResult
    let baseline: RunResult?
    let comparison: ResultComparison?
    let trend: Trend?
    let leaks: [LeakFindings]
    let races: RaceSearches?
    private let earlier: [String: BenchmarkResult]
    private let rows: [String: [ResultComparison.Row]]
    private let measured: Set<String>

    /// The findings of searches for leaks.
    private let leaking: Set<String>
    private let ids: Set<String>
    private let findings: [String: Finding.Outcome]
    private let times: [String: Trend.Series]

    init(
        _ result: RunResult, baseline: RunResult?, rules: ResultComparison.Rules, trend: Trend? = nil,
        leaks: [LeakFindings] = [], races: RaceSearches? = nil
    ) {
        self.result = result
        self.trend = trend
        self.leaks = leaks
        self.races = races
        leaking = Set(leaks.filter { $0.outcome == .found }.map(\.name))
        ids = Set(result.benchmarks.map(\.id))
        times = Dictionary(
            (Self.history(of: result, in: trend)?.series ?? []).filter { $0.metric == Metric.time }.map { ($0.id, $0) }
        ) { first, _ in first }
        self.baseline = baseline
        comparison = baseline.map { ResultComparison($0, result, rules: rules) }
        earlier = Dictionary((baseline?.benchmarks ?? []).map { ($0.id, $0) }) { first, _ in first }
        rows = Dictionary(grouping: comparison?.rows ?? [], by: \.id)
        findings = Dictionary((comparison?.findings ?? []).map { ($0.id, $0.outcome) }) { first, _ in first }
        measured = Set(result.benchmarks.flatMap { $0.metrics.lazy.filter { $0.reading.value != nil }.map(\.name) })
    }

    /// The stored results that this run may be compared with, when there are two or more.
    var history: Trend.Group? { Self.history(of: result, in: trend) }

    private static func history(of result: RunResult, in trend: Trend?) -> Trend.Group? {
        trend?.groups.first {
            $0.machine == result.environment.machine && $0.configuration == result.environment.configuration
                && $0.isTracing == result.environment.isTracing && $0.schemaVersion == result.schemaVersion
                && $0.points.count > 1
        }
    }

    /// Whether the run has the benchmark called `id`.
    func isShown(_ id: String) -> Bool { ids.contains(id) }

    /// The times of the benchmark called `id` over the stored results; `nil` for fewer than two.
    func times(_ id: String) -> Trend.Series? { times[id].flatMap { $0.figures.count { $0 != nil } > 1 ? $0 : nil } }

    /// The benchmark called `id` in the run that this one is compared with.
    func earlier(_ id: String) -> BenchmarkResult? { earlier[id] }

    /// The outcomes of the benchmark's metrics, empty without a comparison.
    func changes(_ id: String) -> [ResultComparison.Row] { rows[id] ?? [] }

    /// Whether any benchmark has a figure of the metric.
    func has(_ name: String) -> Bool { measured.contains(name) }

    /// A benchmark's outcome, the gravest finding.
    func status(of benchmark: BenchmarkResult) -> Status {
        if benchmark.failure != nil { return Status("failed", .bad) }
        if benchmark.hasForbiddenOutcome { return Status("forbidden outcome", .bad) }
        if benchmark.leaks != nil || leaking.contains(benchmark.id) { return Status("leaking", .bad) }
        let bars = benchmark.bars ?? []
        if let bar = bars.first(where: { $0.verdict == .overBudget }) {
            return bar.quantity == .liveResources ? Status("leaking", .bad) : Status("over budget", .bad)
        }
        // In a comparison, chips and table count what its sentence counts.
        if let finding = findings[benchmark.id] { return status(of: finding) }
        if bars.contains(where: { $0.verdict == .missed }) { return Status("bar missed", .open) }
        if bars.contains(where: { $0.verdict == .undecided }) { return Status("undecided", .open) }
        if let oddity = benchmark.metric(Metric.time)?.scatter?.oddities.first {
            return Status(RunReport.words(oddity), .open)
        }
        return bars.contains { $0.verdict == .met } ? Status("met", .good) : Status("measured", .plain)
    }

    private func status(of finding: Finding.Outcome) -> Status {
        switch finding {
        case .failed, .worse: Status(finding.word, .bad)
        case .better: Status(finding.word, .good)
        case .inconclusive, .notJudged: Status(finding.word, .open)
        case .same: Status(comparison?.judgesTimes == true ? "same" : "same counts", .plain)
        case .added: Status(finding.word, .plain)
        }
    }

    /// Words for the outcome of a benchmark, with their weight.
    struct Status {
        let words: String
        let tone: Strip.Tone

        init(_ words: String, _ tone: Strip.Tone) {
            self.words = words
            self.tone = tone
        }

        /// The words after a sign, because not everybody can distinguish colours.
        var badge: Markup {
            switch tone {
            case .good: "<span class=\"badge good\">✓ \(words)</span>"
            case .bad: "<span class=\"badge bad\">✕ \(words)</span>"
            case .open: "<span class=\"badge open\">? \(words)</span>"
            case .plain: "<span class=badge>\(words)</span>"
            }
        }

        /// The gravest first.
        var rank: Int {
            switch tone {
            case .bad: 0
            case .open: 1
            case .good: 2
            case .plain: 3
            }
        }
    }

    /// A metric's figure per operation, with a tilde where iterations differed.
    static func perOperation(_ benchmark: BenchmarkResult, _ name: String) -> (value: Double, isStable: Bool)? {
        guard let metric = benchmark.metric(name), let value = metric.reading.value, benchmark.operations > 0 else {
            return nil
        }
        return (value / Double(benchmark.operations), metric.isStable != false)
    }
}

extension Metric.Interval {
    var range: (low: Double, high: Double) { (low, high) }
}
