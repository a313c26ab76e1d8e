import RxBench

extension Budgets {
    /// An update's effect on one entry.
    package enum Change: Sendable, Equatable {
        /// There was none.
        case added
        /// It is lower now.
        case lowered(from: Double)
        /// It is higher now, with the reason that was given.
        case raised(from: Double)
        /// The benchmark counts more than its entry, and no reason was given: the entry is as it was.
        case refused(measured: Double)
        /// Its benchmark is gone, and so is the entry.
        case removed
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

    /// Sets every entry to what `result` counted: lower ones and new ones always, higher ones with a `reason` only.
    ///
    /// Counts that differ between iterations, and those of several threads, get no entry. Entries of benchmarks that
    /// `known` does not have are removed; those of benchmarks that were not measured stay. Instructions that were
    /// counted by another compiler, system or allocator are set anew.
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
                guard let count = Self.budgetable(benchmark.metric(metric)) else { continue }
                guard let change = Self.set(&entries.entries[metric], to: count, of: metric, reason: reason) else {
                    continue
                }
                updates.append(Update(id: benchmark.id, metric: metric, change: change))
            }
            benchmarks[benchmark.id] = entries.entries.isEmpty ? nil : entries
        }
        return updates
    }

    /// The count that a later run of the same code shows again; `nil` when there is none.
    static func budgetable(_ metric: Metric?) -> Double? {
        guard let metric, let value = metric.reading.value else { return nil }
        let isRepeatable = metric.name == Metric.instructions ? metric.isSteady : metric.isStable == true
        return isRepeatable && metric.isThreaded != true ? value : nil
    }

    private static func set(_ entry: inout Entry?, to count: Double, of metric: String, reason: String?) -> Change? {
        guard let old = entry?.atMost else {
            entry = Entry(atMost: count)
            return .added
        }
        if isMore(count, than: old, of: metric) {
            guard let reason else { return .refused(measured: count) }
            entry = Entry(atMost: count, raisedFrom: old, reason: reason)
            return .raised(from: old)
        }
        guard isMore(old, than: count, of: metric) else { return nil }
        entry = Entry(atMost: count)
        return .lowered(from: old)
    }
}
