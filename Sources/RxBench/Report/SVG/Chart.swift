/// One axis of a chart: where values lie, how they are written, and what they are.
struct Axis {
    let scale: Scale
    /// The shown quantity, with its unit.
    let title: String
    /// A tick's label, without unit.
    let label: (Double) -> String
    /// Where labels stand; the scale's round numbers when `nil`.
    var ticks: [Double]? = nil
    /// The element of the page that already shows lines and labels of this axis.
    var reference: Markup? = nil

    /// An axis of durations in one unit.
    static func time(_ nanoseconds: [Double], _ what: String, isLogarithmic: Bool? = nil) -> Axis? {
        let scale = isLogarithmic.map { Scale(covering: nanoseconds, isLogarithmic: $0) } ?? Scale.fitting(nanoseconds)
        guard let scale else { return nil }
        let unit = TimeUnit(largest: scale.high)
        return Axis(
            scale: scale, title: "\(what), \(unit.name)\(scale.isLogarithmic ? ", log" : "")", label: unit.label)
    }
}

extension Axis {
    /// An axis of the shares of a distribution function, from 0 to 1, written in per cent.
    static var share: Axis {
        Axis(
            scale: .share, title: "share at most this, %", label: { "\(Int(($0 * 100).rounded()))" },
            ticks: [0, 0.25, 0.5, 0.75, 1], reference: "#share")
    }
}

/// A frame with two labelled axes, into which curves are drawn.
struct Chart {
    let horizontal: Axis
    let vertical: Axis

    private static let left = 50.0
    private static let right = 388.0
    private static let top = 22.0
    private static let bottom = 148.0

    /// The horizontal place of `value`.
    func x(_ value: Double) -> Double { Self.left + horizontal.scale.position(value) * (Self.right - Self.left) }
    /// The vertical place of `value`.
    func y(_ value: Double) -> Double { Self.bottom - vertical.scale.position(value) * (Self.bottom - Self.top) }

    /// The chart with `content` in it; `description` is what a screen reader says.
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

    /// Lines, labels and title of ``Axis/share``, once for the thousands of charts of a page.
    static var shareDefinition: Markup {
        let rows = Chart(horizontal: .share, vertical: .share).titledRows
        return "<svg class=definitions width=0 height=0 aria-hidden=true><defs><g id=share>\(rows)</g></defs></svg>"
    }

    private var titledRows: Markup { "\(rows)<text x=4 y=12>\(vertical.title)</text>" }

    /// Lines and labels of the vertical axis.
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

    /// The ticks of `axis` with their labels, those left out that would stand on their neighbour or repeat its words.
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
