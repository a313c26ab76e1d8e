extension ObservableType {
    /// Delivers the elements that arrive while the latest element of `pauser` is `true`.
    ///
    ///     let isVisible = BehaviorSubject(value: false)
    ///     let readings = PublishSubject<Int>()
    ///     let subscription = readings.pausable(isVisible).subscribe(onNext: { print($0) })
    ///     readings.onNext(1)
    ///     isVisible.onNext(true)
    ///     readings.onNext(2)  // 2
    ///
    /// `pauser` is subscribed to first. Elements that arrive before its first element are dropped. Its completion has
    /// no effect, and its error ends the sequence.
    ///
    /// - Complexity: Two allocations per subscription, none per element.
    @_alwaysEmitIntoClient
    public func pausable<Pauser: ObservableConvertibleType>(_ pauser: Pauser) -> Observable<Element>
    where Pauser.Element == Bool {
        let open: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, isOpen: inout Bool) in
                let coordinator = input.coordinator(of: Bool.self)
                coordinator.serial.withLock { coordinator.state = isOpen }
            }
        }
        return coordinate(state: false, start: { $0.subscribe(to: pauser.asObservable(), open) }) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<Bool>, element: inout Element) in
                if coordinator.serial.withLock({ coordinator.state }) { coordinator.send(&element) }
            }
        }
    }

    /// Delivers the elements. Elements that arrive while the latest element of `pauser` is `false` wait until it is
    /// `true`.
    ///
    ///     let isOnline = BehaviorSubject(value: false)
    ///     let messages = PublishSubject<String>()
    ///     let sent = messages.pausableBuffered(isOnline, limit: 100).subscribe(onNext: { print($0) })
    ///     messages.onNext("hello")
    ///     isOnline.onNext(true)  // hello
    ///
    /// `pauser` is subscribed to first. Before its first element all elements wait. Its completion has no effect, and
    /// its error ends the sequence.
    ///
    /// - Parameters:
    ///   - pauser: the sequence whose `true` lets elements pass.
    ///   - limit: the number of latest elements that wait; with `nil` all elements wait.
    ///   - flushOnCompleted: whether the completion of this sequence sends the waiting elements.
    ///   - flushOnError: whether its error sends the waiting elements.
    /// - Complexity: Two allocations per subscription, none per element once the queue has grown to its size.
    @_alwaysEmitIntoClient
    public func pausableBuffered<Pauser: ObservableConvertibleType>(
        _ pauser: Pauser, limit: Int? = 1, flushOnCompleted: Bool = true, flushOnError: Bool = true
    ) -> Observable<Element> where Pauser.Element == Bool {
        typealias State = Paused<Element>
        let open: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, isOpen: inout Bool) in
                let coordinator = input.coordinator(of: State.self)
                coordinator.serial.withLock {
                    coordinator.state.isOpen = isOpen
                    if isOpen { coordinator.flush() }
                }
            }
        }
        return coordinate(
            state: State(),
            onEnd: { coordinator, error in
                if error == nil ? flushOnCompleted : flushOnError {
                    coordinator.serial.withLock { coordinator.flush() }
                }
                coordinator.finish(error)
            },
            start: { $0.subscribe(to: pauser.asObservable(), open) }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                let forgotten = coordinator.serial.withLock {
                    let forgotten = coordinator.state.keep(element, limit)
                    if coordinator.state.isOpen { coordinator.flush() }
                    return forgotten
                }
                // Releases the dropped element after the lock, because its deinitialiser may be user code.
                withExtendedLifetime(forgotten) {}
            }
        }
    }
}

/// The elements that wait while a sequence is paused.
@usableFromInline
struct Paused<Element> {
    @usableFromInline var isOpen = false
    @usableFromInline var waiting = RingBuffer<Element>()

    @inlinable init() {}

    /// Stores an element. Returns the element that was dropped to keep the limit, if any.
    @inlinable
    mutating func keep(_ element: Element, _ limit: Int?) -> Element? {
        if !isOpen, limit == 0 { return element }
        waiting.append(element)
        if !isOpen, let limit, waiting.count > limit { return waiting.popFirst() }
        return nil
    }
}

extension StatefulCoordinator {
    /// Sends the waiting elements. The caller holds `serial`.
    @_alwaysEmitIntoClient
    func flush<Element>() where State == Paused<Element> {
        while !isFinished, var element = state.waiting.popFirst() { sendUncontended(&element) }
    }
}
