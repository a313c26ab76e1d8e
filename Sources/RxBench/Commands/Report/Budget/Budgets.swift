import RxBenchEngine

/// The largest permitted counts of each benchmark. They are stored in `results/budgets.json`, which is kept under
/// version control together with the code.
///
/// An entry may be lowered at any time. It may be raised only with a reason:
/// `{"atMost": 5, "raisedFrom": 4, "reason": "…"}` instead of `4`.
package struct Budgets: Sendable, Equatable {
    /// The version of the format that this build writes, and the newest version that it reads.
    package static let currentSchemaVersion = 1

    /// The conditions under which the entries were counted.
    package var conditions: Conditions
    /// The largest permitted counts of each benchmark, by ID.
    package var benchmarks: [String: Entries]

    /// The conditions, other than the code, that counts depend on.
    package struct Conditions: Codable, Sendable, Equatable {
        /// `release` or `debug`, or an empty string if the configuration is unknown.
        package let configuration: String
        /// Whether the measured code counted its resources.
        package let isTracing: Bool
        /// The processor's architecture.
        package let architecture: String
        /// The operating system's name and version.
        package let operatingSystem: String
        /// The compiler, or an empty string if it is unknown.
        package let swiftVersion: String
        /// The version of jemalloc, or an empty string if it is unknown.
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

    /// The largest permitted counts of one benchmark.
    package struct Entries: Sendable, Equatable {
        /// The number of operations per iteration when the entries were counted. An iteration with a different number
        /// of operations cannot be checked against the entries.
        package var operations: Int
        /// The entries, by metric.
        package var entries: [String: Entry]
    }

    /// The largest permitted count of one metric.
    package struct Entry: Sendable, Equatable {
        /// The largest permitted count per iteration.
        package var atMost: Double
        /// The budget before it was raised, or `nil` if it was never raised.
        package var raisedFrom: Double?
        /// The reason why the budget was raised.
        package var reason: String?

        /// Whether the entry has a reason that is not blank.
        package var hasReason: Bool { reason?.contains { !$0.isWhitespace } ?? false }
    }

    /// Creates budgets, by default without entries.
    package init(conditions: Conditions, benchmarks: [String: Entries] = [:]) {
        self.conditions = conditions
        self.benchmarks = benchmarks
    }
}

/// The reasons why budgets cannot be used.
package enum BudgetError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(String)
    /// The file does not contain budgets. The second value describes the fault in a clause.
    case malformed(String, String)
    /// The file was written in a format that this build does not know.
    case newer(String, version: Int)

    /// A sentence that describes the error and the remedy.
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
        /// The entry was lowered.
        case lowered(from: Double)
        /// The entry was raised, for the given reason.
        case raised(from: Double)
        /// The benchmark counts more than its entry, and no reason was given. The entry is unchanged.
        case refused(measured: Double)
        /// The benchmark no longer exists, and its entry was removed.
        case removed

        /// The kinds of changes, without figures, in the order in which a summary lists them.
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

    /// An entry that an update changed, or would have changed if a reason had been given.
    package struct Update: Sendable, Equatable {
        /// The benchmark.
        package let id: String
        /// The metric.
        package let metric: String
        /// The effect.
        package let change: Change
    }

    /// Sets every entry to the count in `result`. Entries are lowered and added in any case, but raised only with a
    /// `reason`.
    ///
    /// If a count varies by itself, its entry is set to the lowest value. Varying instruction counts get no entry.
    /// Entries of benchmarks that `known` does not contain are removed. Entries of benchmarks that were not measured
    /// are kept. Instruction counts from another compiler, system or allocator are replaced.
    package mutating func update(with result: RunResult, known: Set<String>, reason: String?) -> [Update] {
        var updates: [Update] = []
        let now = Conditions(result.environment)
        if DifferentCondition(conditions, now) != nil {
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

    /// Returns the count that no later run of the same code exceeds in every process, or `nil` if there is no such
    /// count.
    static func budgetable(_ metric: Metric) -> Double? {
        guard let value = metric.reading.value else { return nil }
        if metric.name == Metric.instructions {
            return metric.isSteady && metric.isThreaded != true ? value : nil
        }
        return metric.values.min() ?? value
    }

    private static func set(_ entry: inout Entry?, to count: Double, of metric: Metric, reason: String?) -> Change? {
        guard let old = entry?.atMost, let quantity = quantity(metric.name) else {
            entry = Entry(atMost: count)
            return .added
        }
        if quantity.isMore(count, than: old + LimitCheck.slack(metric, above: old)) {
            guard let reason else { return .refused(measured: count) }
            entry = Entry(atMost: count, raisedFrom: old, reason: reason)
            return .raised(from: old)
        }
        guard quantity.isMore(old, than: count) else { return nil }
        entry = Entry(atMost: count)
        return .lowered(from: old)
    }
}
