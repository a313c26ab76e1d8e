extension ObservableType {
    /// Delivers the same events on `scheduler`.
    ///
    ///     load().observe(on: MainScheduler.instance)
    ///         .subscribe(onNext: { label.text = $0 })
    ///         .disposed(by: bag)
    ///
    /// Events keep their order and do not overlap, on concurrent schedulers too. The end is delivered after all
    /// elements. Disposing drops the events that still wait. On dispatch queues and operation queues each event takes
    /// its place in the queue as it arrives, so that it keeps its order with all other work there. On other schedulers
    /// the operator schedules a turn for one event after the other.
    ///
    /// - Complexity: One allocation per subscription, two on the current thread; none per element once the queue has
    ///   grown to its size, except the allocations of the scheduler's turns.
    // Several times the cost of `map`: an element is added to a queue under a lock and removed on another thread. The
    // cost is higher in turns of the main scheduler, which drivers use: an action is scheduled for each element, even
    // if it may run at once.
    @_alwaysEmitIntoClient
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        if let queue = OrderedQueue(of: scheduler) { return observe(on: queue) }
        let deliversBatches = scheduler is ConcurrentDispatchQueueScheduler
        return CoordinatorObservable(
            primary: asObservable(),
            makeCoordinator: { down in
                ObserveOnCoordinator<Element>(scheduler: scheduler, deliversBatches: deliversBatches, down: down) {
                    address, sink in
                    sink.receive(address) { (coordinator: ObserveOnCoordinator<Element>, element: inout Element) in
                        coordinator.enqueue(element)
                    }
                } turn: {
                    $0.deliver()
                }
            }, start: nil)
    }

    @_alwaysEmitIntoClient @inline(__always)
    func observe(named name: StaticString = "observe(on:)", on queue: OrderedQueue) -> Observable<Element> {
        let makeCoordinator = { (down: Sink) -> Coordinator in
            QueuedElements<Element>(queue: queue, down: down) { address, sink in
                sink.receive(address) { (coordinator: QueuedElements<Element>, element: inout Element) in
                    coordinator.enqueue(element)
                }
            } turn: {
                $0.known(as: QueuedElements<Element>.self).deliverRun()
            }
        }
        #if TRACE_RESOURCES
            if queue.isSerial {
                return SerialObserveOnObservable(named: name, primary: asObservable(), makeCoordinator: makeCoordinator)
            }
        #endif
        return CoordinatorObservable(
            named: name, primary: asObservable(), makeCoordinator: makeCoordinator, start: nil)
    }
}

#if TRACE_RESOURCES
    /// An observable on a serial dispatch queue. `Resources.numberOfSerialDispatchQueueObservables` counts it while it
    /// is alive.
    @usableFromInline
    final class SerialObserveOnObservable<Element>: CoordinatorObservable<Element>, @unchecked Sendable {
        // @unchecked: for the same reason as its superclass.

        @usableFromInline
        init(named name: StaticString, primary: ObservableBase, makeCoordinator: @escaping (Sink) -> Coordinator) {
            super.init(named: name, primary: primary, makeCoordinator: makeCoordinator, start: nil)
            Resources.addSerialObservable(1)
        }

        deinit { Resources.addSerialObservable(-1) }
    }
#endif

/// A queue between two threads. The source fills it, and turns on the scheduler empty it, one turn at a time.
///
/// The turn delivers without `serial`, because only one turn delivers at a time. A slow observer therefore does not
/// block the source.
@usableFromInline
final class ObserveOnCoordinator<Element>: Coordinator, @unchecked Sendable {
    // @unchecked: for the same reason as every sink.
    // Kernel-internal: didClose, primaryEnded. A subclass, because its turns must be formed with concrete types.
    @usableFromInline let scheduler: any ImmediateSchedulerType
    /// Whether a turn delivers all elements that wait when it begins, instead of one event. On a concurrent queue that
    /// no other code can reach, no order of work can show the difference.
    @usableFromInline let deliversBatches: Bool
    /// Runs one turn. The closure is formed where the type is concrete.
    @usableFromInline let turn: (ObserveOnCoordinator<Element>) -> Void
    @usableFromInline let item = CoordinatorTimer()
    /// The turn on the current thread's scheduler. Only one turn is under way at a time, so the object is reused.
    private let trampolineTurn: ObserveOnTurn<Element>?

    /// Guards `waiting`, `ending` and `isActive`, and nothing else.
    @usableFromInline let queueLock = BiasedLock()
    @exclusivity(unchecked) @usableFromInline var waiting = RingBuffer<Element>()
    /// The end of the source; the outer `nil` until the source has ended.
    @exclusivity(unchecked) @usableFromInline var ending: (any Error)??
    /// Whether a turn is scheduled or running.
    @exclusivity(unchecked) @usableFromInline var isActive = false

    // Only the active turn accesses these properties: the batch that is being delivered, and the number of turns so
    // far.
    @exclusivity(unchecked) @usableFromInline var batch = RingBuffer<Element>()
    @exclusivity(unchecked) @usableFromInline var turns = 0

    @usableFromInline
    init(
        scheduler: any ImmediateSchedulerType, deliversBatches: Bool, down: Sink, next: @escaping Next,
        turn: @escaping (ObserveOnCoordinator<Element>) -> Void
    ) {
        self.scheduler = scheduler
        self.turn = turn
        self.deliversBatches = deliversBatches
        // Compares the type, because a cast takes longer than the rest of this initialiser.
        trampolineTurn = type(of: scheduler) == CurrentThreadScheduler.self ? ObserveOnTurn() : nil
        super.init(next: next, down: down)
    }

    @inlinable @inline(__always)
    func enqueue(_ element: Element) {
        queueLock.lock()
        waiting.append(element)
        let starts = !isActive
        isActive = true
        queueLock.unlock()
        if starts { scheduleTurn() }
    }

    @usableFromInline
    override func primaryEnded(_ error: (any Error)?) {
        let starts = queueLock.withLock {
            ending = .some(error)
            defer { isActive = true }
            return !isActive
        }
        if starts { scheduleTurn() }
    }

    @usableFromInline
    func scheduleTurn() {
        guard let trampolineTurn else { return scheduleTurnElsewhere() }
        if !Trampoline.isActive { return Trampoline.enter { turn(self) } }
        trampolineTurn.coordinator = self
        Trampoline.push(trampolineTurn)
    }

    @inline(never)
    private func scheduleTurnElsewhere() {
        turns += 1
        let number = turns
        let scheduled = scheduler.schedule(self) { coordinator in
            // On a scheduler that runs work inside `schedule`, the turn that scheduled this one makes another round,
            // which avoids recursion.
            coordinator.drain.request { coordinator.turn(coordinator) }
            return Disposables.create()
        }
        // A turn that has already run has nothing to dispose. This check halves the time of an element on the main
        // queue.
        if type(of: scheduled) == NopDisposable.self { return }
        item.keep(scheduled, number: number)
    }

    /// Delivers all waiting elements, or one of them.
    @inlinable
    func deliver() {
        queueLock.lock()
        if deliversBatches {
            swap(&batch, &waiting)
        } else if let element = waiting.popFirst() {
            batch.append(element)
        }
        let delivers = !batch.isEmpty
        queueLock.unlock()
        while var element = batch.popFirst() {
            if down.isStopped { return batch.removeAll() }
            sendUncontended(&element)
        }
        if !rests() { goOn(mayEnd: deliversBatches || !delivers) }
    }

    /// Returns, after a turn, whether there is nothing to do until the source's next event.
    @inlinable @inline(__always)
    func rests() -> Bool {
        queueLock.lock()
        if waiting.isEmpty, case .none = ending { isActive = false }
        let rests = !isActive
        queueLock.unlock()
        return rests
    }

    /// Finishes if everything was delivered, and schedules another turn otherwise.
    @usableFromInline
    func goOn(mayEnd: Bool) {
        let ended: (any Error)?? = queueLock.withLock { mayEnd && waiting.isEmpty ? ending : nil }
        if case .some(let error) = ended { return finish(error) }
        if !down.isStopped { scheduleTurn() }
    }

    @usableFromInline
    override func didClose() {
        item.dispose()
        let dropped = queueLock.withLock {
            var dropped = RingBuffer<Element>()
            swap(&dropped, &waiting)
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}

/// A turn of `ObserveOnCoordinator` in the queue of the current thread.
private final class ObserveOnTurn<Element>: TrampolineAction {
    /// Set only while the turn is queued, because the coordinator retains the turn.
    @exclusivity(unchecked) var coordinator: ObserveOnCoordinator<Element>?

    override func run() {
        guard let coordinator else { return }
        self.coordinator = nil
        coordinator.turn(coordinator)
    }
}
