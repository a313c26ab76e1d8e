extension ObservableType {
    /// Returns a single that delivers the only element of this sequence when the sequence completes.
    ///
    ///     _ = Observable.just(1).asSingle().subscribe(onSuccess: { print($0) })  // 1
    ///
    /// Fails with `RxError.noElements` if the sequence has no element, and with `RxError.moreThanOneElement` at the
    /// second element.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func asSingle() -> Single<Element> { Single(raw: only { $0.finish(RxError.noElements) }) }

    /// Returns a maybe that delivers the only element of this sequence, if any, when the sequence completes.
    ///
    ///     _ = Observable<Int>.empty().asMaybe().subscribe(onCompleted: { print("none") })  // none
    ///
    /// Fails with `RxError.moreThanOneElement` at the second element.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func asMaybe() -> Maybe<Element> { Maybe(raw: only { $0.finish() }) }

    /// Delivers the only element when the sequence completes.
    ///
    /// - Parameter onNone: ends the subscription if the sequence completes without an element.
    @_alwaysEmitIntoClient
    func only(onNone: @escaping (OperatorSink) -> Void) -> Observable<Element> {
        lift(
            state: Element?.none,
            onEnd: { (sink: StatefulOperatorSink<Element?>, error) in
                if let error { return sink.finish(error) }
                guard var element = sink.state else { return onNone(sink) }
                sink.send(&element)
                sink.finish()
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Element?>, element: inout Element) in
                    if sink.state != nil { return sink.finish(RxError.moreThanOneElement) }
                    sink.state = .some(element)
                }
            })
    }
}

extension ObservableType where Element == Never {
    /// Returns this sequence, which has no elements, as a completable.
    ///
    ///     let saved = rows.do(onNext: { print("saved", $0) }).ignoreElements().asCompletable()
    ///
    /// - Complexity: No allocation per subscription.
    @_alwaysEmitIntoClient
    public func asCompletable() -> Completable { Completable(raw: asObservable()) }
}

/// The sink of a subscriber to a trait. It delivers the first event and ignores later events.
///
/// The value ends a `Single` or a `Maybe`. The wrapped observable completes after the value; that completion is
/// dropped. An error that a `do(afterSuccess:)` closure throws is dropped too.
@usableFromInline
final class FirstEventSubscriber: Subscriber, @unchecked Sendable {
    // @unchecked: the same reason as for every sink.
    // Kernel-internal: receiveEnd. The last segment, which belongs to the subscriber.
    private let onSuccess: Next
    // Unchecked: the events of one subscription do not overlap.
    @exclusivity(unchecked) private var hasHeard = false

    @usableFromInline
    init(onSuccess: @escaping Next, onEnd: (((any Error)?) -> Void)?, onDisposed: (() -> Void)?) {
        self.onSuccess = onSuccess
        super.init(
            next: { address, sink in sink.known(as: FirstEventSubscriber.self).succeed(address) }, onEnd: onEnd,
            onDisposed: onDisposed)
    }

    private func succeed(_ address: UnsafeMutableRawPointer) {
        if hasHeard { return }
        // Set first: the closure that receives the value may make the source send another one.
        hasHeard = true
        onSuccess(address, self)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) { receiveEnd(error, tells: !hasHeard) }
}

extension PrimitiveSequenceType {
    /// Delivers the first event to the given closures. Without `onError`, an error goes to `Hooks.defaultErrorHandler`.
    @_alwaysEmitIntoClient @inline(__always)
    func subscribeToFirst(
        onSuccess: ((Element) -> Void)?, onError: ((any Error) -> Void)?, onCompleted: (() -> Void)?,
        onDisposed: (() -> Void)?
    ) -> any Disposable {
        let source = source
        return source.subscribe(
            FirstEventSubscriber(
                onSuccess: Subscriber.next(calling: onSuccess),
                onEnd: Subscriber.ending(source, onError: onError, onCompleted: onCompleted), onDisposed: onDisposed))
    }
}

/// Returns a closure that calls `function` with `object` while the object is alive. The closure does not retain the
/// object.
@inlinable
func calling<Object: AnyObject, each Argument>(
    _ function: ((Object, repeat each Argument) -> Void)?, with object: Object
) -> ((repeat each Argument) -> Void)? {
    guard let function else { return nil }
    return { [weak object] (argument: repeat each Argument) in if let object { function(object, repeat each argument) }
    }
}
