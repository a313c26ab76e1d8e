/// Leaves out what the user has not written: storage of collections, boxes, thunks, and the kernel of `Rx` between a
/// subject and a closure.
enum PathShortening {
    /// Classes of `Rx` that users name; all others are its own business.
    static let publicTypes: Set<String> = [
        "AsyncSubject", "BehaviorRelay", "BehaviorSubject", "BooleanDisposable", "CompositeDisposable",
        "ConcurrentDispatchQueueScheduler",
        "DisposeBag", "HistoricalScheduler", "MainScheduler", "OperationQueueScheduler", "PublishRelay",
        "PublishSubject", "RefCountDisposable",
        "ReplayRelay", "ReplaySubject", "ScheduledDisposable", "SerialDispatchQueueScheduler", "SerialDisposable",
        "SingleAssignmentDisposable",
        "VirtualTimeScheduler",
    ]

    static func steps(of hops: [Hop]) -> [RetentionStep] {
        // Where the user knows nothing of it all, the objects are better than silence.
        let areShown = hops.contains(where: isShown)
        var kept: [RetentionStep] = []
        for hop in hops {
            if areShown ? isShown(hop) : hop.kind != .thunk {
                kept.append(
                    RetentionStep(
                        holder: hop.name, edge: edge(hop, hop.edge), stableEdge: edge(hop, hop.stableEdge),
                        file: hop.file,
                        line: hop.line, isTyped: hop.isTyped))
            } else if !kept.isEmpty {
                if hop.kind == .storage { append(hop.edge, to: &kept) }
                if hop.remembersNext, kept[kept.count - 1].edge == "observer" {
                    kept[kept.count - 1] = kept[kept.count - 1].changed(edge: Hop.remembered)
                }
                if !hop.isTyped { kept[kept.count - 1] = kept[kept.count - 1].changed(isTyped: false) }
            }
        }
        return kept
    }

    /// A cycle that the user knows nothing of is that of a subscription: it holds itself until it ends.
    static func cycleSteps(of hops: [Hop]) -> [RetentionStep] {
        if hops.isEmpty || hops.contains(where: isShown) { return steps(of: hops) }
        return [RetentionStep(holder: "a subscription", edge: Hop.untilDisposed, isTyped: hops.allSatisfy(\.isTyped))]
    }

    /// Whether the user has a part in a cycle.
    static func isUsers(_ hops: [Hop]) -> Bool { hops.contains { isShown($0) && $0.kind != .timer } }

    /// Whether it is something that the user has written, or knows by name.
    static func isShown(_ hop: Hop) -> Bool {
        switch hop.kind {
        case .global, .instance, .ours, .center, .timer, .closure, .task: true
        case .kernel, .block, .storage, .box, .thunk: false
        }
    }

    /// Fields inside classes of `Rx` have names that users do not know.
    private static func edge(_ hop: Hop, _ own: String) -> String {
        guard hop.kind == .ours else { return own }
        if hop.name.contains("Subject") || hop.name.contains("Relay") { return "observer" }
        if hop.name.contains("Scheduler") { return "scheduled work" }
        return "subscription"
    }

    private static func append(_ position: String, to steps: inout [RetentionStep]) {
        let step = steps[steps.count - 1]
        if step.edge.hasSuffix("]") || !step.edge.hasPrefix(".") && !step.edge.isEmpty { return }
        steps[steps.count - 1] = step.changed(edge: step.edge + position)
    }
}
