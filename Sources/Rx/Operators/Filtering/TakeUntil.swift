extension ObservableType {
    /// Delivers the elements until `other` sends an element, and then completes.
    ///
    ///     let drag = moves.take(until: release)
    ///
    /// `other` is subscribed to first. Its completion has no effect, and its error ends the sequence.
    ///
    /// - Complexity: Two allocations per subscription, none per element.
    @_alwaysEmitIntoClient
    public func take<Other: ObservableType>(until other: Other) -> Observable<Element> {
        coordinate(
            state: (),
            start: { $0.subscribe(to: other.asObservable(), Input.completing) }
        ) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in coordinator.send(&element) }
        }
    }

    /// Delivers the elements after `other` has sent an element.
    ///
    ///     let afterLogin = messages.skip(until: login)
    ///
    /// `other` is subscribed to last. Its completion has no effect, and the error of either sequence ends the result.
    /// `other` is disposed at its first element, or, if it sends that element during the subscription to it, directly
    /// after the subscription. If this sequence completes before `other` has sent an element, no completion is sent:
    /// the subscription just ends.
    ///
    /// - Complexity: Two allocations per subscription, none per element.
    @_alwaysEmitIntoClient
    public func skip<Other: ObservableType>(until other: Other) -> Observable<Element> {
        let (source, other) = (asObservable(), other.asObservable())
        return Observable.coordinate(
            state: Opening(),
            onEnd: { coordinator, error in
                if let error { return coordinator.finish(error) }
                if coordinator.serial.withLock({ coordinator.state.isOpen }) {
                    coordinator.finish()
                } else {
                    coordinator.disposeSources()
                }
            },
            feeds: [source, other],
            start: { coordinator in
                coordinator.subscribe(toPrimary: source)
                coordinator.subscribe(toOpening: other)
            }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<Opening>, element: inout Element) in
                coordinator.sendIfOpen(&element)
            }
        }
    }
}

extension Input {
    /// The `next` of an input whose first element completes the coordinator.
    @usableFromInline static var completing: Sink.Next {
        { _, sink in sink.known(as: Input.self).coordinator.finish() }
    }
}

/// Whether the other sequence of `skip(until:)` has sent an element.
@usableFromInline
struct Opening {
    @usableFromInline var isOpen = false
    /// Whether the subscription to the other sequence was made.
    @usableFromInline var isSubscribed = false

    @inlinable init() {}
}

extension StatefulCoordinator where State == Opening {
    /// Subscribes to `other`, whose first element lets the primary source through.
    @usableFromInline
    func subscribe(toOpening other: ObservableBase) {
        let input = Input(
            next: { _, sink in
                let input = sink.known(as: Input.self)
                let coordinator = input.coordinator(of: Opening.self)
                let isOver = coordinator.serial.withLock {
                    coordinator.state.isOpen = true
                    return coordinator.state.isSubscribed
                }
                if isOver { input.dispose() }
            }, coordinator: self
        ) { input, error in
            if let error { input.coordinator.finish(error) }
        }
        subscribe(to: other, through: input)
        let isOver = serial.withLock {
            state.isSubscribed = true
            return state.isOpen
        }
        if isOver { input.dispose() }
    }

    /// Forwards an element if `other` has sent an element.
    @_alwaysEmitIntoClient @inline(__always)
    func sendIfOpen<Element>(_ element: inout Element) {
        serial.lock()
        if state.isOpen { sendLocked(&element) }
        serial.unlock()
    }
}
