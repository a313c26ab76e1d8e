extension ObservableType {
    /// Delivers at most one element in `dueTime`: the first element at once, and the latest of the following elements
    /// when the time is over.
    ///
    ///     let positions = moves.throttle(.milliseconds(16), scheduler: MainScheduler.instance)
    ///
    /// Completion waits until a pending element was sent, and an error drops the element. Time is counted from the
    /// moment at which the observer has handled an element, on the clock of `scheduler`.
    ///
    /// - Parameters:
    ///   - dueTime: the span in which one element is sent.
    ///   - latest: whether the latest element of a span is sent at the end of the span; otherwise all elements that
    ///     arrive in the span are dropped.
    ///   - scheduler: the clock, and where the latest element of a span is sent.
    /// - Complexity: One allocation per subscription, none per element, except the allocations of at most one timer for
    ///   each element that is sent.
    // Several times the cost of `map`: most of it is reading the clock for each element.
    @_alwaysEmitIntoClient
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Observable<Element> {
        typealias State = Timed<Throttled<Element>>
        return coordinate(
            state: State(Throttled(), dueTime, on: scheduler) { $0.sendPending($1) },
            onEnd: { coordinator, error in
                if let error { return coordinator.finish(error) }
                let isLast = coordinator.serial.withLock {
                    coordinator.state.value.isCompleted = true
                    return coordinator.state.value.pending == nil
                }
                if isLast { coordinator.finish() }
            },
            onClose: StatefulCoordinator<State>.endTimer
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                guard let wait = coordinator.admit(element, latest) else { return }
                coordinator.startTimer(wait.number, after: .rounded(seconds: wait.seconds))
            }
        }
    }
}

@usableFromInline
struct Throttled<Element> {
    @usableFromInline var lastSent: RxTime?
    /// The latest element of this span. A timer runs while this is not `nil`.
    @usableFromInline var pending: Element?
    @usableFromInline var isCompleted = false

    @inlinable init() {}
}

extension StatefulCoordinator where State: ~Copyable {
    /// Sends an element, stores it or drops it. Returns the number and the duration of a timer if the caller must start
    /// one.
    @_alwaysEmitIntoClient
    func admit<Element>(_ element: Element, _ latest: Bool) -> (number: Int, seconds: Double)?
    where State == Timed<Throttled<Element>> {
        let now = state.now
        serial.lock()
        let wait = state.value.lastSent.map { state.dueTime.remainder(from: $0, at: now) } ?? 0
        if wait < .dateResolution {
            let forgotten = state.value.pending
            send(element, now)
            serial.unlock()
            withExtendedLifetime(forgotten) {}
            restartSpan()
            return nil
        }
        guard latest else {
            serial.unlock()
            return nil
        }
        let forgotten = state.value.pending
        state.value.pending = element
        if forgotten == nil { state.number += 1 }
        let number = state.number
        serial.unlock()
        // Releases the previous element after the lock, because its deinitialiser may be user code.
        return withExtendedLifetime(forgotten) { forgotten == nil ? (number, wait) : nil }
    }

    /// Sends the pending element at the end of the span, unless a newer span has begun: timer `number` may fire right
    /// before it is replaced.
    @_alwaysEmitIntoClient
    func sendPending<Element>(_ number: Int) where State == Timed<Throttled<Element>> {
        let now = state.now
        serial.lock()
        guard state.number == number else { return serial.unlock() }
        let element = state.value.pending
        if let element { send(element, now) }
        let isLast = state.value.isCompleted
        serial.unlock()
        if isLast { return finish() }
        if element != nil { restartSpan() }
    }

    /// Sends an element at time `now`. The caller holds `serial`.
    @_alwaysEmitIntoClient
    func send<Element>(_ element: Element, _ now: RxTime) where State == Timed<Throttled<Element>> {
        state.value.pending = nil
        state.value.lastSent = now
        var element = element
        sendLocked(&element)
    }

    /// Counts the span from the moment at which the observer has handled the element, so that a slow observer is not
    /// overloaded.
    @_alwaysEmitIntoClient
    func restartSpan<Element>() where State == Timed<Throttled<Element>> {
        let now = state.now
        serial.withLock { state.value.lastSent = now }
    }
}
