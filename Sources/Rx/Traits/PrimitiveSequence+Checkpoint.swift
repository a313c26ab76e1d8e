extension PrimitiveSequence {
    /// The sequence itself, with a name for this place in its chain, which an error that passes is told to have passed.
    ///
    ///     Hooks.recordCallStackOnError = true
    ///     let user = Single<Int>.error(RxError.noElements).checkpoint("user")
    ///     _ = user.subscribe(onFailure: { print(Hooks.origin(of: $0)!.checkpoints) })  // ["user" at …]
    ///     Hooks.recordCallStackOnError = false
    ///
    /// As `checkpoint(_:fileID:line:)` of an observable.
    public func checkpoint(
        _ name: String, fileID: StaticString = #fileID, line: UInt = #line
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.checkpoint(name, fileID: fileID, line: line))
    }
}
