extension ObservableType {
    /// The elements and the completion, each `dueTime` later.
    ///
    ///     let echo = sound.delay(.milliseconds(200), scheduler: scheduler)
    ///
    /// An error is passed on at once, and drops what still waits. Elements are delivered on `scheduler`, in order; those that are
    /// due share a timer.
    // 7.8 × map on virtual time (48 ns): the clock is read for each element (240 instructions through `any SchedulerType`), which then waits
    // in a queue under the lock and is taken out of it in another turn.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        typealias State = Timed<Delayed<Element>>
        return joint(
            state: State(Delayed()),
            onEnd: { joint, error in
                if let error { return joint.fail(error) }
                joint.delay(dueTime, scheduler) { $0.completion = $1 }
            },
            onClose: { joint in
                joint.state.timer.dispose()
                let dropped = joint.serial.withLock { joint.state.value.takeAll() }
                withExtendedLifetime(dropped) {}
            }
        ) { address, sink in
            sink.receive(address) { (joint: StatefulJoint<State>, element: inout Element) in
                joint.delay(dueTime, scheduler) { $0.waiting.append((element, $1)) }
            }
        }
    }

    /// The elements, of a subscription that is made `dueTime` later.
    ///
    /// The source is subscribed to on `scheduler`. One timer per subscription.
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        let forward = Input.forwardUncontended
        return Observable.joint(state: Timed(()), onClose: StatefulJoint<Timed<Void>>.endTimer, feeds: [source]) { joint in
            joint.startTimer(0, after: dueTime, on: scheduler) { joint, _ in
                joint.subscribe(source, through: Input(next: forward, joint: joint))
            }
        }
    }
}

/// What waits for its time, in order.
@usableFromInline
struct Delayed<Element> {
    @usableFromInline var waiting = Fifo<(element: Element, arrival: RxTime)>()
    @usableFromInline var completion: RxTime?
    /// Whether a timer runs or elements are being delivered.
    @usableFromInline var isActive = false

    @inlinable init() {}

    @inlinable
    mutating func takeAll() -> Fifo<(element: Element, arrival: RxTime)> {
        var all = Fifo<(element: Element, arrival: RxTime)>()
        swap(&all, &waiting)
        return all
    }
}

extension StatefulJoint where State: ~Copyable {
    /// Lets something wait, and starts the timer if none runs.
    @inlinable
    func delay<Element>(
        _ dueTime: RxTimeInterval, _ scheduler: any SchedulerType, _ add: (inout Delayed<Element>, RxTime) -> Void
    ) where State == Timed<Delayed<Element>> {
        let now = scheduler.now
        let number: Int? = serial.withLock {
            add(&state.value, now)
            if state.value.isActive { return nil }
            state.value.isActive = true
            state.number += 1
            return state.number
        }
        if let number { deliverLater(number, after: dueTime, dueTime, scheduler) }
    }

    @inlinable
    func deliverLater<Element>(_ number: Int, after span: RxTimeInterval, _ dueTime: RxTimeInterval, _ scheduler: any SchedulerType)
    where State == Timed<Delayed<Element>> {
        startTimer(number, after: span, on: scheduler) { joint, _ in joint.deliverDue(dueTime, scheduler) }
    }

    /// Delivers what is due, and starts the timer for what is left.
    @inlinable
    func deliverDue<Element>(_ dueTime: RxTimeInterval, _ scheduler: any SchedulerType) where State == Timed<Delayed<Element>> {
        let now = scheduler.now
        serial.lock()
        while !isFinished, let next = state.value.waiting.first, dueTime.remainder(from: next.arrival, at: now) < .dateResolution {
            _ = state.value.waiting.popFirst()
            var element = next.element
            down.emit(&element)
        }
        let wait = (state.value.waiting.first?.arrival ?? state.value.completion).map { dueTime.remainder(from: $0, at: now) }
        if wait == nil { state.value.isActive = false }
        state.number += 1
        let number = state.number
        serial.unlock()
        guard let wait, !down.isStopped else { return }
        if wait < .dateResolution { return complete() }
        deliverLater(number, after: .rounded(seconds: wait), dueTime, scheduler)
    }
}
