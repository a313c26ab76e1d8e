import RxBenchStatistics

/// A chart one line high, as wide as its place: points and an interval on a scale that neighbouring strips share.
struct Strip {
    let scale: Scale
    /// Vertical lines on every strip, such as 1 for ratios.
    var marks: [Double] = []

    /// The class that colours a strip.
    enum Tone: String {
        case plain = "s"
        case good = "s k"
        case bad = "s b"
        case open = "s o"
    }

    /// The strip with `points`, a band over `interval` and a tick at `middle`; `description` is what a screen reader
    /// says, where no figure beside the strip does.
    func markup(
        points: [Double] = [], interval: (low: Double, high: Double)?, middle: Double?, tone: Tone = .plain,
        _ description: String? = nil
    ) -> Markup {
        var content = Markup.empty
        if !marks.isEmpty {
            var lines = Path()
            for mark in marks {
                lines.move(place(mark), 0)
                lines.line(place(mark), 20)
            }
            content += "<path class=g d=\"\(lines.data)\"/>"
        }
        if let interval {
            var band = Path()
            band.move(place(interval.low), 10)
            // Wide enough to be seen, however narrow it is.
            band.line(max(place(interval.high), place(interval.low) + 1), 10)
            content += "<path class=i d=\"\(band.data)\"/>"
        }
        if !points.isEmpty {
            var dots = Path()
            for place in Set(points.map { Path.whole(place($0)) }).sorted() { dots.dot(Double(place), 10) }
            content += "<path class=p d=\"\(dots.data)\"/>"
        }
        if let middle {
            var tick = Path()
            tick.dot(place(middle), 10)
            content += "<path class=m d=\"\(tick.data)\"/>"
        }
        let label: Markup = description.map { "role=img aria-label=\"\($0)\"" } ?? "aria-hidden=true"
        return """
            <svg class="\(tone.rawValue)" viewBox="0 0 200 20" preserveAspectRatio=none \(label)>\(content)</svg>
            """
    }

    /// The scale's labels, placed over the strips.
    func ruler(_ label: (Double) -> String) -> Markup {
        let spans = scale.ticks.map {
            "<span style=\"left:\(Figures.fixed(place($0) / 2, decimals: 1))%\">\(label($0))</span>" as Markup
        }
        return "<div class=ruler aria-hidden=true>\(spans.joined)</div>"
    }

    private func place(_ value: Double) -> Double { 4 + scale.position(value) * 192 }
}

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
