import RxBenchEngine

/// The data of a report's panels: a run, and optionally the run that it is compared with.
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

    /// The IDs of benchmarks in which a leak search found a leak.
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

    /// The stored results that this run is comparable with, if there are at least two.
    var history: Trend.Group? { Self.history(of: result, in: trend) }

    private static func history(of result: RunResult, in trend: Trend?) -> Trend.Group? {
        trend?.groups.first {
            $0.machine == result.environment.machine && $0.configuration == result.environment.configuration
                && $0.isTracing == result.environment.isTracing && $0.points.count > 1
        }
    }

    /// Returns whether the run contains the benchmark with the ID `id`.
    func isShown(_ id: String) -> Bool { ids.contains(id) }

    /// Returns the times of the benchmark with the ID `id` in the stored results, or `nil` if there are fewer than two.
    func times(_ id: String) -> Trend.Series? { times[id].flatMap { $0.figures.count { $0 != nil } > 1 ? $0 : nil } }

    /// Returns the benchmark with the ID `id` in the baseline run.
    func earlier(_ id: String) -> BenchmarkResult? { earlier[id] }

    /// Returns the comparison's rows for the benchmark. They are empty if nothing was compared.
    func changes(_ id: String) -> [ResultComparison.Row] { rows[id] ?? [] }

    /// Returns whether any benchmark has a value for the metric.
    func has(_ name: String) -> Bool { measured.contains(name) }

    /// Returns the status of a benchmark, which is its most serious finding.
    func status(of benchmark: BenchmarkResult) -> Status {
        if benchmark.failure != nil { return Status("failed", .bad) }
        if benchmark.hasForbiddenOutcome { return Status("forbidden outcome", .bad) }
        if benchmark.leaks != nil || leaking.contains(benchmark.id) { return Status("leaking", .bad) }
        let checks = benchmark.checks
        if let check = checks.first(where: \.isOverBudget) {
            return check.quantity == .liveResources ? Status("leaking", .bad) : Status("over budget", .bad)
        }
        // In a comparison, the badges and the table must agree with the numbers in the comparison's verdict.
        if let finding = findings[benchmark.id] { return status(of: finding) }
        if checks.contains(where: { $0.verdict == .worse }) { return Status("over its limit", .open) }
        if checks.contains(where: { $0.verdict == .inconclusive }) { return Status("inconclusive", .open) }
        if let oddity = benchmark.metric(Metric.time)?.scatter?.oddities.first {
            return Status(RunReport.words(oddity), .open)
        }
        let isWithin = checks.contains { $0.verdict == .better || $0.verdict == .same }
        return isWithin ? Status("within its limits", .good) : Status("measured", .plain)
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

    /// A description of a benchmark's status, and its severity.
    struct Status {
        let words: String
        let tone: Strip.Tone

        init(_ words: String, _ tone: Strip.Tone) {
            self.words = words
            self.tone = tone
        }

        /// The description preceded by a sign, because not all readers can distinguish colours.
        var badge: Markup {
            switch tone {
            case .good: "<span class=\"badge good\">✓ \(words)</span>"
            case .bad: "<span class=\"badge bad\">✕ \(words)</span>"
            case .open: "<span class=\"badge open\">? \(words)</span>"
            case .plain: "<span class=badge>\(words)</span>"
            }
        }

        /// The sort key that puts the most serious status first.
        var rank: Int {
            switch tone {
            case .bad: 0
            case .open: 1
            case .good: 2
            case .plain: 3
            }
        }
    }

    /// Returns the value of a metric per operation, and whether all iterations agreed on it. If they did not, the
    /// figure is shown with a tilde.
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
