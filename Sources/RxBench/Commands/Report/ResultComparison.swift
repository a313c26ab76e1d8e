import RxBench
import RxBenchEngine

/// A comparison of two runs, metric by metric. Exact metrics are compared for equality. Sampled metrics are compared by
/// the interval of the ratio of their process medians.
package struct ResultComparison: Sendable, Equatable, Encodable {
    /// The reasons why a metric was not judged.
    package enum Obstacle: String, Sendable, Encodable {
        /// The benchmark failed in the second run, whether or not the first run has it.
        case failed
        /// Only the second run has the benchmark.
        case added
        /// Only the first run has the benchmark.
        case removed
        /// One of the runs has no figure, or a figure of different work.
        case noFigure
        /// The state of the machine differed between the two runs, so the times were not compared.
        case machine
    }

    /// The comparison of one metric of one benchmark.
    package struct Row: Sendable, Equatable, Encodable {
        /// The benchmark.
        package let id: String
        /// The metric.
        package let metric: String
        /// The unit of stored figures, which may differ from the unit in reports.
        package let unit: MetricUnit
        /// The number of operations that an iteration of the benchmark performs, or `nil` if the row describes a whole
        /// benchmark.
        package let operations: Int?
        /// The first run's figure in the stored unit.
        package let before: Double?
        /// The second run's figure in the stored unit.
        package let after: Double?
        /// The estimated ratio of a sampled metric.
        package let ratio: Double?
        /// The confidence interval of ``ratio``.
        package let interval: Metric.Interval?
        /// The metric's verdict. An exact metric is the same if it is equal or if each run's own counts vary as much. A
        /// sampled metric is the same if it differs by less than the margin.
        package let verdict: ComparisonVerdict
        /// The reason why the metric was not judged.
        package let obstacle: Obstacle?
        /// The reason for the verdict, if the verdict alone does not explain it.
        package let note: String?

        /// Whether the first run has a benchmark or a figure that the second run lacks, so that it could not be judged.
        package var hasLostItsFigure: Bool {
            switch obstacle {
            case .removed: true
            case .noFigure: metric.isEmpty || (before != nil && after == nil)
            case .failed, .added, .machine, nil: false
            }
        }
    }

    /// The rules that decide about differences.
    package struct Rules: Sendable, Equatable, Encodable {
        /// The probability of finding a difference in any of several equal benchmarks. Each benchmark is tested at this
        /// level divided by the number of benchmarks.
        package var significance: Double
        /// The relative difference of a sampled metric below which it does not matter.
        package var margin: Double
        /// Whether only exact metrics are compared.
        package var isExactOnly: Bool

        /// Whether sampled metrics can cause a regression. If not, they are only shown.
        package var gatesTime: Bool

        /// Creates rules, by default with the standard values.
        package init(
            significance: Double = 0.05, margin: Double = 0.05, isExactOnly: Bool = false, gatesTime: Bool = false
        ) {
            self.significance = significance
            self.margin = margin
            self.isExactOnly = isExactOnly
            self.gatesTime = gatesTime
        }
    }

    /// The compared metrics, in the order of the second run.
    package let rows: [Row]
    /// The rules that were applied.
    package let rules: Rules
    /// The ratio of the control loop's times in the two runs. The control loop always does the same work. The ratio is
    /// 1 if a run has no control loop.
    package let drift: Double
    /// Whether both runs have a control loop.
    package let isDriftKnown: Bool
    /// The reason why the times of the runs were not compared, or `nil` if they were.
    package let unsettledMachine: UnsettledMachine?
    /// The benchmarks that only the first run has because the filter of the second run left them out. These benchmarks
    /// have no row.
    package let unmeasured: Unmeasured?
    /// The benchmarks that only the second run has because the filter of the first run left them out.
    package let unmeasuredBefore: Unmeasured?
    /// The IDs of the benchmarks in ``unmeasured`` and ``unmeasuredBefore``.
    package let filtered: [String]
    /// The benchmarks of both runs for which no figure that may decide the exit code could be compared.
    package let unjudged: [String]
    /// The change of time that would be detected in half of the benchmarks, with 1 % false alarms and 80 % power, given
    /// the scatter of their processes. It is `nil` if the scatter is not known for any benchmark.
    package let detectable: Double?

    /// Compares `before` with `after`.
    package init(_ before: RunResult, _ after: RunResult, rules: Rules = Rules()) {
        let drift = Self.drift(before.control, after.control)
        let unsettledMachine = UnsettledMachine(before, after, margin: rules.margin)
        let old = Dictionary(before.benchmarks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Set(after.benchmarks.map(\.id))
        let shared = after.benchmarks.count { old[$0.id] != nil }
        let comparer = MetricComparer(
            rules: rules, drift: drift, significance: rules.significance / Double(max(shared, 1)),
            unsettledMachine: unsettledMachine)
        let notBefore = after.benchmarks.filter { old[$0.id] == nil && before.run.leavesOut($0.id, tags: $0.tags) }
        let notAfter = before.benchmarks.filter { !new.contains($0.id) && after.run.leavesOut($0.id, tags: $0.tags) }
        let filtered = (notBefore + notAfter).map(\.id)
        let isFiltered = Set(filtered).contains
        var rows = after.benchmarks.filter { $0.failure != nil || !isFiltered($0.id) }.flatMap { benchmark in
            guard let old = old[benchmark.id] else {
                return [
                    benchmark.failure.map { Self.whole(benchmark.id, .failed, note: $0) }
                        ?? Self.whole(benchmark.id, .added)
                ]
            }
            return comparer.rows(old, benchmark)
        }
        rows += before.benchmarks.filter { !new.contains($0.id) && !isFiltered($0.id) }.map {
            Self.whole($0.id, .removed)
        }
        // The number of live resources does not describe the work that was done, so it does not count.
        let judged = Set(
            rows.filter { row in
                if row.metric.isEmpty { return true }
                return row.metric != Metric.liveResources && Self.mayGate(row, rules) && row.before != nil
                    && row.after != nil
            }
            .map(\.id))
        unjudged = after.benchmarks.map(\.id).filter { old[$0] != nil && !judged.contains($0) }
        self.rows = rows
        self.rules = rules
        self.unsettledMachine = unsettledMachine
        unmeasured = Unmeasured(notAfter.count, of: after.run)
        unmeasuredBefore = Unmeasured(notBefore.count, of: before.run)
        self.filtered = filtered
        self.drift = drift
        isDriftKnown = before.control.reading.value != nil && after.control.reading.value != nil
        detectable = rules.isExactOnly ? nil : Self.detectable(old, after.benchmarks)
    }

    private static func detectable(_ before: [String: BenchmarkResult], _ after: [BenchmarkResult]) -> Double? {
        func effect(_ benchmark: BenchmarkResult?) -> Double? {
            guard let time = benchmark?.metric(Metric.time), time.kind == .sampled, time.reading.value != nil else {
                return nil
            }
            return DetectableEffect.relative(ofProcessMedians: time.values).flatMap { $0.isFinite ? $0 : nil }
        }
        // The run with the larger effect limits what two runs can detect.
        let effects = after.compactMap { benchmark -> Double? in
            guard let first = effect(before[benchmark.id]), let second = effect(benchmark) else { return nil }
            return max(first, second)
        }
        return Quantiles.median(of: effects)
    }

    /// The findings on the benchmarks, in the order of the rows.
    package var findings: [Finding] {
        var ids: [String] = []
        let groups = Dictionary(grouping: rows, by: \.id)
        for row in rows where ids.last != row.id { ids.append(row.id) }
        return ids.map { Finding(id: $0, outcome: outcome(groups[$0] ?? [])) }
            + unjudged.filter { groups[$0] == nil }.map { Finding(id: $0, outcome: .notJudged(.noFigure)) }
            + filtered.filter { groups[$0] == nil }.map { Finding(id: $0, outcome: .notJudged(.filtered)) }
    }

    private func outcome(_ rows: [Row]) -> Finding.Outcome {
        func changes(_ verdict: ComparisonVerdict) -> [Finding.Change] {
            rows.filter { $0.verdict == verdict }.compactMap(\.change)
        }
        if rows.contains(where: { $0.obstacle == .failed }) { return .failed }
        if rows.contains(where: { $0.obstacle == .removed }) { return .notJudged(.missing) }
        if rows.contains(where: { $0.obstacle == .added }) { return .added }
        let worse = changes(.worse)
        if !worse.isEmpty { return .worse(worse) }
        if rows.contains(where: \.hasLostItsFigure) { return .notJudged(.lostCount) }
        if rows.contains(where: { gates($0) && $0.obstacle == .machine }) { return .notJudged(.machine) }
        if unjudged.contains(rows[0].id) { return .notJudged(.noFigure) }
        let open = rows.filter { gates($0) && $0.verdict == .inconclusive }
        if let ratio = open.compactMap(\.interval?.high).max() { return .inconclusive(.interval(high: ratio)) }
        if !open.isEmpty { return .inconclusive(.count) }
        let better = changes(.better)
        return better.isEmpty ? .same : .better(better)
    }

    /// Returns whether the verdict of `row` may decide the exit code.
    package func gates(_ row: Row) -> Bool { Self.mayGate(row, rules) }

    private static func mayGate(_ row: Row, _ rules: Rules) -> Bool {
        rules.gatesTime || !MetricComparer.sampledNames.contains(row.metric)
    }

    /// Returns the reasons why the runs must not be compared, as clauses. The list is empty if they can be compared.
    package static func obstacles(_ before: RunResult, _ after: RunResult) -> [String] {
        func differ(_ what: String, _ a: String, _ b: String) -> String? {
            a == b ? nil : "\(what) differs ('\(a)' and '\(b)')"
        }
        let first = before.environment
        let second = after.environment
        return [
            differ("the machine", first.machine, second.machine),
            differ("the configuration", first.configuration, second.configuration),
            differ("tracing", first.isTracing ? "on" : "off", second.isTracing ? "on" : "off"),
            differ(
                """
                the allocator of the processes that measured time
                """, allocator(before, after), allocator(after, before)),
        ].compactMap { $0 }
    }

    /// Returns the allocator of a run's processes, or an empty string if either run measured no time.
    private static func allocator(_ result: RunResult, _ other: RunResult) -> String {
        let hasTimes = [result, other].allSatisfy { $0.run.processes > 0 }
        return hasTimes ? result.run.allocatorName : ""
    }

    /// Returns differences between the runs that may affect the figures although they are not in the code, as clauses.
    /// The runs are compared despite these differences.
    package static func reservations(_ before: RunResult, _ after: RunResult) -> [String] {
        func differ(_ what: String, _ a: Reading<String>, _ b: Reading<String>) -> String? {
            guard let a = a.value, let b = b.value, a != b else { return nil }
            return "\(what) differs ('\(a)' and '\(b)')"
        }
        return [
            differ("the compiler", before.environment.swiftVersion, after.environment.swiftVersion),
            differ("jemalloc", before.environment.jemalloc, after.environment.jemalloc),
        ].compactMap { $0 }
    }

    static func whole(_ id: String, _ obstacle: Obstacle, note: String? = nil) -> Row {
        Row(
            id: id, metric: "", unit: "", operations: nil, before: nil, after: nil, ratio: nil, interval: nil,
            verdict: .notJudged, obstacle: obstacle, note: note)
    }

    /// Whether a time was compared, so that the drift of the control loop matters.
    package var hasTimes: Bool {
        rows.contains { MetricComparer.sampledNames.contains($0.metric) && $0.before != nil && $0.after != nil }
    }

    /// Whether benchmarks that are called the same have the same time, and not only the same counts.
    package var judgesTimes: Bool { rules.gatesTime && hasTimes && unsettledMachine == nil }

    /// A sentence that says how much the machine drifted between the runs.
    package var driftSentence: String {
        isDriftKnown
            ? "The control loop moved by \(Figures.change(ratio: drift))."
            : "Whether the machine moved is not known: a run without processes for time has no control loop."
    }

    private static func drift(_ before: Metric, _ after: Metric) -> Double {
        guard let old = before.reading.value, let new = after.reading.value, old > 0, new > 0 else { return 1 }
        return new / old
    }
}

/// The reasons why the times of two runs cannot be compared.
package enum UnsettledMachine: Sendable, Equatable, Encodable {
    /// The load of the machine differed before the two runs.
    case load(before: Double, after: Double)
    /// The control loop, whose work never changes, took a different time in the second run. The value is the ratio.
    case control(ratio: Double)
    /// The time of the control loop rose or fell during a run.
    case drift

    /// Creates the reason for two runs. Returns `nil` if the state of the machine was the same.
    init?(_ before: RunResult, _ after: RunResult, margin: Double) {
        let cores = Double(min(before.environment.cores, after.environment.cores))
        // 'run' warns about a load above half of the cores. Two runs under the same load differ less than an idle
        // machine differs from a busy one.
        if let first = before.environment.loadAverage.value, let second = after.environment.loadAverage.value,
            max(first, second) > cores / 2, (first - second).magnitude > cores / 4
        {
            self = .load(before: first, after: second)
        } else if let old = before.control.reading.value, let new = after.control.reading.value, old > 0, new > 0,
            max(new / old, old / new) > 1 + margin
        {
            self = .control(ratio: new / old)
        } else if [before, after].contains(where: { $0.control.scatter?.oddities.contains(.drift) == true }) {
            self = .drift
        } else {
            return nil
        }
    }

    /// A sentence that says what was not judged, and what to do about it.
    package var sentence: String {
        let reason =
            switch self {
            case .load(let before, let after):
                """
                the load of the machine was \(Figures.fixed(before, decimals: 2)) before the first run and \
                \(Figures.fixed(after, decimals: 2)) before the second
                """
            case .control(let ratio): "the control loop, which never changes, moved by \(Figures.change(ratio: ratio))"
            case .drift: "the control loop, which never changes, drifted during a run"
            }
        return "Not judged: no times, as \(reason). 'rxbench ab' compares times on a busy machine."
    }
}

extension ResultComparison.Row {
    /// The change, if both runs have a figure.
    fileprivate var change: Finding.Change? {
        if metric == Metric.time, let ratio { return .time(ratio: ratio, interval: interval, quantile: nil) }
        if metric == Metric.ratioToBaseline, let ratio {
            return .time(ratio: ratio, interval: interval, quantile: "its multiple of the baseline")
        }
        guard let before, let after, !metric.isEmpty else { return nil }
        return .count(metric: metric, unit: unit, operations: operations ?? 1, before: before, after: after)
    }
}

/// The number of benchmarks, or of their budgets, that the filter of a run left out.
package struct Unmeasured: Sendable, Equatable, Encodable {
    /// The number of benchmarks or budgets.
    package let count: Int
    /// The filters of the run.
    package let filters: [String]

    /// Creates the number for a run; `nil` if it is 0.
    init?(_ count: Int, of run: RunInformation) {
        if count == 0 { return nil }
        (self.count, filters) = (count, run.filters ?? [])
    }
}

extension Unmeasured {
    /// `not measured (filter: map)`.
    func words(in place: String = "") -> String { "not measured\(place) (filter: \(filters.joined(separator: " ")))" }

    /// The options with which `compare` selects what the run has measured.
    var option: String { "'\(filters.map { "--filter \($0)" }.joined(separator: " "))'" }
}
