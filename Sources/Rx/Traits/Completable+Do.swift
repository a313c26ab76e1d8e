extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = saved.do(onError: { print($0) }, onCompleted: { print("saved") })
    ///
    /// The functions run on the thread of the event. If `onError` or `onCompleted` throws, that error takes the event's
    /// place; what is thrown after an event was delivered has nowhere to go.
    ///
    /// - Parameters:
    ///   - onError: before an error is delivered.
    ///   - afterError: after it was delivered.
    ///   - onCompleted: before completion is delivered.
    ///   - afterCompleted: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    @inlinable
    public func `do`(
        onError: ((any Error) throws -> Void)? = nil,
        afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil,
        afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil,
        onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> Completable {
        PrimitiveSequence(
            raw: source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}
