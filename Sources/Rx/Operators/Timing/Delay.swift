extension ObservableType {
    /// The elements and the completion, each `dueTime` later.
    ///
    ///     let echo = sound.delay(.milliseconds(200), scheduler: scheduler)
    ///
    /// Events are delivered on `scheduler`, in order, each in a turn of its own. An error overtakes those that still
    /// wait and drops them: it is delivered at once, or as soon as an element that is under way was delivered. A
    /// thread that sends or disposes meanwhile does not wait for the observer.
    ///
    /// - Complexity: One allocation per subscription, none per element once the queue has grown to its size, beside
    ///   those of the timers: on dispatch queues one for each element, so that it keeps its place among all other work
    ///   there; on other schedulers one at a time.
    // The clock is read for each element, which then waits in a queue under the lock and is taken out of it in another
    // turn.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        if OrderedQueue(of: scheduler) != nil { return delayEach(dueTime, scheduler: scheduler) }
        return coordinate(
            state: Timed(Delayed<Element>(), dueTime, on: scheduler) { coordinator, _ in coordinator.deliverNext() },
            onEnd: { coordinator, error in
                if let error {
                    if coordinator.serial.withLock({ coordinator.state.value.fails(with: error) }) {
                        coordinator.fail(error)
                    }
                } else {
                    coordinator.delay { $0.completion = $1 }
                }
            },
            onClose: { coordinator in
                coordinator.state.timer.dispose()
                let dropped = coordinator.serial.withLock { coordinator.state.value.takeAll() }
                withExtendedLifetime(dropped) {}
            }
        ) { address, sink in
            sink.receive(address) {
                (coordinator: StatefulCoordinator<Timed<Delayed<Element>>>, element: inout Element) in
                coordinator.delay { $0.waiting.append((element, $1)) }
            }
        }
    }

    /// As `delay`, with a timer for each event.
    @inlinable
    func delayEach(
        named name: StaticString = "delay(_:scheduler:)", _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> Observable<Element> {
        typealias State = DelayedOnQueue<Element>
        return coordinate(
            state: State(dueTime, scheduler),
            onEnd: { coordinator, error in
                guard let error else { return coordinator.arm(nil) }
                if coordinator.serial.withLock({ coordinator.state.fails(with: error) }) { coordinator.fail(error) }
            },
            onClose: { coordinator in
                var dropped = coordinator.serial.withLock { coordinator.state.close() }
                while let next = dropped.popFirst() { next.timer.dispose() }
            },
            named: name
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                coordinator.arm(element)
            }
        }
    }

    /// The elements, of a subscription that is made `dueTime` later.
    ///
    /// The source is subscribed to on `scheduler`.
    ///
    /// - Complexity: Three allocations per subscription, beside those of its timer; none per element.
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        let forward = Input.forwardUncontended
        return Observable.coordinate(
            state: Timed((), dueTime, on: scheduler) { coordinator, _ in
                coordinator.subscribe(source, through: Input(next: forward, coordinator: coordinator))
            },
            onClose: StatefulCoordinator<Timed<Void>>.endTimer,
            feeds: [source],
            start: { $0.startTimer(0, after: $0.state.dueTime) })
    }
}

/// The events that wait for their time, in order.
@usableFromInline
struct Delayed<Element> {
    @usableFromInline var waiting = RingBuffer<(element: Element, arrival: RxTime)>()
    @usableFromInline var completion: RxTime?
    /// Whether a timer runs or an element is being delivered.
    @usableFromInline var isActive = false
    /// Whether an element is being delivered.
    @usableFromInline var isDelivering = false
    /// The source's error, which is the next to be delivered.
    @usableFromInline var error: (any Error)?

    @inlinable init() {}

    /// Whether the source's error is to be delivered now; else it follows the element under way.
    @inlinable
    mutating func fails(with error: any Error) -> Bool {
        self.error = error
        return !isDelivering
    }

    /// The element whose turn it is; none once the source has failed, as the error may be under way.
    @inlinable
    mutating func beginDelivery() -> Element? {
        guard error == nil, let next = waiting.popFirst() else { return nil }
        isDelivering = true
        return next.element
    }

    @inlinable
    mutating func takeAll() -> RingBuffer<(element: Element, arrival: RxTime)> {
        var all = RingBuffer<(element: Element, arrival: RxTime)>()
        swap(&all, &waiting)
        return all
    }
}

extension StatefulCoordinator where State: ~Copyable {
    /// Lets something wait, and starts the timer if none runs.
    @inlinable
    func delay<Element>(_ add: (inout Delayed<Element>, RxTime) -> Void) where State == Timed<Delayed<Element>> {
        let now = state.now
        let number: Int? = serial.withLock {
            add(&state.value, now)
            if state.value.isActive { return nil }
            state.value.isActive = true
            state.number += 1
            return state.number
        }
        if let number { startTimer(number, after: state.dueTime) }
    }

    /// One turn: delivers what comes next, and starts the timer for what is left.
    @inlinable
    func deliverNext<Element>() where State == Timed<Delayed<Element>> {
        guard var element = serial.withLock({ isFinished ? nil : state.value.beginDelivery() }) else {
            if serial.withLock({ state.value.error == nil }) { complete() }
            return
        }
        // Without the lock: only the turn that is active delivers.
        down.emit(&element)
        let now = state.now
        let (error, next) = serial.withLock { () -> ((any Error)?, (number: Int, wait: Double)?) in
            state.value.isDelivering = false
            let arrival = state.value.waiting.first?.arrival ?? state.value.completion
            if state.value.error != nil || arrival == nil { state.value.isActive = false }
            state.number += 1
            return (state.value.error, arrival.map { (state.number, state.dueTime.remainder(from: $0, at: now)) })
        }
        if let error { return fail(error) }
        guard let next, !down.isStopped else { return }
        startTimer(next.number, after: .rounded(seconds: next.wait))
    }
}

/// The events that wait for their time on a queue, each with its timer.
@usableFromInline
struct DelayedOnQueue<Element> {
    /// Without an element, the completion.
    @usableFromInline typealias Waiting = (element: Element?, timer: any Disposable)

    @usableFromInline let dueTime: RxTimeInterval
    @usableFromInline let scheduler: any SchedulerType
    @usableFromInline var waiting = RingBuffer<Waiting>()
    @usableFromInline var isDelivering = false
    @usableFromInline var isClosed = false
    /// The source's error, which is the next to be delivered.
    @usableFromInline var error: (any Error)?

    @inlinable
    init(_ dueTime: RxTimeInterval, _ scheduler: any SchedulerType) {
        self.dueTime = dueTime
        self.scheduler = scheduler
    }

    /// Whether the source's error is to be delivered now; else it follows the element under way.
    @inlinable
    mutating func fails(with error: any Error) -> Bool {
        self.error = error
        return !isDelivering
    }

    @inlinable
    mutating func beginDelivery() -> Waiting? {
        guard error == nil, let next = waiting.popFirst() else { return nil }
        isDelivering = true
        return next
    }

    /// Ends a delivery, and returns the error that was held up by it.
    @inlinable
    mutating func endDelivery() -> (any Error)? {
        isDelivering = false
        return error
    }

    @inlinable
    mutating func close() -> RingBuffer<Waiting> {
        isClosed = true
        var all = RingBuffer<Waiting>()
        swap(&all, &waiting)
        return all
    }
}

extension StatefulCoordinator {
    /// Lets an event wait, or the completion.
    @inlinable
    func arm<Element>(_ element: Element?) where State == DelayedOnQueue<Element> {
        serial.withLock {
            if state.isClosed { return }
            // Under the lock, so that the event waits before its timer can fire. Our schedulers run nothing in here.
            let timer = state.scheduler.scheduleRelative(self, dueTime: state.dueTime) { coordinator in
                // The timers of a concurrent queue may fire at the same time.
                coordinator.drain.request { coordinator.deliverNext() }
                return Disposables.create()
            }
            state.waiting.append((element, timer))
        }
    }

    /// Delivers the event whose timer has fired.
    @inlinable
    func deliverNext<Element>() where State == DelayedOnQueue<Element> {
        guard let next = serial.withLock({ isFinished ? nil : state.beginDelivery() }) else { return }
        // Without the lock: one event is delivered at a time.
        if var element = next.element { down.emit(&element) } else { complete() }
        if let error = serial.withLock({ state.endDelivery() }) { fail(error) }
    }
}
