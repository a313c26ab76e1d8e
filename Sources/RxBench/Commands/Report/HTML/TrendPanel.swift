import RxBench

/// The history of the stored results that are comparable with the shown result. It lists every change of level and
/// shows the figures around each change.
enum TrendPanel {
    /// The number of charts that are shown at once. Charts beyond it are folded, up to the limit of `drawn` charts; the
    /// rest are not drawn. If everything changed at once, the cause was not the code.
    private static let shown = 12
    private static let drawn = 24
    private static let listed = 60

    static func markup(_ content: ReportContent) -> Markup {
        guard let trend = content.trend, let group = content.history else { return .empty }
        let report = TrendReport(trend)
        let rows = report.rows(group).filter { content.isShown($0.series.id) }
        let changed = group.series.filter { !$0.changes.isEmpty && content.isShown($0.id) }
        let charts = changed.prefix(drawn).compactMap { chart($0, group) }
        let rest = charts.dropFirst(shown)
        let more: Markup =
            rest.isEmpty
            ? .empty : "<details><summary>\(rest.count) more</summary><div class=charts>\(rest.joined)</div></details>"
        let unlisted: Markup =
            rows.count > listed
            ? "<p>\(rows.count - listed) further changes are listed by 'rxbench trend'.</p>" : .empty
        let changes = rows.isEmpty ? "<p>No change of level is clear.</p>" : table(rows.prefix(listed)) + unlisted
        let notes = report.notes.map { "<li>\($0)</li>" as Markup }.joined
        return """
            <section id=trend><h2>Trend</h2><p>\
            \(report.heading(group)). A change lies between the last result that has the old level and the first \
            that has the new one; counts change where they differ, times where a new level is statistically clear.</p>\
            \(changes)\
            <div class=charts>\(charts.prefix(shown).joined)</div>\
            \(more)\(notes.isEmpty ? .empty : "<ul>\(notes)</ul>")</section>
            """
    }

    private static func table(_ rows: ArraySlice<TrendReport.ChangeRow>) -> Markup {
        let bodies = rows.map { row -> Markup in
            let isWorse = row.change.after > row.change.before
            let status = ReportContent.Status(
                row.difference, row.change.reservations.isEmpty ? (isWorse ? .bad : .good) : .open)
            return """
                <tr><th scope=row>\(row.series.id)</th><td data-label=metric>\(ShownMetric.title(row.series.metric))\
                </td><td data-label=between>\(row.between)</td>\
                <td data-label=before>\(row.before)</td><td data-label=after>\(row.after)</td><td data-label=change>\
                \(status.badge)</td>\
                <td data-label="[low high]">\(row.interval)</td><td data-label=doubt>\
                \(row.change.reservations.joined(separator: "; "))</td></tr>
                """
        }
        return """
            <div class=wide><table class=plain><thead><tr><th>benchmark</th><th>metric</th><th>between</th>\
            <th>before</th><th>after</th><th>change</th>\
            <th>[low high]</th><th class=words>doubt</th></tr></thead><tbody>\(bodies.joined)</tbody></table></div>
            """
    }

    /// Returns a chart with the figures of a series, the levels between its changes, and a band over each change.
    private static func chart(_ series: Trend.Series, _ group: Trend.Group) -> Markup? {
        let known = series.figures.compactMap { $0.map(series.shown.value) }
        guard let scale = Scale(covering: [0, Double(max(1, group.points.count - 1))]),
            let vertical = vertical(series, known)
        else { return nil }
        let ends = series.changes.flatMap { [Double($0.lastBefore), Double($0.firstAfter)] }
        let ticks = Set([0, Double(group.points.count - 1)] + ends).sorted()
        let horizontal = Axis(
            scale: scale, title: "results, in the order of commits", label: { TrendReport.name(group.points[Int($0)]) },
            ticks: ticks)
        let chart = Chart(horizontal: horizontal, vertical: vertical)
        let title = ShownMetric.title(series.metric)
        var curves = series.changes.map { chart.band(Double($0.lastBefore), Double($0.firstAfter)) }.joined
        curves += chart.history(series.figures.map { $0.map(series.shown.value) }, "a2")
        curves += chart.steps(levels(series), "a1")
        return .figure(
            "<code>\(series.id)</code> \(title)",
            chart.markup("\(title) over \(Figures.counted(known.count, "result"))", curves),
            """
            <span><i class=k2></i>figures</span> <span><i class=k1></i>level</span> <span><i class=kb></i>where it \
            changed</span>
            """
        )
    }

    private static func vertical(_ series: Trend.Series, _ known: [Double]) -> Axis? {
        if series.unit == "ns/operation" { return .time(known, "time per operation") }
        return Scale.fitting(known).map {
            Axis(scale: $0, title: ShownMetric.title(series.metric), label: Figures.threeDigits)
        }
    }

    /// Returns the level of each stretch between changes, from its first result to its last.
    static func levels(_ series: Trend.Series) -> [(from: Double, to: Double, level: Double)] {
        guard let first = series.changes.first else { return [] }
        let start = series.figures.firstIndex { $0 != nil } ?? 0
        let end = series.figures.lastIndex { $0 != nil } ?? start
        let starts = [start] + series.changes.map(\.firstAfter)
        let ends = series.changes.map(\.lastBefore) + [end]
        let levels = ([first.before] + series.changes.map(\.after)).map(series.shown.value)
        return zip(starts, zip(ends, levels)).map { (Double($0), Double(max($0, $1.0)), $1.1) }
    }
}
