extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = load().do(onSuccess: { print("loaded", $0) }, onError: { print($0) })
    ///
    /// The functions run on the thread of the event. If `onSuccess` or `onError` throws, that error takes the event's
    /// place; what is thrown after an event was delivered has nowhere to go.
    ///
    /// - Parameters:
    ///   - onSuccess: before the value is delivered.
    ///   - afterSuccess: after it was delivered.
    ///   - onError: before an error is delivered.
    ///   - afterError: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    @inlinable
    public func `do`(
        onSuccess: ((Element) throws -> Void)? = nil,
        afterSuccess: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil,
        afterError: ((any Error) throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil,
        onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> Single<Element> {
        PrimitiveSequence(
            raw: source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}
