/// The sentence that says what to change.
struct Advice {
    let steps: [RetentionStep]
    let hops: [Hop]
    let isCycle: Bool

    var text: String { isCycle ? cycle : chain }

    private var closure: RetentionStep? { steps.first { $0.edge == "capture self" } ?? steps.first { $0.edge.hasPrefix("capture ") } }

    private var cycle: String {
        if let closure {
            let captured = closure.edge.dropFirst("capture ".count)
            let place = closure.file.map { file in "at " + file + (closure.line.map { ":\($0)" } ?? "") }
            if captured == "a variable" { return "capture less in the \(place.map { "closure \($0)" } ?? closure.holder)" }
            return "capture '\(captured)' weakly in the \(place.map { "closure \($0)" } ?? closure.holder)"
        }
        // The reference that leads back is the likelier mistake: a parent, a delegate.
        let names = [".parent", ".owner", ".delegate"]
        guard let back = steps.first(where: { names.contains($0.edge) }) ?? steps.last else { return "break the cycle" }
        return "make '\(back.holder)\(back.edge)' weak"
    }

    private var chain: String {
        guard let first = steps.first else { return "release it" }
        let origin = quoted(first.holder)
        if first.holder == Hop.dispatch { return "dispose the subscription that waits for a timer or a queue, for example in a bag that goes with its owner" }
        if let subscribed = hops.first(where: { $0.kind == .ours && ($0.name.contains("Subject") || $0.name.contains("Relay")) }) {
            return "dispose the subscription to the \(subscribed.name) that \(origin) holds, for example in a bag that goes with its owner"
        }
        if hops.contains(where: { $0.kind == .kernel }) { return "dispose the subscription that \(origin) holds, for example in a bag that goes with its owner" }
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
