import RxBenchEngine

/// A picture of a schedule. Each actor has a lane, time runs to the right, and each step is a dot.
///
/// A bar contains the steps of a turn. If the turn passes to another actor, a line leads to that actor's lane. If the
/// first actor has not finished, its lane is dotted until its next turn.
struct Lanes {
    private let steps: [RaceStory.Step]
    private let actors: [String]

    private static let left = 24.0
    private static let distance = 24.0
    private static let height = 40.0

    init(_ story: RaceStory) {
        steps = story.steps
        actors = story.actors
    }

    /// Returns the picture. Screen readers read out `description`.
    func markup(_ description: String) -> Markup {
        let width = Path.whole(Self.left + Double(max(steps.count, 1)) * Self.distance + 4)
        let height = Path.whole(Double(actors.count) * Self.height + 24)
        return """
            <svg class=lanes viewBox="0 0 \(width) \(height)" style="width:\(width)px" role=img \
            aria-label="\(description)"><path class=waits d="\(waits)"/><path class=turns d="\(turns)"/>\
            <path class=switches d="\(switches)"/><path class=steps d="\(dots { _ in true })"/>\
            <path class=last d="\(last)"/><path class=hollow d="\(dots { !$0.isChange })"/>\
            \(names)<g class=x>\(labels)</g></svg>
            """
    }

    private func x(_ step: Int) -> Double { Self.left + (Double(step) + 0.5) * Self.distance }
    private func y(_ actor: Int) -> Double { 24 + Double(actor) * Self.height }

    /// The lines from the last step of each turn to the next step of the same actor.
    private var waits: String {
        var path = Path()
        for (index, step) in steps.enumerated() {
            guard let next = steps[(index + 1)...].firstIndex(where: { $0.actor == step.actor }), next > index + 1
            else { continue }
            path.move(x(index), y(step.actor))
            path.line(x(next), y(step.actor))
        }
        return path.data
    }

    private var turns: String {
        var path = Path()
        for (index, step) in steps.enumerated() {
            if index > 0, steps[index - 1].actor == step.actor {
                path.line(x(index), y(step.actor))
            } else {
                path.dot(x(index), y(step.actor))
            }
        }
        return path.data
    }

    private var switches: String {
        var path = Path()
        for index in steps.indices.dropFirst() where steps[index - 1].actor != steps[index].actor {
            path.move(x(index - 1), y(steps[index - 1].actor))
            path.line(x(index), y(steps[index].actor))
        }
        return path.data
    }

    private func dots(_ isShown: (RaceStory.Step) -> Bool) -> String {
        var path = Path()
        for (index, step) in steps.enumerated() where isShown(step) { path.dot(x(index), y(step.actor)) }
        return path.data
    }

    private var last: String {
        var path = Path()
        if let step = steps.last { path.dot(x(steps.count - 1), y(step.actor)) }
        return path.data
    }

    private var names: Markup {
        actors.enumerated().map { "<text x=2 y=\(Path.whole(y($0.offset) + 4))>\($0.element)</text>" as Markup }.joined
    }

    /// The labels: each step's memory location above its dot, and the numbers of the table's lines below all lanes.
    private var labels: Markup {
        let bottom = Path.whole(Double(actors.count) * Self.height + 18)
        let labels = steps.enumerated().map { index, step -> Markup in
            let place = Path.whole(x(index))
            let number: Markup = "<text x=\(place) y=\(bottom)>\(index + 1)</text>"
            guard let variable = step.variable else { return number }
            return "<text x=\(place) y=\(Path.whole(y(step.actor) - 12))>\(variable)</text>\(number)"
        }
        return labels.joined
    }
}

/// A chart with the height of one line and the width of its container. It shows points and an interval on a scale that
/// neighbouring strips share.
struct Strip {
    let scale: Scale
    /// The values at which every strip has a vertical line, such as 1 for ratios.
    var marks: [Double] = []

    /// The CSS class that colours a strip.
    enum Tone: String {
        case plain = "s"
        case good = "s k"
        case bad = "s b"
        case open = "s o"
    }

    /// Returns the strip with dots at `points`, a band over `interval` and a tick at `middle`. Screen readers read out
    /// `description`. It may be `nil` if the figure is printed next to the strip.
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
            // The band must be visible however narrow the interval is.
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

    /// Returns the labels of the scale, to be placed above the strips.
    func ruler(_ label: (Double) -> String) -> Markup {
        let spans = scale.ticks.map {
            "<span style=\"left:\(Figures.fixed(place($0) / 2, decimals: 1))%\">\(label($0))</span>" as Markup
        }
        return "<div class=ruler aria-hidden=true>\(spans.joined)</div>"
    }

    private func place(_ value: Double) -> Double { 4 + scale.position(value) * 192 }
}

/// A series drawn as a line of the size of a word.
enum Spark {
    private static let width = 16

    /// Returns the figures of `series`, scaled from the smallest to the largest. If there are more than sixteen
    /// figures, neighbouring figures are combined into their median. A dot marks each change of level.
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
