/// The sentence that says what to change.
struct Advice {
    let steps: [RetentionStep]
    /// The hops of the cycle, and those from a root or from the cycle to the subject.
    let cycle: [Hop]
    let way: [Hop]

    /// Where what the advice speaks of was made, `Screen.swift:42`, as far as that is known.
    struct Places {
        /// The subscription.
        var subscription: String?
        /// The thing that is held.
        var subject: String?
    }

    func text(_ places: Places) -> String {
        if cycle.isEmpty { return release(places) }
        return PathShortening.isUsers(cycle) ? breaking(places) : disposal(places)
    }

    // MARK: Cycles

    private var closure: RetentionStep? { steps.first { $0.edge == "capture self" } ?? steps.first { $0.edge.hasPrefix("capture ") } }

    private func breaking(_ places: Places) -> String {
        if let closure {
            let captured = closure.edge.dropFirst("capture ".count)
            let place = closure.file.map { file in "at " + file + (closure.line.map { ":\($0)" } ?? "") }
            if captured == "a variable" { return "capture less in the \(place.map { "closure \($0)" } ?? closure.holder)" }
            return "capture '\(captured)' weakly in the \(place.map { "closure \($0)" } ?? closure.holder)"
        }
        if let keeper = steps.first, cycle.contains(where: \.isMemory) {
            let replay = "the replay" + Self.made(at: places.subject)
            return "map to what is needed of it before \(replay), so that '\(keeper.holder)\(keeper.edge)' does not keep \(keeper.holder)"
        }
        if let keeper = steps.first, cycle.contains(where: { $0.kind == .kernel }) {
            return "let '\(keeper.holder)\(keeper.edge)' not hold \(keeper.holder): capture it weakly in what that is made of"
        }
        // The reference that leads back is the likelier mistake: a parent, a delegate.
        let names = [".parent", ".owner", ".delegate"]
        guard let back = steps.first(where: { names.contains($0.edge) }) ?? steps.last else { return "break the cycle" }
        return "make '\(back.holder)\(back.edge)' weak"
    }

    // MARK: Subscriptions

    /// What waits for an event, or for its time, is let go of by disposing.
    private func disposal(_ places: Places, from holder: String? = nil) -> String {
        let closure = way.first { $0.kind == .closure }
        let closurePlace = closure.map { closure in closure.file.map { file in "at " + file + (closure.line.map { ":\($0)" } ?? "") } ?? "in " + closure.place }
        let which = places.subscription.map { Self.made(at: $0) } ?? closurePlace.map { " whose closure is \($0)" } ?? ""
        return "dispose the subscription\(which)" + (holder.map { ", which \($0) holds" } ?? "") + ", for example in a bag that goes with its owner"
    }

    private static func made(at place: String?) -> String { place.map { " made at \($0)" } ?? "" }

    // MARK: Chains

    private func release(_ places: Places) -> String {
        guard let first = steps.first else { return "release it" }
        let origin = quoted(first.holder)
        if let task = way.first(where: { $0.kind == .task }) {
            let which = task.place.isEmpty ? "the task" : "the task of \(task.place)"
            let place = task.file.map { file in " at " + file + (task.line.map { ":\($0)" } ?? "") } ?? ""
            return "cancel \(which)\(place) when it is no longer needed, or capture weakly in it what it should not keep"
        }
        if first.holder == Hop.dispatch { return disposal(places) }
        if way.contains(where: { $0.kind == .ours && ($0.name.contains("Subject") || $0.name.contains("Relay")) }) { return disposal(places, from: origin) }
        if !isKept, way.contains(where: { $0.kind == .kernel || $0.kind == .timer }) { return disposal(places, from: origin) }
        guard let collection = steps.first(where: { $0.edge.hasSuffix("]") }) else { return "let \(origin) go of it when it is no longer needed" }
        let name = quoted(collection.holder + collection.edge.prefix { $0 != "[" })
        guard let place = places.subject else { return "remove what is no longer needed from \(name), or give it a bound" }
        return "remove from \(name) what is made at \(place) when it is no longer needed, or give it a bound"
    }

    /// Whether a collection of the user's comes before what `Rx` keeps.
    private var isKept: Bool {
        let kernel = way.firstIndex { $0.kind == .kernel || $0.kind == .timer || $0.kind == .ours } ?? way.endIndex
        return way[..<kernel].contains { $0.kind == .storage }
    }

    private func quoted(_ holder: String) -> String {
        let name = holder.hasPrefix("global ") ? String(holder.dropFirst("global ".count)) : holder
        return name.contains(" ") ? name : "'\(name)'"
    }
}
