extension ObservableType {
    /// Delivers the elements and the completion, each `dueTime` later.
    ///
    ///     let echo = sound.delay(.milliseconds(200), scheduler: scheduler)
    ///
    /// Events are delivered on `scheduler`, in order, each in a separate turn. An error overtakes the events that still
    /// wait and drops them. It is delivered at once, or directly after an element that is being delivered. A thread
    /// that sends or disposes during a delivery does not wait for the observer.
    ///
    /// - Complexity: One allocation per subscription, none per element once the queue has grown to its size, except the
    ///   allocations of the timers. On dispatch queues each element has a timer, so that it keeps its place among all
    ///   other work there; on other schedulers there is one timer at a time.
    // For each element the clock is read, and the element is added to a queue under the lock and removed in another
    // turn.
    @_alwaysEmitIntoClient
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        if OrderedQueue(of: scheduler) != nil { return delay(each: dueTime, scheduler: scheduler) }
        return coordinate(
            state: Timed(Delayed<Element>(), dueTime, on: scheduler) { coordinator, _ in coordinator.deliverNext() },
            onEnd: { coordinator, error in
                if let error {
                    if coordinator.serial.withLock({ coordinator.state.value.fails(with: error) }) {
                        coordinator.finish(error)
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

    /// Does the same as `delay`, with a timer for each event.
    @_alwaysEmitIntoClient
    func delay(
        named name: StaticString = "delay(_:scheduler:)", each dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> Observable<Element> {
        typealias State = DelayedOnQueue<Element>
        return coordinate(
            state: State(dueTime, scheduler),
            onEnd: { coordinator, error in
                guard let error else { return coordinator.arm(nil) }
                if coordinator.serial.withLock({ coordinator.state.fails(with: error) }) { coordinator.finish(error) }
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

    /// Subscribes to this sequence `dueTime` later, and delivers its elements.
    ///
    /// The source is subscribed to on `scheduler`.
    ///
    /// - Complexity: Three allocations per subscription, plus the allocations of its timer; none per element.
    @_alwaysEmitIntoClient
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        let forward = Input.sendUncontended
        return Observable.coordinate(
            state: Timed((), dueTime, on: scheduler) { coordinator, _ in
                coordinator.subscribe(to: source, through: Input(next: forward, coordinator: coordinator))
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

    /// Stores the source's error. Returns whether the caller must deliver it now; otherwise it follows the current
    /// element.
    @inlinable
    mutating func fails(with error: any Error) -> Bool {
        self.error = error
        return !isDelivering
    }

    /// Returns the next element and marks it as being delivered. Returns `nil` once the source has failed, because the
    /// error may already be on its way.
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
    /// Adds a waiting element or the completion, and starts the timer if no timer runs.
    @_alwaysEmitIntoClient
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

    /// Runs one turn: delivers the next event, and starts the timer for the event after it.
    @_alwaysEmitIntoClient
    func deliverNext<Element>() where State == Timed<Delayed<Element>> {
        guard var element = serial.withLock({ isFinished ? nil : state.value.beginDelivery() }) else {
            if serial.withLock({ state.value.error == nil }) { finish() }
            return
        }
        // Delivers without the lock, because only the active turn delivers.
        sendUncontended(&element)
        let now = state.now
        let (error, next) = serial.withLock { () -> ((any Error)?, (number: Int, wait: Double)?) in
            state.value.isDelivering = false
            let arrival = state.value.waiting.first?.arrival ?? state.value.completion
            if state.value.error != nil || arrival == nil { state.value.isActive = false }
            state.number += 1
            return (state.value.error, arrival.map { (state.number, state.dueTime.remainder(from: $0, at: now)) })
        }
        if let error { return finish(error) }
        guard let next, !down.isStopped else { return }
        startTimer(next.number, after: .rounded(seconds: next.wait))
    }
}

/// The events that wait for their time on a queue, each with its timer.
@usableFromInline
struct DelayedOnQueue<Element> {
    /// An element and its timer. Without an element, this is the completion.
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

    /// Stores the source's error. Returns whether the caller must deliver it now; otherwise it follows the current
    /// element.
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

    /// Ends a delivery, and returns the error that waited for its end.
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
    /// Adds a waiting element, or the completion if `element` is `nil`.
    @_alwaysEmitIntoClient
    func arm<Element>(_ element: Element?) where State == DelayedOnQueue<Element> {
        serial.withLock {
            if state.isClosed { return }
            // Starts the timer under the lock, so that the event is in the queue before its timer can fire. The
            // library's schedulers run no work inside this call.
            let timer = state.scheduler.scheduleRelative(self, dueTime: state.dueTime) { coordinator in
                // The timers of a concurrent queue may fire at the same time.
                coordinator.drain.request { coordinator.deliverNext() }
                return Disposables.create()
            }
            state.waiting.append((element, timer))
        }
    }

    /// Delivers the event whose timer has fired.
    @_alwaysEmitIntoClient
    func deliverNext<Element>() where State == DelayedOnQueue<Element> {
        guard let next = serial.withLock({ isFinished ? nil : state.beginDelivery() }) else { return }
        // Delivers without the lock, because one event is delivered at a time.
        if var element = next.element { sendUncontended(&element) } else { finish() }
        if let error = serial.withLock({ state.endDelivery() }) { finish(error) }
    }
}
