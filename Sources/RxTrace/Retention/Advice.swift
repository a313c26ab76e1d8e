/// The sentence that says what to change.
struct Advice {
    let steps: [RetentionStep]
    /// The hops of the cycle, and those from a root or from the cycle to the subject.
    let cycle: [Hop]
    let way: [Hop]

    var text: String {
        if cycle.isEmpty { return release }
        return PathShortening.isUsers(cycle) ? breaking : disposal
    }

    private var closure: RetentionStep? { steps.first { $0.edge == "capture self" } ?? steps.first { $0.edge.hasPrefix("capture ") } }

    private var breaking: String {
        if let closure {
            let captured = closure.edge.dropFirst("capture ".count)
            let place = closure.file.map { file in "at " + file + (closure.line.map { ":\($0)" } ?? "") }
            if captured == "a variable" { return "capture less in the \(place.map { "closure \($0)" } ?? closure.holder)" }
            return "capture '\(captured)' weakly in the \(place.map { "closure \($0)" } ?? closure.holder)"
        }
        if let keeper = steps.first, cycle.contains(where: \.isMemory) {
            return "map what '\(keeper.holder)\(keeper.edge)' replays to what is needed of it, so that the replay does not keep \(keeper.holder)"
        }
        if let keeper = steps.first, cycle.contains(where: { $0.kind == .kernel }) {
            return "let '\(keeper.holder)\(keeper.edge)' not hold \(keeper.holder): capture it weakly in what that is made of"
        }
        // The reference that leads back is the likelier mistake: a parent, a delegate.
        let names = [".parent", ".owner", ".delegate"]
        guard let back = steps.first(where: { names.contains($0.edge) }) ?? steps.last else { return "break the cycle" }
        return "make '\(back.holder)\(back.edge)' weak"
    }

    private static let inABag = ", for example in a bag that goes with its owner"

    /// What waits for an event, or for its time, is let go of by disposing.
    private var disposal: String {
        let closure = way.first { $0.kind == .closure }
        guard let closure else { return "dispose the subscription" + Self.inABag }
        let place = closure.file.map { file in "at " + file + (closure.line.map { ":\($0)" } ?? "") } ?? "in " + closure.place
        return "dispose the subscription whose closure is \(place)" + Self.inABag
    }

    private var release: String {
        guard let first = steps.first else { return "release it" }
        let origin = quoted(first.holder)
        if way.contains(where: { $0.kind == .task }) { return "cancel the task when it is no longer needed, or capture weakly in it what it should not keep" }
        if first.holder == Hop.dispatch { return disposal }
        if let subscribed = way.first(where: { $0.kind == .ours && ($0.name.contains("Subject") || $0.name.contains("Relay")) }) {
            return "dispose the subscription to the \(subscribed.name) that \(origin) holds" + Self.inABag
        }
        if way.contains(where: { $0.kind == .kernel || $0.kind == .timer }) { return disposal }
        if let collection = steps.first(where: { $0.edge.hasSuffix("]") }) {
            return "remove what is no longer needed from \(quoted(collection.holder + collection.edge.prefix { $0 != "[" })), or give it a bound"
        }
        return "let \(origin) go of it when it is no longer needed"
    }

    private func quoted(_ holder: String) -> String {
        let name = holder.hasPrefix("global ") ? String(holder.dropFirst("global ".count)) : holder
        return name.contains(" ") ? name : "'\(name)'"
    }
}
