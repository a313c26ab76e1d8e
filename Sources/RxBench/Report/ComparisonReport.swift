import RxBench

/// A comparison as a table and a verdict.
public struct ComparisonReport: Sendable {
    private let comparison: ResultComparison

    /// A report of `comparison`.
    public init(_ comparison: ResultComparison) { self.comparison = comparison }

    /// The table, with what decides the exit code first. Exact metrics that are equal, and metrics that neither run could read, are left out unless `isComplete`; a note names the latter.
    public func table(isComplete: Bool) -> TextTable {
        var table = TextTable([
            ("benchmark", .left), ("metric", .left), ("before", .right), ("after", .right), ("change", .right), ("[low high]", .right),
            ("verdict", .left),
        ])
        let shown = comparison.rows.filter { isComplete || !Self.isRoutine($0) }.map { (row: $0, rank: rank($0)) }
        for rank in 0...2 { for row in shown where row.rank == rank { table.add(cells(row.row)) } }
        return table
    }

    /// What makes a regression or a failure comes first, then what leaves something open, then all that decides nothing.
    private func rank(_ row: ResultComparison.Row) -> Int {
        guard comparison.gates(row) else { return 2 }
        switch row.verdict {
        case .regressed, .slower, .failed: return 0
        case .inconclusive: return 1
        default: return row.hasLostItsFigure ? 1 : 2
        }
    }

    private static func isRoutine(_ row: ResultComparison.Row) -> Bool {
        row.verdict == .unchanged || isUnread(row)
    }

    /// Whether neither run could read the metric.
    private static func isUnread(_ row: ResultComparison.Row) -> Bool {
        row.verdict == .incomparable && !row.metric.isEmpty && row.before == nil && row.after == nil
    }

    /// The notes of rows that have one, each once.
    public var notes: [String] {
        var seen: [String: [String]] = [:]
        for row in comparison.rows {
            guard let note = row.note else { continue }
            seen[note, default: []].append(row.metric.isEmpty ? row.id : "\(row.id) \(row.metric)")
        }
        return comparison.unmeasured.map { "\($0)." } + seen.sorted { $0.key < $1.key }.map { note, places in
            places.count > 3 ? "\(places.count) rows: \(note)" : "\(places.joined(separator: ", ")): \(note)"
        }
    }

    /// How far the machine moved between the runs, and how small a change two runs can show; empty where no time was compared.
    public var power: [String] {
        guard comparison.hasTimes else { return [] }
        guard comparison.isDriftKnown else { return [comparison.driftSentence] }
        let reach = comparison.detectable.map { ": half of these benchmarks would show a change of \(Figures.threeDigits($0 * 100)) % (1 % false alarms, 80 % power, drift not counted)" }
        return [
            comparison.driftSentence,
            "Two runs show less than 'rxbench ab', which measures both sides in turns\(reach ?? "").",
        ]
    }

    /// The comparison in a sentence, the gravest finding first, and a second one where slower times do not count.
    public var verdict: String {
        func count(_ verdicts: ResultComparison.Verdict...) -> Int { comparison.rows.count { verdicts.contains($0.verdict) } }
        let slower = comparison.rules.gatesTime ? 0 : count(.slower)
        let worse = count(.regressed, .slower) - slower
        // Live resources in a build that does not count them, for example: nothing that the second run lost.
        let unread = comparison.rows.count(where: Self.isUnread)
        let clauses = [
            (worse, "worse"), (count(.failed), "failed"), (slower, "slower"), (count(.improved, .faster), "better"),
            (count(.inconclusive), "inconclusive"), (count(.unchanged, .same), "unchanged"), (count(.incomparable) - unread, "not comparable"),
            (count(.added), "added"), (count(.removed), "removed"), (unread, "not counted in either run"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        guard !clauses.isEmpty else { return "Nothing to compare." }
        let head =
            worse > 0 ? "Regression" : count(.failed) > 0 ? "Failed" : slower > 0 ? "No regression of counts"
            : count(.inconclusive) > 0 ? "No regression shown" : "No regression"
        let reservation = slower > 0 ? " Slower times do not change the exit code; '--gate-time' lets them." : ""
        return "\(head): \(clauses.joined(separator: ", ")).\(reservation)"
    }

    private func cells(_ row: ResultComparison.Row) -> [String] {
        [
            row.id, row.metric, row.before.map { Self.figure($0, row) } ?? "", row.after.map { Self.figure($0, row) } ?? "", Self.change(row),
            row.interval.map { "[\(Figures.change(ratio: $0.low)) \(Figures.change(ratio: $0.high))]" } ?? "", row.verdict.rawValue,
        ]
    }

    private static func figure(_ value: Double, _ row: ResultComparison.Row) -> String {
        switch row.unit {
        case "ns/operation": Figures.time(nanoseconds: value)
        case "bytes/iteration": Figures.bytes(value)
        case "ratio": "\(Figures.threeDigits(value)) ×"
        default: Figures.count(value)
        }
    }

    /// The change of a metric: relative for a time, absolute for a count; empty where nothing changed.
    static func change(_ row: ResultComparison.Row) -> String {
        if let ratio = row.ratio { return Figures.change(ratio: ratio) }
        guard let before = row.before, let after = row.after, before != after else { return "" }
        let difference = after - before
        return difference > 0 ? "+\(figure(difference, row))" : "−\(figure(-difference, row))"
    }
}
