import RxBenchEngine

/// Presents a trend as tables and a verdict.
package struct TrendReport: Sendable {
    private let trend: Trend

    /// Creates a report of `trend`.
    package init(_ trend: Trend) { self.trend = trend }

    /// Returns the conditions that the results of `group` share, and the number of results.
    package func heading(_ group: Trend.Group) -> String {
        let count = group.points.count
        let tracing = group.isTracing ? ", with tracing" : ""
        let ends = [group.points.first, group.points.last].compactMap { $0.map(Self.name) }
        let range = count > 1 ? ", from \(ends.joined(separator: " to "))" : ends.first.map { ", \($0)" } ?? ""
        return
            "\(group.machine), \(group.configuration)\(tracing): \(Figures.counted(count, "result"))\(range)"
    }

    /// Returns a table with one row for the time of each benchmark. A benchmark without a time has rows for its other
    /// metrics instead. Counts that changed also have a row.
    /// - Parameter hasSparklines: Whether to draw the history.
    package func overview(_ group: Trend.Group, hasSparklines: Bool) -> TextTable {
        var table = TextTable(
            [
                ("benchmark", .left), ("metric", .left), ("results", .right), ("first", .right), ("latest", .right),
                ("changes", .right),
            ] + (hasSparklines ? [("history", .left)] : []))
        let timed = Set(group.series.filter { $0.metric == Metric.time }.map(\.id))
        func isShown(_ series: Trend.Series) -> Bool {
            series.metric == Metric.time || !timed.contains(series.id) || (series.isExact && !series.changes.isEmpty)
        }
        for series in group.series.filter(isShown) {
            let known = series.figures.compactMap(\.self)
            table.add(
                [
                    series.id, ShownMetric.title(series.metric), "\(known.count)",
                    known.first.map(series.shown.text) ?? "",
                    known.last.map(series.shown.text) ?? "", series.changes.isEmpty ? "" : "\(series.changes.count)",
                ] + (hasSparklines ? [Sparkline.text(series.figures)] : []))
        }
        return table
    }

    /// Returns a table with a row for each change, with the oldest first.
    package func changes(_ group: Trend.Group) -> TextTable {
        var table = TextTable([
            ("between", .left), ("benchmark", .left), ("metric", .left), ("before", .right), ("after", .right),
            ("change", .right),
            ("[low high]", .right), ("doubt", .left),
        ])
        for row in rows(group) {
            table.add([
                row.between, row.series.id, ShownMetric.title(row.series.metric), row.before, row.after, row.difference,
                row.interval,
                row.change.reservations.joined(separator: "; "),
            ])
        }
        return table
    }

    /// A change with the texts of its columns.
    struct ChangeRow {
        let series: Trend.Series
        let change: Trend.Change
        let between, before, after, difference, interval: String
    }

    /// Returns the changes of `group`, with the oldest first.
    func rows(_ group: Trend.Group) -> [ChangeRow] {
        let rows = group.series.flatMap { series in series.changes.map { (series, $0) } }
        let sorted = rows.enumerated().sorted { left, right in
            let (first, second) = (left.element.1, right.element.1)
            return (first.firstAfter, first.lastBefore, left.offset) < (
                second.firstAfter, second.lastBefore, right.offset
            )
        }
        return sorted.map(\.element).map { series, change in
            // If there is a ratio, the second figure is computed from it, so that both figures and the change agree, as
            // in a comparison.
            let figures = series.shown.texts(change.before, change.ratio.map { change.before * $0 } ?? change.after)
            return ChangeRow(
                series: series, change: change,
                between:
                    "\(Self.name(group.points[change.lastBefore])) and \(Self.name(group.points[change.firstAfter]))",
                before: figures.before, after: figures.after,
                difference: change.ratio.map { Figures.change(ratio: $0) }
                    ?? series.shown.change(from: change.before, to: change.after),
                interval: change.interval.map { "[\(Figures.change(ratio: $0.low)) \(Figures.change(ratio: $0.high))]" }
                    ?? "")
        }
    }

    /// The notes on the tables, each listed once.
    package var notes: [String] {
        var seen: [String: [String]] = [:]
        for group in trend.groups {
            for series in group.series {
                if let note = series.note {
                    seen[note, default: []].append("\(series.id) \(ShownMetric.title(series.metric))")
                }
            }
        }
        let few = trend.groups.filter { $0.points.count < ChangePoints.fewestValues }.map {
            "\($0.machine), \($0.configuration): fewer than \(ChangePoints.fewestValues) results; "
                + "changes of sampled metrics cannot be distinguished from noise yet."
        }
        let own = seen.sorted { $0.key < $1.key }.map { note, places in
            places.count > 3 ? "\(places.count) series: \(note)." : "\(places.joined(separator: ", ")): \(note)."
        }
        return [trend.orderNote].compactMap(\.self) + few + own
    }

    /// A sentence that summarises the trend.
    package var verdict: String {
        let series = trend.groups.flatMap(\.series)
        let changes = series.flatMap(\.changes)
        let benchmarks = Set(series.map(\.id)).count
        let results = trend.groups.reduce(0) { $0 + $1.points.count }
        let scope = "in \(Figures.counted(benchmarks, "benchmark")) over \(Figures.counted(results, "result"))"
        guard !changes.isEmpty else { return "No change \(scope)." }
        let worse = changes.count { $0.after > $0.before }
        let clauses = [(worse, "for the worse"), (changes.count - worse, "for the better")].filter { $0.0 > 0 }.map {
            "\($0.0) \($0.1)"
        }
        let doubtful = changes.count { !$0.reservations.isEmpty }
        let doubt = doubtful > 0 ? " For \(doubtful), something other than the code may be the cause." : ""
        return "\(Figures.counted(changes.count, "change")) \(scope): \(clauses.joined(separator: ", ")).\(doubt)"
    }

    /// Returns the beginning of the commit's hash, or the date if the point has no commit.
    static func name(_ point: Trend.Point) -> String {
        guard let commit = point.commit else { return point.date }
        return "\(commit.prefix(7))\(point.isDirty ? " (dirty)" : "")"
    }
}

extension Trend.Series {
    /// The form in which reports show the figures of the series.
    var shown: ShownMetric { ShownMetric(metric, unit: unit, operations: operations) }
}

/// Draws a series in one line of text.
package enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// Returns a line with one block for each figure. The smallest figure has the lowest block, and a missing figure is
    /// a space. If there are more than `width` figures, neighbouring figures are combined into their median. If all
    /// figures are equal, they have the middle block.
    package static func text(_ figures: [Double?], width: Int = 40) -> String {
        let count = min(width, figures.count)
        let cells = (0..<count).map { cell -> Double? in
            Quantiles.median(
                of: figures[cell * figures.count / count..<(cell + 1) * figures.count / count].compactMap(\.self))
        }
        let known = cells.compactMap(\.self)
        guard let low = known.min(), let high = known.max() else { return "" }
        return String(
            cells.map { cell -> Character in
                guard let cell else { return " " }
                guard high > low else { return blocks[3] }
                return blocks[Int(((cell - low) / (high - low) * 7).rounded())]
            })
    }
}
