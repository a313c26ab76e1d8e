import RxBench

/// Describes a check of budgets, or an update of them, in a table and sentences.
package struct BudgetReport: Sendable {
    private let check: BudgetCheck

    /// Creates a report of `check`.
    package init(_ check: BudgetCheck) { self.check = check }

    /// Returns a table of the entries that are over budget or were raised without a reason. If `isComplete` is true,
    /// the table contains all entries.
    package func table(isComplete: Bool) -> TextTable {
        var table = TextTable([
            ("budget", .left), ("metric", .left), ("at most", .right), ("measured", .right), ("verdict", .left),
        ])
        for row in check.rows where isComplete || row.verdict == .over || row.verdict == .raised {
            let shown = Budgets.shown(row.metric, operations: row.operations)
            let figures = shown.texts(row.atMost, row.measured ?? row.atMost)
            table.add([
                row.id, ShownMetric.title(row.metric), figures.before,
                row.measured == nil ? RunReport.missing : figures.after,
                row.verdict == .over
                    ? "over budget" : row.verdict == .raised ? "raised without a reason" : row.verdict.rawValue,
            ])
        }
        return table
    }

    /// The notes on the entries, each listed once, and suggested actions.
    package var notes: [String] {
        var places: [String: [String]] = [:]
        for row in check.rows {
            if let note = row.note { places[note, default: []].append("\(row.id) \(ShownMetric.title(row.metric))") }
        }
        var notes = places.sorted { $0.key < $1.key }.map { note, places in
            places.count > 3 ? "\(places.count) budgets: \(note)" : "\(places.joined(separator: ", ")): \(note)"
        }
        if let unmeasured = check.unmeasured { notes.insert("\(unmeasured).", at: 0) }
        let budgeted = Set(check.rows.map(\.id))
        notes += check.failed.filter { !budgeted.contains($0.key) }.sorted { $0.key < $1.key }.map {
            "\($0.key): It failed: \($0.value)"
        }
        if check.lowerable > 0 {
            notes.append(
                """
                \(Figures.counted(check.lowerable, "budget")) could be lower; '--update-budget' lowers \
                \(check.lowerable == 1 ? "it" : "them").
                """
            )
        }
        if !check.unbudgeted.isEmpty {
            let count = check.unbudgeted.count
            let names = check.unbudgeted.prefix(3).joined(separator: ", ") + (count > 3 ? ", …" : "")
            notes.append(
                """
                \(Figures.counted(count, "benchmark")) \(count == 1 ? "has" : "have") no budget (\(names)); \
                '--update-budget' adds \(count == 1 ? "it" : "them").
                """
            )
        }
        return notes
    }

    /// A sentence that summarises the check, with the most serious finding first.
    package var verdict: String {
        func count(_ verdict: BudgetCheck.Verdict) -> Int { check.rows.count { $0.verdict == verdict } }
        let clauses = [
            (count(.over), "over budget"), (count(.raised), "raised without a reason"), (check.failed.count, "failed"),
            (count(.unjudged), "not judged"), (check.filtered, "not measured"),
            (count(.within), "within"), (check.unbudgeted.count, "without a budget"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !clauses.isEmpty else { return "No budgets to check." }
        let head =
            check.has(.over) || check.has(.raised)
            ? "Over budget"
            : !check.failed.isEmpty
                ? "Failed"
                : check.has(.unjudged) || check.filtered > 0
                    ? "Not all budgets were judged"
                    : !check.unbudgeted.isEmpty ? "Not every benchmark has a budget" : "Within budget"
        return "\(head): \(clauses.joined(separator: ", "))."
    }

    /// Returns a table and a sentence that describe the effects of an update.
    package static func describe(
        _ updates: [Budgets.Update], in budgets: Budgets
    ) -> (table: TextTable, verdict: String) {
        var table = TextTable([("budget", .left), ("metric", .left), ("before", .right), ("now", .right), ("", .left)])
        var counts: [Budgets.Change.Kind: Int] = [:]
        for update in updates {
            let entries = budgets.benchmarks[update.id]
            let shown = Budgets.shown(update.metric, operations: entries?.operations ?? 1)
            let now = entries?.entries[update.metric]?.atMost
            func figures(_ other: Double) -> (before: String, after: String) { shown.texts(other, now ?? other) }
            let (before, after, word): (String, String, String) =
                switch update.change {
                case .added: ("", now.map(shown.text) ?? "", "added")
                case .lowered(let old): (figures(old).before, figures(old).after, "lowered")
                case .raised(let old): (figures(old).before, figures(old).after, "raised")
                case .refused(let measured):
                    (
                        figures(measured).after, figures(measured).after,
                        "kept, although \(figures(measured).before) were counted"
                    )
                case .removed: ("", "", "removed")
                }
            counts[update.change.kind, default: 0] += 1
            if update.change.kind != .added {
                table.add([update.id, ShownMetric.title(update.metric), before, after, word])
            }
        }
        let clauses = Budgets.Change.Kind.allCases.compactMap { kind in
            counts[kind].map { "\($0) \(kind)" }
        }
        guard !clauses.isEmpty else { return (table, "Every budget is as it was.") }
        let remedy = counts[.kept] == nil ? "" : " What was kept is exceeded: give '--reason' to raise it."
        return (table, "Budgets: \(clauses.joined(separator: ", ")).\(remedy)")
    }
}
