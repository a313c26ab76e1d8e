import RxBench
import RxBenchStatistics

/// What the panels of a report show: a run, and the run it is compared with, if there is one.
struct ReportContent {
    let result: RunResult
    let baseline: RunResult?
    let comparison: ResultComparison?
    private let earlier: [String: BenchmarkResult]
    private let rows: [String: [ResultComparison.Row]]
    private let measured: Set<String>

    init(_ result: RunResult, baseline: RunResult?, rules: ResultComparison.Rules) {
        self.result = result
        self.baseline = baseline
        comparison = baseline.map { ResultComparison($0, result, rules: rules) }
        earlier = Dictionary((baseline?.benchmarks ?? []).map { ($0.id, $0) }) { first, _ in first }
        rows = Dictionary(grouping: comparison?.rows ?? [], by: \.id)
        measured = Set(result.benchmarks.flatMap { $0.metrics.lazy.filter { $0.reading.value != nil }.map(\.name) })
    }

    /// The benchmark called `id` in the run that this one is compared with.
    func earlier(_ id: String) -> BenchmarkResult? { earlier[id] }

    /// What became of the benchmark's metrics, empty without a comparison.
    func changes(_ id: String) -> [ResultComparison.Row] { rows[id] ?? [] }

    /// Whether any benchmark has a figure of the metric.
    func has(_ name: String) -> Bool { measured.contains(name) }

    /// What a benchmark came to, the gravest finding.
    func status(of benchmark: BenchmarkResult) -> Status {
        if benchmark.failure != nil { return Status("failed", .bad) }
        if benchmark.hasForbiddenOutcome { return Status("forbidden outcome", .bad) }
        let bars = benchmark.bars ?? []
        if let bar = bars.first(where: { $0.verdict == .overBudget }) {
            return bar.quantity == .liveResources ? Status("leaking", .bad) : Status("over budget", .bad)
        }
        let changes = changes(benchmark.id).map(\.verdict)
        if changes.contains(.regressed) { return Status("regressed", .bad) }
        if changes.contains(.slower) { return Status("slower", .bad) }
        if bars.contains(where: { $0.verdict == .missed }) { return Status("bar missed", .open) }
        if changes.contains(.improved) { return Status("improved", .good) }
        if changes.contains(.faster) { return Status("faster", .good) }
        if changes.contains(.inconclusive) { return Status("inconclusive", .open) }
        if bars.contains(where: { $0.verdict == .undecided }) { return Status("undecided", .open) }
        if changes.contains(.added) { return Status("added", .plain) }
        if bars.contains(where: { $0.verdict == .met }) { return Status("met", .good) }
        return changes.contains(.same) || changes.contains(.unchanged) ? Status("same", .plain) : Status("measured", .plain)
    }

    /// Words for what a benchmark came to, with their weight.
    struct Status {
        let words: String
        let tone: Strip.Tone

        init(_ words: String, _ tone: Strip.Tone) {
            self.words = words
            self.tone = tone
        }

        /// The words behind a sign: a colour alone would not tell everybody.
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
        guard let metric = benchmark.metric(name), let value = metric.reading.value, benchmark.operations > 0 else { return nil }
        return (value / Double(benchmark.operations), metric.isStable != false)
    }
}

extension Metric.Interval {
    var range: (low: Double, high: Double) { (low, high) }
}
