import RxBench

/// The largest permitted counts of each benchmark: the content of `results/budgets.json`, which is kept with the code
/// and changes with it.
///
/// An entry may go down at any time. It may go up only with a reason: `{"atMost": 5, "raisedFrom": 4, "reason": "…"}`
/// instead of `4`.
package struct Budgets: Sendable, Equatable {
    /// The version of the format that this build writes and the newest that it reads.
    package static let currentSchemaVersion = 1
    /// The metrics that are budgeted.
    package static let metrics = [Metric.allocations, Metric.objects, Metric.instructions]

    /// Where the entries were counted.
    package var conditions: Conditions
    /// The counts that each benchmark may show, by ID.
    package var benchmarks: [String: Entries]

    /// The conditions that counts depend on besides the code.
    package struct Conditions: Codable, Sendable, Equatable {
        /// `release` or `debug`; empty when it is unknown.
        package let configuration: String
        /// Whether the measured code counted its resources.
        package let isTracing: Bool
        /// The processor's architecture.
        package let architecture: String
        /// The operating system's name and version.
        package let operatingSystem: String
        /// The compiler; empty when it is unknown.
        package let swiftVersion: String
        /// The version of jemalloc; empty when it is unknown.
        package let jemalloc: String

        /// The conditions of a run in `environment`.
        package init(_ environment: Environment) {
            configuration = environment.configuration
            isTracing = environment.isTracing
            architecture = environment.architecture
            operatingSystem = environment.operatingSystem
            swiftVersion = environment.swiftVersion.value ?? ""
            jemalloc = environment.jemalloc.value ?? ""
        }
    }

    /// The counts that one benchmark may show.
    package struct Entries: Sendable, Equatable {
        /// Operations per iteration when the entries were counted; an iteration with others cannot be held to them.
        package var operations: Int
        /// The entries, by metric.
        package var entries: [String: Entry]
    }

    /// The most that one metric may count.
    package struct Entry: Sendable, Equatable {
        /// The most, per iteration.
        package var atMost: Double
        /// The budget before it was raised; `nil` for an entry that never was.
        package var raisedFrom: Double?
        /// Why it was raised.
        package var reason: String?

        /// Whether the entry has a reason that is not blank.
        package var hasReason: Bool { reason?.contains { !$0.isWhitespace } ?? false }
    }

    /// Budgets without an entry.
    package init(conditions: Conditions, benchmarks: [String: Entries] = [:]) {
        self.conditions = conditions
        self.benchmarks = benchmarks
    }
}

/// Why budgets cannot be used.
package enum BudgetError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(String)
    /// The file contains no budgets; the fault, as a clause.
    case malformed(String, String)
    /// The file was written in a format that this build does not know.
    case newer(String, version: Int)

    /// One sentence with the remedy.
    package var description: String {
        switch self {
        case .unreadable(let name):
            """
            No budgets can be read at '\(name)'. Make them with 'rxbench compare latest --budget \(name) \
            --update-budget'.
            """
        case .malformed(let name, let problem):
            "'\(name)' holds no budgets: \(problem). Restore it, or make it again with '--update-budget'."
        case .newer(let name, let version):
            """
            '\(name)' has format version \(version); this build reads up to \(Budgets.currentSchemaVersion). Build \
            a newer rxbench to read it.
            """
        }
    }
}

extension Budgets {
    /// An update's effect on one entry.
    package enum Change: Sendable, Equatable {
        /// The entry is new.
        case added
        /// It is lower now.
        case lowered(from: Double)
        /// It is higher now, with the reason that was given.
        case raised(from: Double)
        /// The benchmark counts more than its entry, and no reason was given: the entry is as it was.
        case refused(measured: Double)
        /// Its benchmark is gone, and so is the entry.
        case removed

        /// An effect without its figures, in the order in which a summary counts them.
        enum Kind: CaseIterable { case kept, raised, lowered, added, removed }

        var kind: Kind {
            switch self {
            case .refused: .kept
            case .raised: .raised
            case .lowered: .lowered
            case .added: .added
            case .removed: .removed
            }
        }
    }

    /// An entry that an update changed or should have.
    package struct Update: Sendable, Equatable {
        /// The benchmark.
        package let id: String
        /// The metric.
        package let metric: String
        /// The effect.
        package let change: Change
    }

    /// Sets every entry to the count in `result`: lower and new entries always, higher ones only with a `reason`.
    ///
    /// If a count varies by itself, its entry is the lowest value; varying instructions get no entry. Entries of
    /// benchmarks that `known` does not contain are removed; entries of benchmarks that were not measured stay.
    /// Instructions that were counted with another compiler, system or allocator are replaced.
    package mutating func update(with result: RunResult, known: Set<String>, reason: String?) -> [Update] {
        var updates: [Update] = []
        let now = Conditions(result.environment)
        if BudgetCheck.obstacleToInstructions(conditions, now) != nil {
            for id in benchmarks.keys { benchmarks[id]?.entries[Metric.instructions] = nil }
        }
        conditions = now
        for (id, entries) in benchmarks where !known.contains(id) {
            benchmarks[id] = nil
            updates += entries.entries.keys.sorted().map { Update(id: id, metric: $0, change: .removed) }
        }
        for benchmark in result.benchmarks where benchmark.failure == nil {
            var entries =
                benchmarks[benchmark.id].flatMap { $0.operations == benchmark.operations ? $0 : nil }
                ?? Entries(operations: benchmark.operations, entries: [:])
            for metric in Self.metrics {
                guard let counted = benchmark.metric(metric), let count = Self.budgetable(counted),
                    let change = Self.set(&entries.entries[metric], to: count, of: counted, reason: reason)
                else { continue }
                updates.append(Update(id: benchmark.id, metric: metric, change: change))
            }
            benchmarks[benchmark.id] = entries.entries.isEmpty ? nil : entries
        }
        return updates
    }

    /// The count that a later run of the same code does not exceed in every process; `nil` if there is no such count.
    static func budgetable(_ metric: Metric) -> Double? {
        guard let value = metric.reading.value else { return nil }
        if metric.name == Metric.instructions {
            return metric.isSteady && metric.isThreaded != true ? value : nil
        }
        return metric.values.min() ?? value
    }

    /// How far a count of unchanged code may lie above its entry: not at all, unless several threads take part.
    ///
    /// Threads that contend for something allocate otherwise in each process. So twice the range of the count's own
    /// processes is added: over eight stored results, no unchanged benchmark of this package rose above its lowest.
    static func slack(_ metric: Metric, _ atMost: Double) -> Double {
        guard metric.isThreaded == true, let low = metric.values.min(), let high = metric.values.max() else { return 0 }
        return Metric.threadedSlack(atMost) + 2 * (high - low)
    }

    private static func set(_ entry: inout Entry?, to count: Double, of metric: Metric, reason: String?) -> Change? {
        guard let old = entry?.atMost else {
            entry = Entry(atMost: count)
            return .added
        }
        if isMore(count, than: old + slack(metric, old), of: metric.name) {
            guard let reason else { return .refused(measured: count) }
            entry = Entry(atMost: count, raisedFrom: old, reason: reason)
            return .raised(from: old)
        }
        guard isMore(old, than: count, of: metric.name) else { return nil }
        entry = Entry(atMost: count)
        return .lowered(from: old)
    }
}
