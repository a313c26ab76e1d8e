extension Retention {
    /// The whole in one line: the class that leaks, how it is held, and what to change.
    ///
    /// `ProfileScreen, held by a cycle over 'ProfileScreen.bag': capture 'self' weakly in the closure at
    /// ProfileScreen.swift:23`.
    public var headline: String { "\(owner ?? subject), held by \(keeper): \(advice)" }

    private var keeper: String {
        guard let first = steps.first else { return "something" }
        if first.edge == Hop.untilDisposed { return "\(first.holder) \(first.edge)" }
        guard isCycle else { return first.holder == "Task" ? "a task" : first.holder }
        // Of a cycle the user's own field says most.
        let field = steps.prefix(cycleLength).first { $0.edge.hasPrefix(".") }
        return "a cycle over " + (field.map { "'\($0.holder)\($0.edge)'" } ?? first.holder)
    }
}
