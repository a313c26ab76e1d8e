extension ObservableType {
    /// Delivers the same events, and calls functions before and after each event.
    ///
    ///     let logged = rows.do(onNext: { print("row", $0) }, onDispose: { print("over") })
    ///
    /// The functions run on the thread of the event. If one of them throws before an event is delivered, that error
    /// replaces the event. If one throws after an element was delivered, the error ends the sequence.
    ///
    /// - Parameters:
    ///   - onNext: called before an element is delivered.
    ///   - afterNext: called after an element was delivered.
    ///   - onError: called before an error is delivered.
    ///   - afterError: called after an error was delivered.
    ///   - onCompleted: called before completion is delivered.
    ///   - afterCompleted: called after completion was delivered.
    ///   - onSubscribe: called before this sequence is subscribed to.
    ///   - onSubscribed: called after this sequence was subscribed to.
    ///   - onDispose: called once, after the subscription to this sequence has ended by itself or was disposed. It is
    ///     called after `onSubscribed`, even if the subscription ended before that.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Observable<Element> {
        // Kernel-internal: deliverEnd, deliverFinish, releaseUpstreamIfEnded. The handlers for after the end are called
        // before the source is released.
        let atEnd = EndHandlers(
            onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted)
        if onSubscribe == nil, onSubscribed == nil, onDispose == nil {
            return lift(state: (), onEnd: { sink, error in atEnd.pass(error) { sink.down.deliverEnd($0) } }) {
                address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Void>, element: inout Element) in
                    do {
                        try onNext?(element)
                        guard let afterNext else { return sink.send(&element) }
                        // Copied, because the receiver of an element may change it.
                        let delivered = element
                        sink.send(&element)
                        try afterNext(delivered)
                    } catch {
                        sink.finish(error)
                    }
                }
            }
        }
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in
                do {
                    try onNext?(element)
                    guard let afterNext else { return coordinator.sendUncontended(&element) }
                    let delivered = element
                    coordinator.sendUncontended(&element)
                    try afterNext(delivered)
                } catch {
                    coordinator.finish(error)
                }
            }
        }
        return observed(named: "do", onSubscribe, onSubscribed, onDispose) { down in
            StatefulCoordinator<SubscribingPhase>.observing(down, atEnd, onDispose, next)
        }
    }

    /// Returns this sequence with a coordinator that observes the beginning and the end of each subscription.
    ///
    /// - Parameter makeCoordinator: makes the coordinator of each subscription with `observing`; called before
    ///   `onSubscribe`.
    @_alwaysEmitIntoClient @inline(__always)
    func observed(
        named name: StaticString,
        _ onSubscribe: (() -> Void)?, _ onSubscribed: (() -> Void)?, _ onDispose: (() -> Void)?,
        makeCoordinator: @escaping (Sink) -> Coordinator
    ) -> Observable<Element> {
        let source = asObservable()
        return CoordinatorObservable(
            named: name,
            primary: nil,
            feeds: [source],
            makeCoordinator: makeCoordinator,
            start: { coordinator in
                onSubscribe?()
                source.attach(coordinator)
                onSubscribed?()
                if coordinator.known(as: StatefulCoordinator<SubscribingPhase>.self).enter(.subscribed) {
                    onDispose?()
                }
            })
    }
}

/// The phase of a subscription. A subscription that ends while it is being made is closed after that, so that
/// `onDispose` can end the work that `onSubscribed` begins.
@usableFromInline
enum SubscribingPhase { case subscribing, subscribed, closed }

extension StatefulCoordinator where State == SubscribingPhase {
    /// Returns the coordinator of one subscription. It calls `atEnd` before and after the end of the sequence, and
    /// `onDispose` after the subscription.
    @_alwaysEmitIntoClient @inline(__always)
    static func observing(
        _ down: Sink, _ atEnd: EndHandlers, _ onDispose: (() -> Void)?, _ next: @escaping Sink.Next
    ) -> Coordinator {
        StatefulCoordinator(
            next: next, down: down, state: .subscribing,
            onEnd: { coordinator, error in
                atEnd.pass(error) { coordinator.deliverFinish($0) }
                coordinator.down.releaseUpstreamIfEnded()
            },
            onClose: onDispose.map { onDispose in { coordinator in if coordinator.enter(.closed) { onDispose() } } })
    }

    /// Enters a phase. Returns `true` to the second of the two callers, when the subscription was made and has been
    /// closed.
    @usableFromInline
    func enter(_ phase: SubscribingPhase) -> Bool {
        serial.withLock {
            defer { state = phase }
            return state != .subscribing
        }
    }
}

/// The functions that `do` calls before and after the end of a sequence.
@usableFromInline
struct EndHandlers {
    private let onError: ((any Error) throws -> Void)?
    private let afterError: ((any Error) throws -> Void)?
    private let onCompleted: (() throws -> Void)?
    private let afterCompleted: (() throws -> Void)?

    @usableFromInline
    init(
        onError: ((any Error) throws -> Void)?, afterError: ((any Error) throws -> Void)?,
        onCompleted: (() throws -> Void)?, afterCompleted: (() throws -> Void)?
    ) {
        self.onError = onError
        self.afterError = afterError
        self.onCompleted = onCompleted
        self.afterCompleted = afterCompleted
    }

    /// Ends downstream with `error`, or with an error that a closure throws before that.
    @usableFromInline
    func pass(_ error: (any Error)?, to end: ((any Error)?) -> Void) {
        do {
            if let error { try onError?(error) } else { try onCompleted?() }
        } catch {
            return end(error)
        }
        end(error)
        // Ignores an error that is thrown after the end, because no event can follow the end.
        if let error { try? afterError?(error) } else { try? afterCompleted?() }
    }
}
