/// Delivers the events of one source on a scheduler with a queue. Each event keeps its place among all other work of
/// the queue.
///
/// A *run* is one item of that queue, and delivers one event. On a `SerialLane`, consecutive events share a run while
/// its item is the newest item of the lane: nothing was scheduled between these events, so the difference cannot be
/// observed. The run delivers 128 of them at a time. On a queue that other code can reach, a block may lie between any
/// two events, and each event is a separate run.
///
/// ```text
/// open: the newest run ──its item has begun──▶ begun
///   │                                            ▲
///   └──another item came──▶ closed ──────────────┘
/// ```
@usableFromInline
class QueuedCoordinator: Coordinator, @unchecked Sendable {
    // @unchecked: for the same reason as every sink; `queueLock` guards the mutable state.
    // Kernel-internal: didClose, primaryEnded. A subclass, because the part that does not depend on the elements is not
    // generic.

    /// An item of the queue, and the number of elements that it delivers.
    fileprivate struct Run {
        let item: ScheduledItem
        let count: Int
    }

    /// The events that a run delivers.
    @usableFromInline
    struct Delivery {
        /// The number of waiting elements to deliver.
        @usableFromInline var count: Int
        /// The end that follows the elements; the outer `nil` if no end follows.
        @usableFromInline let ending: (any Error)??
    }

    /// The number of elements that a run delivers before its turn may end.
    @usableFromInline static var mostAtOnce: Int { 128 }

    private let queue: any ItemQueue
    /// The lane of a scheduler whose queue no other code can reach.
    // Unmanaged, because `queue` keeps the lane alive.
    private let lane: Unmanaged<SerialLane>?
    /// The main scheduler, if `queue` is the main scheduler. It may deliver at once.
    @usableFromInline final let main: MainScheduler?
    /// Delivers one run. The closure is formed where the element's type is concrete.
    private let turn: (QueuedCoordinator) -> Void

    /// Guards the waiting elements and the runs. No user code runs under this lock.
    @usableFromInline final let queueLock = BiasedLock()
    @exclusivity(unchecked) private final var closed = RingBuffer<Run>()
    @exclusivity(unchecked) private final var openItem: ScheduledItem?
    /// A link to `openItem`, or `none`.
    // Stored separately, because a comparison with `openItem` would retain it.
    @exclusivity(unchecked) private final var openLink = ItemLink.none
    @exclusivity(unchecked) private final var openCount = 0
    /// The end of the source; the outer `nil` until the source has ended.
    @exclusivity(unchecked) private final var ending: (any Error)??
    @exclusivity(unchecked) private final var isClosed = false

    #if TRACE_RESOURCES
        /// The tag by which a run that continues is removed from the counts of pending work.
        @exclusivity(unchecked) private final var pendingTag: UInt32 = 0
    #endif

    @usableFromInline
    init(queue: OrderedQueue, down: Sink, next: @escaping Next, turn: @escaping (QueuedCoordinator) -> Void) {
        let queue = queue.scheduler
        self.queue = queue
        lane = queue.lane
        // Compares the type, because a cast takes longer than the rest of this initialiser.
        let isMain = type(of: queue) == MainScheduler.self
        main = isMain ? unsafeDowncast(queue as AnyObject, to: MainScheduler.self) : nil
        self.turn = turn
        super.init(next: next, down: down)
    }

    /// Adds `count` events to the open run, or begins another run. The caller holds the lock, and this method releases
    /// it.
    @usableFromInline
    final func schedule(_ count: Int) {
        if isClosed { return queueLock.unlock() }
        if let lane, lane._withUnsafeGuaranteedRef({ $0.isNewest(openLink) }) {
            openCount &+= count
            return queueLock.unlock()
        }
        if let openItem { closed.append(Run(item: openItem, count: openCount)) }
        let item: ScheduledItem
        if let lane {
            item = lane._withUnsafeGuaranteedRef { $0.makeItem(self, action: Self.run) }
        } else {
            item = ScheduledItem(self, action: Self.run)
        }
        openItem = item
        openLink = ItemLink(.passUnretained(item))
        openCount = count
        item.countAsPending()
        // Releases the lock first, because the item takes it as soon as it begins. If two threads send at the same
        // time, their items may be queued in either order: the first item to begin delivers the oldest run.
        queueLock.unlock()
        if let lane { lane._withUnsafeGuaranteedRef { $0.push(item) } } else { queue.enqueue(item) }
    }

    private static func run(_ coordinator: QueuedCoordinator) -> any Disposable {
        if coordinator.lane == nil {
            // Items of a concurrent queue may run at the same time: one of them delivers for the others.
            coordinator.drain.request { coordinator.turn(coordinator) }
        } else {
            coordinator.turn(coordinator)
        }
        return Disposables.create()
    }

    /// Begins the oldest run, unless the subscription is over. The caller holds the lock.
    @usableFromInline
    final func beginRun() -> Delivery? {
        if isClosed { return nil }
        if let run = closed.popFirst() {
            return Delivery(count: run.count, ending: openItem == nil ? ending : nil)
        }
        if openItem == nil { return nil }
        openItem = nil
        openLink = .none
        return Delivery(count: openCount, ending: ending)
    }

    /// Continues the current run before anything else on the lane, in this turn or in the next one.
    @usableFromInline
    final func goOn() {
        #if TRACE_RESOURCES
            pendingTag = Pending.work(ObjectIdentifier(self), after: 0)
        #endif
        lane?._withUnsafeGuaranteedRef { $0.goOn(with: self) }
    }

    /// Called by the lane after `goOn()`.
    final func resume() {
        #if TRACE_RESOURCES
            Resources.gone(pendingTag)
        #endif
        turn(self)
    }

    @usableFromInline
    override func primaryEnded(_ error: (any Error)?) {
        queueLock.lock()
        if let main, main.begin() {
            queueLock.unlock()
            finish(error)
            return main.end()
        }
        ending = .some(error)
        schedule(0)
    }

    /// Drops the runs that have not begun, and refuses further runs.
    @usableFromInline
    final func closeQueue() {
        let dropped = queueLock.withLock { () -> (RingBuffer<Run>, ScheduledItem?) in
            isClosed = true
            let dropped = (closed, openItem)
            closed.removeAll()
            openItem = nil
            openLink = .none
            return dropped
        }
        var runs = dropped.0
        while let run = runs.popFirst() { run.item.dispose() }
        dropped.1?.dispose()
    }
}

/// A coordinator for elements of one type.
@usableFromInline
final class QueuedElements<Element>: QueuedCoordinator, @unchecked Sendable {
    // @unchecked: for the same reason as its superclass.
    @exclusivity(unchecked) @usableFromInline var waiting = RingBuffer<Element>()
    // Only the current run accesses these properties: the elements that it has taken from `waiting`, the number of
    // elements that it will still take with the end that follows them, and whether the run continues in another turn.
    @exclusivity(unchecked) @usableFromInline var batch = RingBuffer<Element>()
    @exclusivity(unchecked) @usableFromInline var rest = Delivery(count: 0, ending: nil)
    @exclusivity(unchecked) @usableFromInline var goesOn = false

    @usableFromInline
    override init(
        queue: OrderedQueue, down: Sink, next: @escaping Next, turn: @escaping (QueuedCoordinator) -> Void
    ) {
        super.init(queue: queue, down: down, next: next, turn: turn)
    }

    @inlinable @inline(__always)
    func enqueue(_ element: Element) {
        queueLock.lock()
        if let main, main.begin() { return deliverInline(element, on: main) }
        waiting.append(element)
        schedule(1)
    }

    /// Delivers an element at once, because no work of the main scheduler waits. The caller holds the lock, and this
    /// method releases it.
    @inlinable @inline(__always)
    func deliverInline(_ element: Element, on main: MainScheduler) {
        queueLock.unlock()
        var element = element
        sendUncontended(&element)
        main.end()
    }

    /// Begins a run, or continues the current one.
    @inlinable
    func deliverRun() {
        if goesOn {
            goesOn = false
        } else {
            queueLock.lock()
            guard let run = beginRun() else { return queueLock.unlock() }
            rest = run
            takeElements()
            queueLock.unlock()
        }
        var count = 0
        while true {
            while count < Self.mostAtOnce, var element = batch.popFirst() {
                if down.isStopped { return batch.removeAll() }
                sendUncontended(&element)
                count &+= 1
            }
            if count == Self.mostAtOnce, !batch.isEmpty || rest.count > 0 {
                goesOn = true
                return goOn()
            }
            if rest.count == 0 { break }
            queueLock.withLock { takeElements() }
        }
        if case .some(let error) = rest.ending { finish(error) }
    }

    /// Takes elements of the run from `waiting`. Takes all of them if `waiting` holds no other elements, and otherwise
    /// a limited number, so that the lock is not held for long.
    @inlinable
    func takeElements() {
        if rest.count == waiting.count {
            swap(&batch, &waiting)
            rest.count = 0
            return
        }
        let count = min(rest.count, Self.mostAtOnce)
        for _ in 0..<count {
            if let element = waiting.popFirst() { batch.append(element) }
        }
        rest.count &-= count
    }

    @usableFromInline
    override func didClose() {
        closeQueue()
        let dropped = queueLock.withLock {
            var dropped = RingBuffer<Element>()
            swap(&dropped, &waiting)
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}

/// A scheduler that runs items in the order in which they are added to its queue.
protocol ItemQueue: ImmediateSchedulerType {
    /// The lane of a serial queue that only its scheduler can reach; `nil` for other queues.
    var lane: Unmanaged<SerialLane>? { get }

    /// Adds an item to the queue. Never runs the item inline.
    func enqueue(_ item: ScheduledItem)
}

extension ItemQueue {
    var lane: Unmanaged<SerialLane>? { nil }

    /// Adds work to the queue as a new item, and returns the item.
    func enqueue<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action: action)
        item.countAsPending()
        enqueue(item)
        return item
    }
}

/// The queue of a scheduler on which other code can observe the order of events.
@usableFromInline
struct OrderedQueue {
    fileprivate let scheduler: any ItemQueue

    /// Creates the queue of `scheduler`; `nil` if the scheduler has no queue of this kind. Called once per sequence,
    /// because three casts take half a microsecond.
    @usableFromInline
    init?(of scheduler: any ImmediateSchedulerType) {
        if let serial = scheduler as? SerialDispatchQueueScheduler {
            self.scheduler = serial
        } else if let operations = scheduler as? OperationQueueScheduler {
            self.scheduler = operations
        } else if let concurrent = scheduler as? ConcurrentDispatchQueueScheduler, !concurrent.ownsQueue {
            self.scheduler = concurrent
        } else if let actor = scheduler as? ActorScheduler {
            self.scheduler = actor
        } else {
            return nil
        }
    }

    /// Whether the queue is a serial dispatch queue.
    @usableFromInline var isSerial: Bool { scheduler is SerialDispatchQueueScheduler }
}
