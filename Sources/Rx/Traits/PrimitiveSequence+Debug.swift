extension PrimitiveSequence {
    /// The sequence itself, with a line printed for its subscription, each event and its disposal.
    ///
    ///     let one = Single.just(1).debug("one")
    ///     _ = one.subscribe()  // 20… one -> subscribed, 20… one -> Event next(1), … Event completed, … isDisposed
    ///
    /// The lines are those of the observable within: the success of a `Single` is a value and completion.
    ///
    /// - Parameters:
    ///   - identifier: names the sequence in the lines; without it, `File.swift:line (function)` does.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}
