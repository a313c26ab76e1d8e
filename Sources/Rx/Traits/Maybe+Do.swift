extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = cached.do(onNext: { print("found", $0) }, onError: { print($0) })
    ///
    /// The functions run on the thread of the event. If `onNext`, `onError` or `onCompleted` throws, that error takes
    /// the event's place; what is thrown after an event was delivered has nowhere to go.
    ///
    /// - Parameters:
    ///   - onNext: before the value is delivered.
    ///   - afterNext: after it was delivered.
    ///   - onError: before an error is delivered.
    ///   - afterError: after it was delivered.
    ///   - onCompleted: before completion is delivered, which in the observable within follows a value too.
    ///   - afterCompleted: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    @inlinable
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil,
        afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil,
        afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil,
        afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil,
        onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> Maybe<Element> {
        PrimitiveSequence(
            raw: source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
                onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}
