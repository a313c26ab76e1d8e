import RxBenchStatistics

/// A series as a line the size of a word.
enum Spark {
    private static let width = 16

    /// The figures of `series` from the least to the most; more than sixteen share a place by their medians. A dot
    /// marks each change of level.
    static func markup(_ series: Trend.Series, _ description: String) -> Markup {
        let figures = series.figures
        let count = min(width, figures.count)
        let cells = (0..<count).map { cell in
            Quantiles.median(
                of: figures[cell * figures.count / count..<(cell + 1) * figures.count / count].compactMap(\.self))
        }
        guard let scale = Scale(covering: cells.compactMap(\.self)) else { return .empty }
        func place(_ cell: Int) -> Double { 4 + Double(cell) * 192 / Double(max(count - 1, 1)) }
        func height(_ value: Double) -> Double { 17 - scale.position(value) * 14 }
        var line = Path()
        var isInLine = false
        for (index, value) in cells.enumerated() {
            if let value { isInLine ? line.line(place(index), height(value)) : line.dot(place(index), height(value)) }
            isInLine = value != nil
        }
        var dots = Path()
        for change in series.changes {
            let cell = change.firstAfter * count / figures.count
            if let value = cells[cell] { dots.dot(place(cell), height(value)) }
        }
        let marks: Markup = series.changes.isEmpty ? .empty : "<path class=p d=\"\(dots.data)\"/>"
        return """
            <svg class=s viewBox="0 0 200 20" preserveAspectRatio=none role=img aria-label="\(description)"><path \
            d="\(line.data)"/>\(marks)</svg>
            """
    }
}
