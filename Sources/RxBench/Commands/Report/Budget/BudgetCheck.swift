import RxBenchEngine

/// The comparison of a result with budgets, entry by entry.
package struct BudgetCheck: Sendable, Equatable, Encodable {
    /// An entry's outcome.
    package enum Verdict: String, Sendable, Encodable {
        /// The count is within the entry, or it is over the entry, which is a regression.
        case within, over
        /// The entry was raised without a reason.
        case raised
        /// The result does not contain enough information to judge the entry.
        case unjudged
    }

    /// The check of one entry.
    package struct Row: Sendable, Equatable, Encodable {
        /// The benchmark.
        package let id: String
        /// The metric.
        package let metric: String
        /// The number of operations that an iteration of the benchmark performs.
        package let operations: Int
        /// The largest permitted count of an iteration.
        package let atMost: Double
        /// The measured count of an iteration.
        package let measured: Double?
        /// The entry's outcome.
        package let verdict: Verdict
        /// The reason for the verdict, if the verdict alone does not explain it.
        package let note: String?
    }

    /// All entries, sorted by ID.
    package let rows: [Row]
    /// The IDs of benchmarks that were measured and have no entry.
    package let unbudgeted: [String]
    /// The reasons why benchmarks failed, by ID.
    package let failed: [String: String]
    /// A description of the number of entries that the run's filter left out. These entries have no row.
    package let unmeasured: String?
    /// The number of entries that the run's filter left out, or 0 if the check covers only the selected benchmarks.
    package let filtered: Int
    /// The number of entries that could be lower.
    package let lowerable: Int
    /// The metrics whose entries were judged, by benchmark.
    private let judged: [String: Set<String>]

    private enum CodingKeys: CodingKey { case rows, unbudgeted, failed, unmeasured, lowerable }

    /// Checks `result` against `budgets`.
    ///
    /// - Parameters:
    ///   - earlier: The budgets that were in force before. An entry above its earlier value needs a reason.
    ///   - known: The IDs of all benchmarks that the tool has.
    ///   - isOfPart: Whether the check covers only the benchmarks that the result's filter selects.
    package init(
        _ result: RunResult, against budgets: Budgets, earlier: Budgets? = nil, known: Set<String>,
        isOfPart: Bool = false
    ) {
        let measured = Dictionary(result.benchmarks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let obstacle = Self.obstacleToInstructions(budgets.conditions, Budgets.Conditions(result.environment))
        var rows: [Row] = []
        var lowerable = 0
        var left = 0
        for (id, entries) in budgets.benchmarks.sorted(by: { $0.key < $1.key }) {
            // Tags need not be checked here: a benchmark that a filter selects by its tags would have been measured.
            if measured[id] == nil, known.contains(id), result.run.leavesOut(id, tags: []) {
                left += entries.entries.count
                continue
            }
            for (metric, entry) in entries.entries.sorted(by: { $0.key < $1.key }) {
                let before = earlier?.benchmarks[id].flatMap {
                    $0.operations == entries.operations ? $0.entries[metric] : nil
                }
                let row: Row
                if let problem = Self.missingReason(entry, before: before, metric: metric) {
                    row = Row(
                        id: id, metric: metric, operations: entries.operations, atMost: entry.atMost, measured: nil,
                        verdict: .raised, note: problem)
                } else {
                    row = Self.judge(
                        id, metric, entry, entries.operations, measured[id], isKnown: known.contains(id),
                        obstacle: metric == Metric.instructions ? obstacle : nil)
                }
                if row.verdict == .within, let count = row.measured,
                    Budgets.isMore(entry.atMost, than: count, of: metric)
                {
                    lowerable += 1
                }
                rows.append(row)
            }
        }
        self.rows = rows
        unmeasured =
            left == 0
            ? nil
            : """
            \(Figures.counted(left, "budget")) not measured (filter: \(result.run.filterInWords))\
            \(isOfPart ? "" : "; to hold the rest alone, add \(result.run.filterOption)")
            """
        filtered = isOfPart ? 0 : left
        self.lowerable = lowerable
        judged = Dictionary(grouping: rows.filter { $0.verdict != .unjudged }, by: \.id).mapValues {
            Set($0.map(\.metric))
        }
        unbudgeted = result.benchmarks.filter { $0.failure == nil && budgets.benchmarks[$0.id] == nil }.map(\.id)
        failed = Dictionary(
            result.benchmarks.compactMap { benchmark in benchmark.failure.map { (benchmark.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether any entry has the verdict.
    package func has(_ verdict: Verdict) -> Bool { rows.contains { $0.verdict == verdict } }

    /// Returns whether a budget decides about `row` of a comparison. This is the case if the budget of the row's metric
    /// was judged. Allocated bytes are decided by the budget for allocations.
    package func decides(_ row: ResultComparison.Row) -> Bool {
        judged[row.id]?.contains(row.metric == Metric.allocatedBytes ? Metric.allocations : row.metric) ?? false
    }

    /// Returns whether a budget of the benchmark was judged.
    package func judges(_ id: String) -> Bool { judged[id] != nil }

    /// Returns the reason why `result` cannot be checked against `budgets` at all, as a clause, or `nil` if it can.
    package static func obstacle(_ result: RunResult, _ budgets: Budgets) -> String? {
        let (set, now) = (budgets.conditions, Budgets.Conditions(result.environment))
        if set.configuration != now.configuration {
            return "the budgets are of a \(set.configuration) build, and the result is of a \(now.configuration) one"
        }
        func tracing(_ isOn: Bool) -> String { isOn ? "with" : "without" }
        return set.isTracing == now.isTracing
            ? nil
            : "the budgets were counted \(tracing(set.isTracing)) tracing, and the result \(tracing(now.isTracing))"
    }

    /// Returns the reason why the instruction counts of the result cannot be checked against the budgets. Compilers and
    /// libraries change instruction counts, but hardly change allocation counts.
    static func obstacleToInstructions(_ set: Budgets.Conditions, _ now: Budgets.Conditions) -> String? {
        for (what, old, new) in [
            ("architecture", set.architecture, now.architecture),
            ("operating system", set.operatingSystem, now.operatingSystem),
            ("compiler", set.swiftVersion, now.swiftVersion), ("jemalloc", set.jemalloc, now.jemalloc),
        ] where old != new {
            return
                """
                The \(what) is another one than the budgets' ('\(new)' and '\(old)'); set the instructions again with \
                '--update-budget'.
                """
        }
        return nil
    }

    private static func missingReason(_ entry: Budgets.Entry, before: Budgets.Entry?, metric: String) -> String? {
        guard !entry.hasReason else { return nil }
        if let old = entry.raisedFrom, entry.atMost > old {
            return "It was raised from \(Figures.count(old)) an iteration without a reason; write one beside it."
        }
        guard let old = before?.atMost, entry.atMost > old else { return nil }
        return
            """
            It is above the earlier \(Figures.count(old)) an iteration without a reason; write '{\"atMost\": \
            \(Figures.count(entry.atMost)), \"reason\": \"…\"}'.
            """
    }

    private static func judge(
        _ id: String, _ metric: String, _ entry: Budgets.Entry, _ operations: Int, _ result: BenchmarkResult?,
        isKnown: Bool, obstacle: String?
    ) -> Row {
        func row(_ measured: Double?, _ verdict: Verdict, _ note: String? = nil) -> Row {
            Row(
                id: id, metric: metric, operations: operations, atMost: entry.atMost, measured: measured,
                verdict: verdict, note: note)
        }
        guard let result else {
            return row(
                nil, .unjudged,
                isKnown ? "It was not measured." : "There is no such benchmark any more; '--update-budget' removes it.")
        }
        if let failure = result.failure { return row(nil, .unjudged, "It failed: \(failure)") }
        if result.operations != operations {
            return row(
                nil, .unjudged,
                """
                An iteration performs \(Figures.counted(result.operations, "operation")) instead of \(operations); \
                set it again with '--update-budget'.
                """
            )
        }
        guard let figure = result.metric(metric) else { return row(nil, .unjudged, "The result lacks it.") }
        guard case .value(let value) = figure.reading else {
            if case .unavailable(let reason) = figure.reading { return row(nil, .unjudged, "Unavailable: \(reason).") }
            return row(nil, .unjudged)
        }
        if let obstacle { return row(value, .unjudged, obstacle) }
        // If a count varies, it is over only if every iteration is above the limit. If several threads work, the limit
        // includes a slack.
        let limit = entry.atMost + Budgets.slack(figure, entry.atMost)
        return row(
            value, Budgets.isMore(figure.values.min() ?? value, than: limit, of: metric) ? .over : .within)
    }
}

extension Budgets {
    /// Returns the form in which reports show an entry. An entry is a count per iteration.
    static func shown(_ metric: String, operations: Int) -> ShownMetric {
        ShownMetric(metric, unit: "count/iteration", operations: operations)
    }

    /// Returns whether one count of `metric` exceeds another by more than unchanged code does.
    static func isMore(_ count: Double, than other: Double, of metric: String) -> Bool {
        metric == Metric.instructions ? Metric.isMore(count, than: other) : count > other
    }
}
