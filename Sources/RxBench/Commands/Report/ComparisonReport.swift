import RxBenchEngine

/// Presents a comparison as a table and a verdict.
package struct ComparisonReport: Sendable {
    private let comparison: ResultComparison

    /// Creates a report of `comparison`.
    package init(_ comparison: ResultComparison) { self.comparison = comparison }

    /// Returns the table of the comparison. The rows that decide the exit code come first. Unless `isComplete` is true,
    /// the table leaves out exact metrics that are equal and metrics that neither run could read. A note names the
    /// latter. The instruction counts of a changed benchmark are always shown, because they are the best evidence of
    /// the cause.
    package func table(isComplete: Bool) -> TextTable {
        var table = TextTable([
            ("benchmark", .left), ("metric", .left), ("before", .right), ("after", .right), ("change", .right),
            ("[low high]", .right),
            ("verdict", .left),
        ])
        let changed = Set(comparison.rows.filter(\.verdict.isChange).map(\.id))
        let shown = comparison.rows.filter { row in
            isComplete || !Self.isRoutine(row) || (row.metric == Metric.instructions && changed.contains(row.id))
        }.map { (row: $0, rank: rank($0)) }
        for rank in 0...2 { for row in shown where row.rank == rank { table.add(cells(row.row)) } }
        return table
    }

    /// Returns the sort key of a row. Regressions and failures come first, followed by undecided rows, followed by rows
    /// that do not affect the decision.
    private func rank(_ row: ResultComparison.Row) -> Int {
        guard comparison.gates(row) else { return 2 }
        if row.verdict == .worse || row.obstacle == .failed { return 0 }
        return row.verdict == .inconclusive || row.obstacle == .machine || row.hasLostItsFigure ? 1 : 2
    }

    private static func isRoutine(_ row: ResultComparison.Row) -> Bool { row.isEqualCount || isUnread(row) }

    /// Returns whether neither run could read the metric.
    private static func isUnread(_ row: ResultComparison.Row) -> Bool {
        row.obstacle == .noFigure && !row.metric.isEmpty && row.before == nil && row.after == nil
    }

    /// The notes on the rows, each listed once.
    package var notes: [String] {
        var seen: [String: [String]] = [:]
        for row in comparison.rows {
            guard let note = row.note else { continue }
            seen[note, default: []].append(row.metric.isEmpty ? row.id : "\(row.id) \(ShownMetric.title(row.metric))")
        }
        let unmeasured = [(comparison.unmeasured, ""), (comparison.unmeasuredBefore, " in the first run")].compactMap {
            part, place in
            part.map { "\($0.count) \($0.words(in: place)); to compare the rest alone, add \($0.option)." }
        }
        return unmeasured
            + seen.sorted { $0.key < $1.key }.map { note, places in
                places.count > 3 ? "\(places.count) rows: \(note)" : "\(places.joined(separator: ", ")): \(note)"
            }
    }

    /// Sentences that say how much the machine drifted between the runs and how small a change two runs can detect. The
    /// list is empty if no time was compared.
    package var power: [String] {
        guard comparison.hasTimes else { return [] }
        guard comparison.isDriftKnown else { return [comparison.driftSentence] }
        let reach = comparison.detectable.map {
            """
            : half of these benchmarks would show a change of \(Figures.threeDigits($0 * 100)) % (1 % false \
            alarms, 80 % power, drift not counted)
            """
        }
        return [
            comparison.driftSentence,
            "Two runs show less than 'rxbench ab', which measures both sides in turns\(reach ?? "").",
        ]
    }

    /// Sentences for the beginning of the report that say what was not judged, with the remedies.
    package var preamble: [String] {
        comparison.unsettledMachine.flatMap { comparison.hasTimes ? $0.sentence : nil }.map { [$0] } ?? []
    }

    /// A sentence that summarises the comparison, with the benchmarks that became worse first. A second sentence
    /// follows if slower times do not affect the exit code.
    package var verdict: String {
        let sentence = Headline(
            findings: comparison.findings,
            sameness: comparison.judgesTimes
                ? "within \(Figures.percent(comparison.rules.margin))" : "with the same counts",
            base: "the first run", head: "the second run"
        ).sentence
        let isSlower = comparison.rows.contains { $0.verdict == .worse && !comparison.gates($0) }
        let reservation = isSlower ? " Slower times do not change the exit code; '--gate-time' lets them." : ""
        return sentence + reservation
    }

    private func cells(_ row: ResultComparison.Row) -> [String] {
        let figures = Self.figures(row)
        return [
            row.id, ShownMetric.title(row.metric), figures.before, figures.after, Self.change(row),
            row.interval.map { "[\(Figures.change(ratio: $0.low)) \(Figures.change(ratio: $0.high))]" } ?? "",
            Self.words(row),
        ]
    }

    /// Returns the figures of both runs. If the row has a ratio, the second figure is computed from it, so that both
    /// figures and the change agree. The ratio of two medians differs from the median of the processes' ratios.
    private static func figures(_ row: ResultComparison.Row) -> (before: String, after: String) {
        let after = row.before.flatMap { before in row.ratio.map { before * $0 } } ?? row.after
        guard let before = row.before, let after else {
            return (row.before.map(row.shown.text) ?? "", row.after.map(row.shown.text) ?? "")
        }
        return row.shown.texts(before, after)
    }

    /// Returns the change of a metric. It is relative for a time. For a count, it also contains the percentage of the
    /// earlier count. The text is empty if nothing changed.
    static func change(_ row: ResultComparison.Row) -> String {
        if let ratio = row.ratio { return Figures.change(ratio: ratio) }
        guard let before = row.before, let after = row.after else { return "" }
        return row.shown.change(from: before, to: after)
    }

    /// Returns the verdict in words. It is qualified for counts that differ, even if each run's own counts vary as
    /// much.
    static func words(_ row: ResultComparison.Row) -> String {
        switch row.obstacle {
        case .failed: Finding.Outcome.failed.word
        case .added: Finding.Outcome.added.word
        case .removed, .noFigure, .machine: row.verdict.rawValue
        case nil where row.verdict == .same && row.ratio == nil && row.before != row.after: "same (varies)"
        case nil: row.verdict.rawValue
        }
    }
}

extension ResultComparison.Row {
    /// Whether the row is of a count that is equal in both runs. A count that varies as much in each run has a note.
    var isEqualCount: Bool { verdict == .same && ratio == nil && note == nil }

    /// The form in which reports show the row's figures.
    var shown: ShownMetric { ShownMetric(metric, unit: unit, operations: operations ?? 1) }
}

extension RunResult {
    /// A description of the measured commit: `93df6fde3736, with changes`.
    package var commitInWords: String {
        switch commit {
        case .value(let commit): commit.sha.prefix(12) + (commit.isDirty ? ", with changes" : "")
        case .unavailable(let reason): "unavailable: \(reason)"
        }
    }
}
