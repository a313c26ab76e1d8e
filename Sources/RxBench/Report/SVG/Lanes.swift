/// A picture of a schedule: a lane an actor, time to the right, a dot a step.
///
/// A bar holds the steps of a turn; where the turn passes to another actor, a line leads there, and the lane of the
/// actor that has not come to its end is dotted until its next turn.
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

    /// The picture; `description` is what a screen reader says.
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

    /// From the last step of each turn to the next one of the same actor.
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

    /// The place in memory above each dot, and the number of the table's line below all.
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
