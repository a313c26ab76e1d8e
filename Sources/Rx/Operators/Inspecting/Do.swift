extension ObservableType {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = rows.do(onNext: { print("row", $0) }, onDispose: { print("over") })
    ///
    /// The functions run on the thread of the event. If one of them throws before an event has passed, that error takes
    /// the event's place; after an element, it ends the sequence.
    ///
    /// - Parameters:
    ///   - onNext: before an element is delivered.
    ///   - afterNext: after it was delivered.
    ///   - onError: before an error is delivered.
    ///   - afterError: after it was delivered.
    ///   - onCompleted: before completion is delivered.
    ///   - afterCompleted: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed;
    ///     after `onSubscribed`,
    ///     even if it has ended by then.
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Observable<Element> {
        let atEnd = EndHandlers(
            onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted)
        if onSubscribe == nil, onSubscribed == nil, onDispose == nil {
            return lift(state: (), onEnd: { sink, error in atEnd.pass(error) { sink.down.tell($0) } }) {
                address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Void>, element: inout Element) in
                    do {
                        try onNext?(element)
                        guard let afterNext else { return sink.forward(&element) }
                        // A copy, as the receiver of an element may change it.
                        let delivered = element
                        sink.forward(&element)
                        try afterNext(delivered)
                    } catch {
                        sink.fail(error)
                    }
                }
            }
        }
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in
                do {
                    try onNext?(element)
                    guard let afterNext else { return coordinator.forwardUncontended(&element) }
                    let delivered = element
                    coordinator.forwardUncontended(&element)
                    try afterNext(delivered)
                } catch {
                    coordinator.fail(error)
                }
            }
        }
        return observed(named: "do", onSubscribe, onSubscribed, onDispose) { down in
            StatefulCoordinator<SubscribingPhase>.observing(down, atEnd, onDispose, next)
        }
    }

    /// The sequence through a coordinator, which knows when its subscription begins and ends.
    ///
    /// - Parameter makeCoordinator: makes the coordinator of each subscription, by `observing`; called before
    ///   `onSubscribe`.
    @inlinable @inline(__always)
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

/// How far a subscription is. One that ends while it is being made is closed once that is done, so that what
/// `onSubscribed` begins `onDispose` can end.
@usableFromInline
enum SubscribingPhase { case subscribing, subscribed, closed }

extension StatefulCoordinator where State == SubscribingPhase {
    /// The coordinator of one subscription, which calls `atEnd` around its end and `onDispose` when it is over.
    @inlinable @inline(__always)
    static func observing(
        _ down: Sink, _ atEnd: EndHandlers, _ onDispose: (() -> Void)?, _ next: @escaping Sink.Next
    ) -> Coordinator {
        StatefulCoordinator(
            next: next, down: down, state: .subscribing,
            onEnd: { coordinator, error in
                atEnd.pass(error) { coordinator.finishTelling($0) }
                coordinator.down.letGo()
            },
            onClose: onDispose.map { onDispose in { coordinator in if coordinator.enter(.closed) { onDispose() } } })
    }

    /// `true` if the subscription was made and has been closed: for the second of the two callers.
    @usableFromInline
    func enter(_ phase: SubscribingPhase) -> Bool {
        serial.withLock {
            defer { state = phase }
            return state != .subscribing
        }
    }
}

/// The functions that `do` calls around the end of a sequence.
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
        // Nothing can follow the end, so what is thrown after it has nowhere to go.
        if let error { try? afterError?(error) } else { try? afterCompleted?() }
    }
}
