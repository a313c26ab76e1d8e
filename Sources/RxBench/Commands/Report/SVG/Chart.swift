/// One axis of a chart: the scale of its values, the format of its labels, and its title.
struct Axis {
    let scale: Scale
    /// The shown quantity, with its unit.
    let title: String
    /// A tick's label, without unit.
    let label: (Double) -> String
    /// The values that get a label. If `nil`, the round numbers of the scale get labels.
    var ticks: [Double]? = nil
    /// The reference (`#share`) to an element of the page that already draws the lines and labels of this axis.
    var reference: Markup? = nil

    /// Creates an axis of durations that are all shown in one unit. Returns `nil` if there is nothing to scale.
    static func time(_ nanoseconds: [Double], _ what: String, isLogarithmic: Bool? = nil) -> Axis? {
        let scale = isLogarithmic.map { Scale(covering: nanoseconds, isLogarithmic: $0) } ?? Scale.fitting(nanoseconds)
        guard let scale else { return nil }
        let unit = TimeUnit(largest: scale.high)
        return Axis(
            scale: scale, title: "\(what), \(unit.name)\(scale.isLogarithmic ? ", log" : "")", label: unit.label)
    }
}

extension Axis {
    /// The axis of a distribution function: shares from 0 to 1, shown in per cent.
    static var share: Axis {
        Axis(
            scale: .share, title: "share at most this, %", label: { "\(Int(($0 * 100).rounded()))" },
            ticks: [0, 0.25, 0.5, 0.75, 1], reference: "#share")
    }
}

/// A frame with two labelled axes in which curves are drawn.
struct Chart {
    let horizontal: Axis
    let vertical: Axis

    private static let left = 50.0
    private static let right = 388.0
    private static let top = 22.0
    private static let bottom = 148.0

    /// Returns the horizontal coordinate of `value`.
    func x(_ value: Double) -> Double { Self.left + horizontal.scale.position(value) * (Self.right - Self.left) }
    /// Returns the vertical coordinate of `value`.
    func y(_ value: Double) -> Double { Self.bottom - vertical.scale.position(value) * (Self.bottom - Self.top) }

    /// Returns the chart with `content` drawn in it. Screen readers read out `description`.
    func markup(_ description: String, _ content: Markup) -> Markup {
        let columns = labelled(horizontal, distance: 60) { x($0) }
        let rows = vertical.reference.map { "<use href=\"\($0)\"/>" } ?? titledRows
        var grid = Path()
        for (value, _) in columns {
            grid.move(x(value), Self.bottom)
            grid.line(x(value), Self.bottom + 4)
        }
        let columnLabels = columns.map { "<text x=\(Path.whole(x($0.0))) y=164>\($0.1)</text>" as Markup }.joined
        return """
            <svg class=c viewBox="0 0 400 190" role=img aria-label="\(description)">\(rows)<path class=g \
            d="\(grid.data)"/>\
            <g class=x>\(columnLabels)<text x=219 y=183>\(horizontal.title)</text></g>\(content)</svg>
            """
    }

    /// The lines, labels and title of ``Axis/share``. A page defines them once and refers to them from thousands of
    /// charts.
    static var shareDefinition: Markup {
        let rows = Chart(horizontal: .share, vertical: .share).titledRows
        return "<svg class=definitions width=0 height=0 aria-hidden=true><defs><g id=share>\(rows)</g></defs></svg>"
    }

    private var titledRows: Markup { "\(rows)<text x=4 y=12>\(vertical.title)</text>" }

    /// The lines and labels of the vertical axis.
    private var rows: Markup {
        let ticks = labelled(vertical, distance: 14) { y($0) }
        var grid = Path()
        for (value, _) in ticks {
            grid.move(Self.left, y(value))
            grid.line(Self.right, y(value))
        }
        let labels = ticks.map { "<text x=44 y=\(Path.whole(y($0.0) + 4))>\($0.1)</text>" as Markup }.joined
        return "<path class=g d=\"\(grid.data)\"/><g class=y>\(labels)</g>"
    }

    /// Returns the ticks of `axis` with their labels. Leaves out a tick if its label would overlap the previous label
    /// or repeat its text.
    private func labelled(_ axis: Axis, distance: Double, _ place: (Double) -> Double) -> [(Double, String)] {
        var kept: [(Double, String)] = []
        for tick in axis.ticks ?? axis.scale.ticks {
            let label = axis.label(tick)
            if let last = kept.last, (place(tick) - place(last.0)).magnitude < distance || label == last.1 { continue }
            kept.append((tick, label))
        }
        return kept
    }
}

extension Chart {
    /// Draws the empirical distribution function of weighted values. It is a step curve: the values are on the
    /// horizontal axis, and the cumulative share from 0 to 1 is on the vertical axis.
    func distribution(_ values: [(value: Double, weight: Double)], _ style: String) -> Markup {
        let sorted = values.filter { $0.value.isFinite && $0.weight > 0 }.sorted { $0.value < $1.value }
        let total = sorted.reduce(0) { $0 + $1.weight }
        guard let first = sorted.first else { return .empty }
        var path = Path()
        path.move(x(first.value), y(0))
        var seen = 0.0
        for (index, entry) in sorted.enumerated() {
            let before = seen
            seen += entry.weight
            // Values at the same screen coordinate share one step. Values that together rise less than five of the 126
            // units also share one step.
            let isLast = index + 1 == sorted.count
            if !isLast,
                path.height - y(seen / total) < 5
                    || Path.whole(x(sorted[index + 1].value)) == Path.whole(x(entry.value))
            {
                continue
            }
            if before > 0 { path.line(x(entry.value), path.height) }
            path.line(x(entry.value), y(seen / total))
        }
        return "<path class=\(style) d=\"\(path.data)\"/>"
    }

    /// Draws every value against its index, with gaps between the groups. The horizontal axis runs from 0 to the number
    /// of values.
    func series(_ groups: [[Double]], _ style: String) -> Markup {
        var path = Path()
        var index = 0.0
        for group in groups {
            for (number, value) in group.enumerated() {
                if number == 0 { path.move(x(index), y(value)) } else { path.line(x(index), y(value)) }
                index += 1
            }
        }
        return "<path class=\(style) d=\"\(path.data)\"/>"
    }

    /// Draws a vertical line from the smallest to the largest of the values in each column of the screen. This keeps
    /// thousands of values readable.
    func envelope(_ values: [Double], _ style: String) -> Markup {
        var path = Path()
        var column = -1
        var range = (low: 0.0, high: 0.0)
        func finish() {
            guard column >= 0 else { return }
            path.move(Double(column), y(range.low))
            path.line(Double(column), y(range.high) - 1)
        }
        for (index, value) in values.enumerated() {
            let place = Path.whole(x(Double(index)))
            if place == column {
                range = (min(range.low, value), max(range.high, value))
            } else {
                finish()
                column = place
                range = (value, value)
            }
        }
        finish()
        return "<path class=\(style) d=\"\(path.data)\"/>"
    }

    /// Draws a horizontal line at the level of each group, over the group's values in ``series(_:_:)``.
    func levels(_ levels: [Double], widths: [Int], _ style: String) -> Markup {
        var path = Path()
        var start = 0.0
        for (level, width) in zip(levels, widths) {
            path.move(x(start), y(level))
            path.line(x(start + Double(max(width - 1, 1))), y(level))
            start += Double(width)
        }
        return "<path class=\(style) d=\"\(path.data)\"/>"
    }

    /// Draws a line through `figures` against their indices, with a gap where a figure is missing.
    func history(_ figures: [Double?], _ style: String) -> Markup {
        var path = Path()
        var isInLine = false
        for (index, figure) in figures.enumerated() {
            guard let figure else {
                isInLine = false
                continue
            }
            if isInLine { path.line(x(Double(index)), y(figure)) } else { path.dot(x(Double(index)), y(figure)) }
            isInLine = true
        }
        return "<path class=\(style) d=\"\(path.data)\"/>"
    }

    /// Draws horizontal lines, each over its own horizontal range.
    func steps(_ levels: [(from: Double, to: Double, level: Double)], _ style: String) -> Markup {
        var path = Path()
        for (from, to, level) in levels {
            path.move(x(from), y(level))
            path.line(max(x(to), x(from) + 1), y(level))
        }
        return "<path class=\(style) d=\"\(path.data)\"/>"
    }

    /// Draws a line through points, and the interval of each point.
    func line(_ points: [(x: Double, y: Double, interval: (low: Double, high: Double)?)], _ style: String) -> Markup {
        var line = Path()
        var dots = Path()
        for (index, point) in points.enumerated() {
            if index == 0 { line.move(x(point.x), y(point.y)) } else { line.line(x(point.x), y(point.y)) }
            dots.dot(x(point.x), y(point.y))
        }
        for point in points {
            guard let interval = point.interval else { continue }
            line.move(x(point.x), y(interval.low))
            line.line(x(point.x), y(interval.high))
        }
        return "<path class=\(style) d=\"\(line.data)\"/><path class=\"\(style) dots\" d=\"\(dots.data)\"/>"
    }

    /// Draws a vertical band over the horizontal range from `low` to `high`.
    func band(_ low: Double, _ high: Double) -> Markup {
        let width = max(1, Path.whole(x(high)) - Path.whole(x(low)))
        return "<rect class=band x=\(Path.whole(x(low))) y=22 width=\(width) height=126 />"
    }
}
