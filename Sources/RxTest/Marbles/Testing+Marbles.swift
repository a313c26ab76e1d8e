#if canImport(Testing)
    import Testing

    /// Records an issue unless both diagrams are equal, and shows them under each other.
    ///
    /// ```swift compiled
    /// import Testing
    ///
    /// let scheduler = TestScheduler(initialClock: 0)
    /// let letters = scheduler.createHotObservable(marbles: "--a-b-(c|)")
    /// expectMarbles(scheduler.start { letters.skip(1) }.marbles(), "----b-(c|)")
    /// ```
    public func expectMarbles(
        _ recorded: Marbles, _ expected: Marbles, _ message: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let difference = recorded.difference(from: expected) else { return }
        Issue.record(
            "The marbles differ.\(message.isEmpty ? "" : " \(message)")\n\(difference)", sourceLocation: sourceLocation)
    }
#endif
