import RxBench

/// Describes a check of budgets, or an update of them, in a table and sentences.
package struct BudgetReport: Sendable {
    private let check: BudgetCheck

    /// Creates a report of `check`.
    package init(_ check: BudgetCheck) { self.check = check }

    /// Returns a table of the budgets that are exceeded or were raised without a reason. If `isComplete` is true, the
    /// table contains all budgets.
    package func table(isComplete: Bool) -> TextTable {
        var table = TextTable([
            ("budget", .left), ("metric", .left), ("at most", .right), ("measured", .right), ("verdict", .left),
        ])
        for row in check.rows where isComplete || row.isBroken {
            let figures = Self.figures(row)
            let words =
                (row.isBroken && row.verdict != .worse ? [] : [row.verdict.rawValue])
                + (row.unexplained == nil ? [] : ["raised without a reason"])
            table.add([
                row.id, Self.title(row), figures.before, row.measured == nil ? RunReport.missing : figures.after,
                words.joined(separator: ", "),
            ])
        }
        return table
    }

    /// Returns the column title of the budgeted quantity. Entries of files are counts of an iteration. Like other
    /// counts, they are shown per operation.
    private static func title(_ row: BudgetCheck.Row) -> String {
        row.source == .file ? ShownMetric.title(row.quantity.metricName) : RunReport.name(row.quantity)
    }

    /// Returns the budget and the measured value.
    private static func figures(_ row: BudgetCheck.Row) -> (before: String, after: String) {
        if row.source == .file {
            let shown = Budgets.shown(row.quantity.metricName, operations: row.operations)
            return shown.texts(row.maximum, row.measured ?? row.maximum)
        }
        func text(_ value: Double) -> String { RunReport.figure(value, of: row.quantity, atMost: row.maximum) }
        return (text(row.maximum), text(row.measured ?? row.maximum))
    }

    /// The notes on the budgets, each listed once, and suggested actions.
    package var notes: [String] {
        var places: [String: [String]] = [:]
        for row in check.rows {
            if let note = row.note { places[note, default: []].append("\(row.id) \(Self.title(row))") }
        }
        var notes = places.sorted { $0.key < $1.key }.map { note, places in
            places.count > 3 ? "\(places.count) budgets: \(note)" : "\(places.joined(separator: ", ")): \(note)"
        }
        if let unmeasured = check.unmeasured {
            let advice = check.isOfPart ? "" : "; to hold the rest alone, add \(unmeasured.option)"
            notes.insert("\(Figures.counted(unmeasured.count, "budget")) \(unmeasured.words())\(advice).", at: 0)
        }
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
        let rows = check.rows
        let clauses = [
            (rows.count { $0.verdict == .worse }, "over budget"),
            (rows.count { $0.unexplained != nil }, "raised without a reason"), (check.failed.count, "failed"),
            (rows.count { !$0.isBroken && $0.verdict == .notJudged }, "not judged"), (check.filtered, "not measured"),
            (rows.count { !$0.isBroken && $0.verdict == .inconclusive }, "inconclusive"),
            (rows.count { !$0.isBroken && ($0.verdict == .better || $0.verdict == .same) }, "within"),
            (check.unbudgeted.count, "without a budget"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !clauses.isEmpty else { return "No budgets to check." }
        let head =
            check.isBroken
            ? "Over budget"
            : !check.failed.isEmpty
                ? "Failed"
                : check.hasUnjudged || check.filtered > 0
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

extension BudgetCheck.Row {
    /// A sentence with the reason for the verdict, if the verdict alone does not explain it.
    var note: String? { unexplained.map { words($0) } ?? obstacle?.sentence }

    private func words(_ rise: BudgetCheck.UnexplainedRise) -> String {
        switch rise {
        case .beside(let previous):
            "It was raised from \(Figures.count(previous)) an iteration without a reason; write one beside it."
        case .sinceCommit(let previous):
            """
            It is above the earlier \(Figures.count(previous)) an iteration without a reason; write '{\"atMost\": \
            \(Figures.count(maximum)), \"reason\": \"…\"}'.
            """
        }
    }
}

extension BudgetCheck.Obstacle {
    fileprivate var sentence: String {
        switch self {
        case .notMeasured: "It was not measured."
        case .noBenchmark: "There is no such benchmark any more; '--update-budget' removes it."
        case .failed(let message): "It failed: \(message)"
        case .operations(let now, let before):
            """
            An iteration performs \(Figures.counted(now, "operation")) instead of \(before); set it again with \
            '--update-budget'.
            """
        case .unavailable(nil): "The result lacks it."
        case .unavailable(let reason?): "Unavailable: \(reason)."
        case .conditions(let condition): condition.sentence
        }
    }
}

extension DifferentCondition {
    fileprivate var sentence: String {
        let (what, now, before) =
            switch self {
            case .architecture(let now, let before): ("architecture", now, before)
            case .operatingSystem(let now, let before): ("operating system", now, before)
            case .compiler(let now, let before): ("compiler", now, before)
            case .jemalloc(let now, let before): ("jemalloc", now, before)
            }
        return """
            The \(what) is another one than the budgets' ('\(now)' and '\(before)'); set the instructions again with \
            '--update-budget'.
            """
    }
}

extension Budgets {
    /// Returns the form in which reports show an entry. An entry is a count per iteration.
    static func shown(_ metric: String, operations: Int) -> ShownMetric {
        ShownMetric(metric, unit: "count/iteration", operations: operations)
    }
}
