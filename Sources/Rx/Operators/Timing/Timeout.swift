extension ObservableType {
    /// Delivers the elements, or fails with `RxError.timeout` if the next one does not arrive within `dueTime`.
    ///
    ///     let page = load().timeout(.seconds(5), scheduler: MainScheduler.instance)
    ///
    /// The time starts at the subscription, and again when each element is delivered.
    ///
    /// - Complexity: Three allocations per subscription, plus the allocations of its timer; none per element, which
    ///   only moves the timer. On a user's scheduler, whose timers cannot be moved, each element starts a timer.
    @_alwaysEmitIntoClient
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(dueTime, other: Observable.error(RxError.timeout), scheduler: scheduler)
    }

    /// Delivers the elements, and switches to the elements of `other` if the next element does not arrive within
    /// `dueTime`.
    ///
    /// The time starts at the subscription, and again when each element is delivered. When it has passed, `other` is
    /// subscribed to and this sequence is disposed. In virtual time, an element that is due at the same moment is
    /// delivered if its source scheduled it before the timer was started: for the first time before the source is
    /// subscribed to, and again after each element.
    ///
    /// - Complexity: The same as `timeout(_:scheduler:)`.
    // Several times the cost of `map`: most of it is reading the clock for each element.
    @_alwaysEmitIntoClient
    public func timeout<Other: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Other, scheduler: any SchedulerType
    ) -> Observable<Element> where Other.Element == Element {
        timeout(dueTime, other: other, scheduler) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<Timed<TimeoutState>>, element: inout Element) in
                if coordinator.serial.withLock({ coordinator.state.value.beginDelivery() }) {
                    // Without the lock, so that another sender does not wait. The source is not given up during the
                    // delivery, even if the timer fires.
                    coordinator.sendUncontended(&element)
                    coordinator.endDelivery()
                }
            }
        }
    }

    @_alwaysEmitIntoClient @inline(__always)
    func timeout<Other: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Other, _ scheduler: any SchedulerType, _ next: @escaping Sink.Next
    ) -> Observable<Element> where Other.Element == Element {
        let source = asObservable()
        let forward = Input.sendUncontended
        return Observable.coordinate(
            state: Timed(TimeoutState(), dueTime, on: scheduler) { coordinator, number in
                guard coordinator.givesUp(number) else { return }
                coordinator.subscribe(to: other.asObservable(), through: Input(next: forward, coordinator: coordinator))
                // Disposes the source after that, so that an end of `other` is reported before the source is released.
                coordinator.disposePrimary()
            },
            onEnd: { coordinator, error in if coordinator.expire() { coordinator.finish(error) } },
            onClose: StatefulCoordinator<Timed<TimeoutState>>.endTimer,
            feeds: [source, other.asObservable()],
            start: { $0.watch(source) },
            next: next)
    }
}

/// Whether a source was given up.
@usableFromInline
struct TimeoutState {
    /// Whether the source was given up, or has ended by itself.
    @usableFromInline var isExpired = false
    /// The number of elements that are being delivered. It is more than one if an observer sends during a delivery, or
    /// if a source sends on several threads.
    @usableFromInline var deliveries = 0

    @inlinable init() {}

    /// Begins the delivery of an element. Returns `false` if the source was given up.
    @inlinable
    mutating func beginDelivery() -> Bool {
        if isExpired { return false }
        deliveries &+= 1
        return true
    }
}

extension StatefulCoordinator where State == Timed<TimeoutState> {
    /// Gives up the source. Returns `true` the first time.
    @usableFromInline
    func expire() -> Bool {
        serial.withLock {
            defer { state.value.isExpired = true }
            return !state.value.isExpired
        }
    }

    /// Subscribes to the source with the timer running.
    // Not inlined: reports name the operator whose timer waits by the file that starts it.
    @usableFromInline @inline(never)
    func watch(_ source: ObservableBase) {
        // Starts the timer before the subscription, because the source may deliver for a long time before it returns.
        startRestartableTimer(0)
        if !isStopped { subscribe(toPrimary: source) }
    }

    /// Begins the span after an element was delivered.
    @inlinable
    func endDelivery() {
        let number = serial.withLock { () -> Int? in
            state.value.deliveries &-= 1
            return state.value.isExpired ? nil : state.restart()
        }
        if let number { startAgain(number) }
    }

    @usableFromInline @inline(never)
    func startAgain(_ number: Int) {
        if !down.isStopped { startRestartableTimer(number) }
    }

    /// Handles timer `number`, which has fired. Returns whether the source is given up. It is not given up while an
    /// element is being delivered: a timer is started after the delivery.
    @usableFromInline
    func givesUp(_ number: Int) -> Bool {
        serial.withLock {
            guard state.fired(number), !state.value.isExpired, state.value.deliveries == 0 else { return false }
            state.value.isExpired = true
            return true
        }
    }
}
