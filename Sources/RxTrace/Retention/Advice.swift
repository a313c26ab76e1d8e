/// The sentence that says what to change.
struct Advice {
    let steps: [RetentionStep]
    /// The number of steps at the beginning that are the cycle.
    let cycleLength: Int
    /// The hops of the cycle, and those from a root or from the cycle to the target.
    let cycle: [Hop]
    let way: [Hop]

    /// Where what the advice speaks of was made, `Screen.swift:42`, as far as that is known.
    struct Sites {
        /// The subscription.
        var subscription: String?
        /// Whether that is one to a group of `groupBy`, whose sequence of groups is disposed already.
        var isOfGroup = false
        /// The thing that is held.
        var held: String?
    }

    func text(_ sites: Sites) -> String {
        if cycle.isEmpty { return release(sites) }
        return PathShortening.isUsers(cycle) ? breaking(sites) : disposal(sites)
    }

    // MARK: Cycles

    /// The closure on the cycle whose change breaks it: one that captures its own object, or else one that captures an
    /// object itself.
    private var closure: Hop? {
        let closures = cycle.filter { $0.kind == .closure }
        return closures.first(where: \.capturesSelf) ?? closures.first { $0.captured != nil } ?? closures.first
    }

    private static func weakly(in closure: Hop) -> String {
        let place = closure.location
        if closure.isMethod {
            return "give a closure that captures '\(closure.variable ?? "self")' weakly in place of the method \(place)"
        }
        if let boxed = closure.boxed {
            let variable = closure.variable.map { "'\($0)'" } ?? "the captured variable that holds '\(boxed)'"
            return "set \(variable) to nil when it is no longer needed, or capture it weakly in the closure \(place)"
        }
        if let variable = closure.variable ?? (closure.capturesSelf ? "self" : nil) {
            return "capture '\(variable)' weakly in the closure \(place)"
        }
        guard let captured = closure.captured else { return "capture less in the closure \(place)" }
        return "hold weakly the '\(captured)' that the closure \(place) captures"
    }

    private func breaking(_ sites: Sites) -> String {
        if let closure { return Self.weakly(in: closure) }
        if let keeper = steps.first, cycle.contains(where: \.isMemory) {
            let replay = "the replay" + Self.made(at: sites.held)
            return """
                map to what is needed of it before \(replay), so that '\(keeper.holder)\(keeper.edge)' does not \
                keep \(keeper.holder)
                """
        }
        if let keeper = steps.first, cycle.contains(where: { $0.kind == .kernel }) {
            return """
                let '\(keeper.holder)\(keeper.edge)' not hold \(keeper.holder): capture it weakly in what that is \
                made of
                """
        }
        guard let back = backReference else { return "break the cycle" }
        let name = "'\(back.holder)\(back.edge)'"
        return back.isProperty ? "make \(name) weak" : "let \(name) be held weakly"
    }

    /// The reference that leads back, a parent or a delegate, is the likelier mistake; and one property is easier to
    /// change than a collection.
    private var backReference: RetentionStep? {
        let fields = steps.prefix(cycleLength).filter { $0.edge.hasPrefix(".") }
        let plain = fields.filter(\.isProperty)
        return plain.first { [".parent", ".owner", ".delegate"].contains($0.edge) } ?? plain.last ?? fields.last
    }

    // MARK: Subscriptions

    /// Work that waits for an event, or for its time, is let go of by disposing.
    private func disposal(_ sites: Sites, from holder: String? = nil) -> String {
        let which =
            sites.subscription.map { Self.made(at: $0) } ?? observer.map { " whose closure is \($0.location)" } ?? ""
        let subscription = sites.isOfGroup ? "the group's own subscription" : "the subscription"
        let keeping = holder.map { ", which \($0) holds" } ?? ""
        return "dispose \(subscription)\(which)\(keeping), for example in a bag that goes with its owner"
    }

    /// The closure of the subscription that is nearest to the target; others on the way may belong to anything.
    private var observer: Hop? {
        let last = way.lastIndex { $0.kind == .closure } ?? way.startIndex
        let sink = way[..<last].lastIndex { $0.kind == .kernel } ?? way.startIndex
        return way[sink...].first { $0.kind == .closure }
    }

    private static func made(at place: String?) -> String { place.map { " made at \($0)" } ?? "" }

    // MARK: Chains

    private func release(_ sites: Sites) -> String {
        guard let first = steps.first else { return "release it" }
        let origin = quoted(first.holder)
        if let task = way.first(where: { $0.kind == .task }) {
            let which = task.functionName.isEmpty ? "the task" : "the task of \(task.functionName)"
            let place = task.sourcePlace.map { " at \($0)" } ?? ""
            return
                "cancel \(which)\(place) when it is no longer needed, or capture weakly in it what it should not keep"
        }
        if let token = removal { return token }
        if sites.isOfGroup { return disposal(sites, from: origin) }
        if first.holder == Hop.dispatch { return disposal(sites) }
        if !isKept, let fewer = fewerGroups(sites, from: origin) { return fewer }
        if !isKept, let bound = boundOfMemory { return bound }
        if isSubscription { return disposal(sites, from: origin) }
        guard let collection = steps.first(where: { $0.edge.hasSuffix("]") }) else {
            return "let \(origin) go of it when it is no longer needed"
        }
        let name = quoted(collection.holder + collection.edge.prefix { $0 != "[" })
        guard let place = sites.held else { return "remove what is no longer needed from \(name), or give it a bound" }
        return "remove from \(name) what is made at \(place) when it is no longer needed, or give it a bound"
    }

    /// A notification center keeps an observer until its token is handed back, whatever the observer captures; a
    /// subscription's own observer goes with the subscription.
    private var removal: String? {
        guard let center = way.firstIndex(where: { $0.kind == .center }),
            let observer = way[center...].first(where: { $0.kind == .closure || $0.kind == .kernel }),
            observer.kind == .closure
        else { return nil }
        return "give the token of the observer \(observer.location) to 'removeObserver' when it is no longer needed"
    }

    /// `groupBy` keeps a group for each key: its subscribers can be let go of one by one, a group cannot.
    private func fewerGroups(_ sites: Sites, from origin: String) -> String? {
        let isGrouping = { (hop: Hop) in
            hop.kind == .kernel && hop.name.hasPrefix("Grouping<") && hop.label == "subjects"
        }
        guard let grouping = way.lastIndex(where: isGrouping) else { return nil }
        guard way[way.index(after: grouping)...].contains(where: { $0.kind != .storage }) else {
            return
                "let 'groupBy' see fewer keys: it keeps a group for each until its source ends or its subscription is "
                + "disposed"
        }
        var sites = sites
        sites.isOfGroup = true
        return disposal(sites, from: origin)
    }

    /// The memory of a replay without a bound goes with the replay alone; the content of a subject's value, with that
    /// value.
    private var boundOfMemory: String? {
        guard let memory = way.firstIndex(where: \.remembersNext),
            let step = steps.firstIndex(where: { $0.edge == Hop.remembered })
        else { return nil }
        let keeper = step > 0 ? quoted(steps[step - 1].holder + steps[step - 1].edge) : quoted(steps[step].holder)
        if steps[step].holder.hasPrefix("Replay") {
            return "give the replay \(keeper) a bound, as 'create(bufferSize:)' does: it keeps every element"
        }
        guard way[memory...].contains(where: { $0.kind == .storage }) else { return nil }
        return "remove what is no longer needed from the value of \(keeper), or give it a bound"
    }

    /// Whether what is held goes with a subscription; what is remembered does not.
    private var isSubscription: Bool {
        if way.contains(where: \.remembersNext) { return false }
        // A shared connection has observers as a subject has, wherever the sequence itself is kept.
        let isSource = { (hop: Hop) in
            hop.kind == .center || hop.kind == .ours && (hop.name.contains("Subject") || hop.name.contains("Relay"))
                || hop.kind == .kernel && ["ShareConnection", "Multicast"].contains(hop.name)
        }
        if way.contains(where: isSource) { return true }
        return !isKept && way.contains { $0.kind == .kernel || $0.kind == .timer }
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
