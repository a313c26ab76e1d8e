extension ObservableType {
    /// The elements, or `RxError.timeout` if the next one does not come within `dueTime`.
    ///
    ///     let page = load().timeout(.seconds(5), scheduler: MainScheduler.instance)
    ///
    /// Time counts from the subscription and from the moment each element was delivered.
    ///
    /// - Complexity: Three allocations per subscription, beside those of its timer; none per element, which only moves
    ///   the moment that the timer waits for: as long as elements keep coming, one timer runs for each `dueTime`.
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(dueTime, other: Observable.error(RxError.timeout), scheduler: scheduler)
    }

    /// The elements, or those of `other` once the next one does not come within `dueTime`.
    ///
    /// Time counts from the subscription and from the moment each element was delivered. When it is over, this sequence
    /// is disposed and `other` subscribed to. In virtual time, an element due at the very moment is delivered if its
    /// source scheduled it before the timer was started: the first timer is started before the source is subscribed to;
    /// as long as elements keep coming, one runs for each `dueTime`.
    ///
    /// - Complexity: As `timeout(_:scheduler:)`.
    // Several times `map`: the clock is read for each element, which is most of it.
    @inlinable
    public func timeout<Other: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Other, scheduler: any SchedulerType
    ) -> Observable<Element> where Other.Element == Element {
        timeout(dueTime, other: other, scheduler) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<Timed<TimeoutState>>, element: inout Element) in
                if coordinator.serial.withLock({ coordinator.state.value.beginDelivery() }) {
                    // Without the lock: a sender does not wait meanwhile, and the timer does not give up.
                    coordinator.forwardUncontended(&element)
                    let now = coordinator.state.now
                    coordinator.serial.withLock { coordinator.state.value.endDelivery(at: now) }
                }
            }
        }
    }

    @inlinable @inline(__always)
    func timeout<Other: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Other, _ scheduler: any SchedulerType, _ next: @escaping Sink.Next
    ) -> Observable<Element> where Other.Element == Element {
        let source = asObservable()
        let forward = Input.forwardUncontended
        return CoordinatorObservable(
            primary: nil,
            feeds: [source, other.asObservable()],
            makeCoordinator: { down in
                StatefulCoordinator<Timed<TimeoutState>>(
                    next: next, down: down,
                    state: Timed(TimeoutState(), dueTime, on: scheduler) { coordinator, number in
                        guard coordinator.timerFired(number) else { return }
                        coordinator.disposePrimary()
                        coordinator.subscribe(
                            other.asObservable(), through: Input(next: forward, coordinator: coordinator))
                    },
                    onEnd: { coordinator, error in if coordinator.expire() { coordinator.finish(error) } },
                    onClose: StatefulCoordinator<Timed<TimeoutState>>.endTimer)
            },
            start: { $0.known(as: StatefulCoordinator<Timed<TimeoutState>>.self).watch(source) })
    }
}

/// For how long a source has been silent.
@usableFromInline
struct TimeoutState {
    /// Whether the source was given up, or has ended by itself.
    @usableFromInline var isExpired = false
    /// Whether an element has come since the timer was started.
    @usableFromInline var isFollowed = false
    /// How many elements are being delivered: more than one if an observer sends from inside, or a source on several
    /// threads.
    @usableFromInline var deliveries = 0
    /// When the last one was delivered.
    @usableFromInline var lastDelivered: RxTime?

    @inlinable init() {}

    /// Whether an element that has come is to be delivered.
    @inlinable
    mutating func beginDelivery() -> Bool {
        if isExpired { return false }
        isFollowed = true
        deliveries &+= 1
        return true
    }

    @inlinable
    mutating func endDelivery(at time: RxTime) {
        isFollowed = true
        deliveries &-= 1
        lastDelivered = time
    }

    /// Whether the timer gives the source up, or for how long to start another one.
    fileprivate mutating func timerFired(_ dueTime: RxTimeInterval, _ now: RxTime) -> TimeoutStep {
        if isExpired { return .none }
        if deliveries > 0 { return .wait(dueTime) }
        if isFollowed, let lastDelivered {
            isFollowed = false
            if let rest = dueTime.rest(from: lastDelivered, at: now) { return .wait(rest) }
        }
        isExpired = true
        return .giveUp
    }
}

/// The step that follows when the timer of `timeout` fires.
private enum TimeoutStep {
    case none, giveUp
    case wait(RxTimeInterval)
}

extension StatefulCoordinator where State == Timed<TimeoutState> {
    /// Gives up the source. `true` the first time.
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
        // Before the source, which may deliver for long before it returns.
        startTimer(0, after: state.dueTime)
        if !isStopped { source.attach(self) }
    }

    /// Whether the timer gives the source up; else another one may have been started.
    @usableFromInline
    func timerFired(_ number: Int) -> Bool {
        let now = state.now
        let step = serial.withLock { () -> (next: TimeoutStep, number: Int) in
            guard state.number == number else { return (.none, number) }
            let next = state.value.timerFired(state.dueTime, now)
            if case .wait = next { state.number += 1 }
            return (next, state.number)
        }
        switch step.next {
        case .none: return false
        case .giveUp: return true
        case .wait(let rest):
            if !down.isStopped { startTimer(step.number, after: rest) }
            return false
        }
    }
}
