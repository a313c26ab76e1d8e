import RxBench
import RxBenchEngine

/// The check of a result against its budgets: the entries of a file, and the limits on counts in definitions that the
/// file does not override.
package struct BudgetCheck: Sendable, Equatable, Encodable {
    /// The check of one budget.
    package struct Row: Sendable, Equatable {
        /// The benchmark.
        package let id: String
        /// The number of operations that an iteration of the benchmark performs.
        package let operations: Int
        /// The limited quantity.
        package let quantity: Limit.Quantity
        /// The largest permitted value.
        package let maximum: Double
        /// The place where the budget is stated.
        package let source: LimitCheck.Source
        /// The measured value.
        package let measured: Double?
        /// The position of the measured value relative to the budget.
        package let verdict: ComparisonVerdict
        /// The reason why the budget was not judged.
        package let obstacle: Obstacle?
        /// The increase of the entry that has no reason.
        package let unexplained: UnexplainedRise?

        /// Whether the budget ends the command with an error: it is exceeded, or was raised without a reason.
        package var isBroken: Bool { verdict == .worse || unexplained != nil }
    }

    /// The reasons why a budget was not judged.
    package enum Obstacle: Sendable, Hashable {
        /// The benchmark exists, but was not measured.
        case notMeasured
        /// The benchmark no longer exists.
        case noBenchmark
        /// The benchmark failed, with the given message.
        case failed(String)
        /// An iteration now performs the first number of operations instead of the second.
        case operations(Int, insteadOf: Int)
        /// The result does not contain the metric, or its value is unavailable for the given reason.
        case unavailable(String?)
        /// The instructions were counted under conditions that change them.
        case conditions(DifferentCondition)
    }

    /// An increase of an entry that has no reason.
    package enum UnexplainedRise: Sendable, Hashable {
        /// The file states the previous value of the entry.
        case beside(previous: Double)
        /// The file of the earlier commit has a lower entry.
        case sinceCommit(previous: Double)
    }

    /// All checks, sorted by ID.
    package let rows: [Row]
    /// The IDs of benchmarks that were measured and have no budget.
    package let unbudgeted: [String]
    /// The reasons why benchmarks failed, by ID.
    package let failed: [String: String]
    /// The entries that the run's filter left out; `nil` if there are none. These entries have no row.
    package let unmeasured: Unmeasured?
    /// Whether the check covers only the benchmarks that the run's filter selects.
    package let isOfPart: Bool
    /// The metrics whose budgets were judged, by benchmark.
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
        let condition = DifferentCondition(budgets.conditions, Budgets.Conditions(result.environment))
        var rows: [Row] = []
        var left = 0
        for (id, entries) in budgets.benchmarks.sorted(by: { $0.key < $1.key }) {
            // Tags need not be checked here: a benchmark that a filter selects by its tags would have been measured.
            if measured[id] == nil, known.contains(id), result.run.leavesOut(id, tags: []) {
                left += entries.entries.count
                continue
            }
            for (metric, entry) in entries.entries.sorted(by: { $0.key < $1.key }) {
                guard let quantity = Budgets.quantity(metric) else { continue }
                let before = earlier?.benchmarks[id].flatMap {
                    $0.operations == entries.operations ? $0.entries[metric] : nil
                }
                rows.append(
                    Row(
                        id, quantity, entry, operations: entries.operations,
                        unexplained: UnexplainedRise(entry, before: before),
                        result: measured[id], isKnown: known.contains(id),
                        condition: quantity == .instructionsPerIteration ? condition : nil))
            }
        }
        let entered = Dictionary(grouping: rows, by: \.id).mapValues { Set($0.map(\.quantity)) }
        for benchmark in result.benchmarks {
            rows += benchmark.checks.filter { check in
                check.decides && (check.source == .definition || check.isOverBudget)
                    && entered[benchmark.id]?.contains(check.quantity) != true
            }.map { Row(benchmark, $0) }
        }
        self.rows = rows.sorted { $0.id < $1.id }
        unmeasured = Unmeasured(left, of: result.run)
        self.isOfPart = isOfPart
        judged = Dictionary(grouping: rows.filter { $0.verdict != .notJudged }, by: \.id).mapValues {
            Set($0.map(\.quantity.metricName))
        }
        let budgeted = Set(rows.filter { $0.source != .standard }.map(\.id))
        unbudgeted = result.benchmarks.filter { $0.failure == nil && !budgeted.contains($0.id) }.map(\.id)
        failed = Dictionary(
            result.benchmarks.compactMap { benchmark in benchmark.failure.map { (benchmark.id, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The number of entries that are still to be measured, or 0 if the check covers only the selected benchmarks.
    package var filtered: Int { isOfPart ? 0 : unmeasured?.count ?? 0 }

    /// The number of entries of the file that could be lower.
    package var lowerable: Int { rows.count { $0.source == .file && $0.verdict == .better && !$0.isBroken } }

    /// Whether any budget was not judged, or has no verdict yet.
    package var hasUnjudged: Bool {
        rows.contains { !$0.isBroken && ($0.verdict == .notJudged || $0.verdict == .inconclusive) }
    }

    /// Whether any budget is exceeded or was raised without a reason.
    package var isBroken: Bool { rows.contains(where: \.isBroken) }

    /// Returns whether a budget decides about `row` of a comparison. This is the case if the budget of the row's metric
    /// was judged. Allocated bytes are decided by the budget for allocations.
    package func decides(_ row: ResultComparison.Row) -> Bool {
        judged[row.id]?.contains(row.metric == Metric.allocatedBytes ? Metric.allocations : row.metric) ?? false
    }

    /// Returns whether a budget of the benchmark was judged.
    package func judges(_ id: String) -> Bool { judged[id] != nil }

    /// Encodes the rows and the counts.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(rows, forKey: .rows)
        try container.encode(unbudgeted, forKey: .unbudgeted)
        try container.encode(failed, forKey: .failed)
        try container.encodeIfPresent(unmeasured, forKey: .unmeasured)
        try container.encode(lowerable, forKey: .lowerable)
    }
}

extension BudgetCheck.Row {
    /// Checks an entry of a file.
    fileprivate init(
        _ id: String, _ quantity: Limit.Quantity, _ entry: Budgets.Entry, operations: Int,
        unexplained: BudgetCheck.UnexplainedRise?, result: BenchmarkResult?, isKnown: Bool,
        condition: DifferentCondition?
    ) {
        self.id = id
        self.operations = operations
        self.quantity = quantity
        maximum = entry.atMost
        source = .file
        self.unexplained = unexplained
        let check = result.flatMap { result in
            LimitCheck(
                Limit(quantity, atMost: entry.atMost), from: .file, operations: result.operations, result.metrics,
                isOptimised: true)
        }
        let obstacle = BudgetCheck.Obstacle(result, check, operations: operations, isKnown: isKnown, condition)
        self.obstacle = obstacle
        let isMeasured = obstacle.map { if case .conditions = $0 { true } else { false } } ?? true
        measured = isMeasured ? check?.reading.value : nil
        verdict = obstacle == nil ? check?.verdict ?? .notJudged : .notJudged
    }

    /// Takes over the check of a limit that the definition states.
    fileprivate init(_ benchmark: BenchmarkResult, _ check: LimitCheck) {
        id = benchmark.id
        operations = benchmark.operations
        quantity = check.quantity
        maximum = check.maximum
        source = check.source
        measured = check.reading.value
        verdict = check.verdict
        if case .unavailable(let reason) = check.reading { obstacle = .unavailable(reason) } else { obstacle = nil }
        unexplained = nil
    }
}

extension BudgetCheck.Obstacle {
    /// Creates the reason why an entry cannot be judged. Returns `nil` if it can.
    fileprivate init?(
        _ result: BenchmarkResult?, _ check: LimitCheck?, operations: Int, isKnown: Bool,
        _ condition: DifferentCondition?
    ) {
        guard let result, let check else {
            self = isKnown ? .notMeasured : .noBenchmark
            return
        }
        if let failure = result.failure {
            self = .failed(failure)
        } else if result.operations != operations {
            self = .operations(result.operations, insteadOf: operations)
        } else if result.metric(check.quantity.metricName) == nil {
            self = .unavailable(nil)
        } else if case .unavailable(let reason) = check.reading {
            self = .unavailable(reason)
        } else if let condition {
            self = .conditions(condition)
        } else {
            return nil
        }
    }
}

extension BudgetCheck.UnexplainedRise {
    /// Returns `nil` if the entry did not rise, or has a reason.
    fileprivate init?(_ entry: Budgets.Entry, before: Budgets.Entry?) {
        guard !entry.hasReason else { return nil }
        if let old = entry.raisedFrom, entry.atMost > old {
            self = .beside(previous: old)
        } else if let old = before?.atMost, entry.atMost > old {
            self = .sinceCommit(previous: old)
        } else {
            return nil
        }
    }
}

/// A condition that differs between a result and its budgets, and that changes the number of instructions. Compilers
/// and libraries hardly change the number of allocations.
package enum DifferentCondition: Sendable, Hashable {
    case architecture(now: String, before: String)
    case operatingSystem(now: String, before: String)
    case compiler(now: String, before: String)
    case jemalloc(now: String, before: String)

    /// Returns the first condition that differs, or `nil`.
    init?(_ before: Budgets.Conditions, _ now: Budgets.Conditions) {
        if before.architecture != now.architecture {
            self = .architecture(now: now.architecture, before: before.architecture)
        } else if before.operatingSystem != now.operatingSystem {
            self = .operatingSystem(now: now.operatingSystem, before: before.operatingSystem)
        } else if before.swiftVersion != now.swiftVersion {
            self = .compiler(now: now.swiftVersion, before: before.swiftVersion)
        } else if before.jemalloc != now.jemalloc {
            self = .jemalloc(now: now.jemalloc, before: before.jemalloc)
        } else {
            return nil
        }
    }
}

extension BudgetCheck.Row: Encodable {
    private enum CodingKeys: CodingKey {
        case id, metric, operations, quantity, atMost, source, measured, verdict, note
    }

    /// Encodes the check. The reason why it was not judged is a sentence.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(quantity.metricName, forKey: .metric)
        try container.encode(operations, forKey: .operations)
        try container.encode(quantity, forKey: .quantity)
        try container.encode(maximum, forKey: .atMost)
        try container.encode(source, forKey: .source)
        try container.encodeIfPresent(measured, forKey: .measured)
        try container.encode(verdict, forKey: .verdict)
        try container.encodeIfPresent(note, forKey: .note)
    }
}

extension Budgets {
    /// Returns the reason why `result` cannot be checked against the budgets at all, as a clause, or `nil` if it can.
    package func obstacle(_ result: RunResult) -> String? {
        let now = Conditions(result.environment)
        if conditions.configuration != now.configuration {
            return """
                the budgets are of a \(conditions.configuration) build, and the result is of a \(now.configuration) one
                """
        }
        func tracing(_ isOn: Bool) -> String { isOn ? "with" : "without" }
        return conditions.isTracing == now.isTracing
            ? nil
            : """
            the budgets were counted \(tracing(conditions.isTracing)) tracing, and the result \
            \(tracing(now.isTracing))
            """
    }

    /// The quantities that can have an entry.
    private static let quantities: [Limit.Quantity] = [
        .allocationsPerIteration, .objectsPerIteration, .instructionsPerIteration,
    ]

    /// The metrics that can have an entry.
    package static let metrics = quantities.map(\.metricName)

    /// Returns the quantity of an entry for a metric, or `nil` if the metric has no entries.
    static func quantity(_ metric: String) -> Limit.Quantity? { quantities.first { $0.metricName == metric } }
}
