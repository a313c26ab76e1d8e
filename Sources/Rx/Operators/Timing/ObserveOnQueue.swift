/// Hands the events of one source to a scheduler with a queue, each in its place among all other work there.
///
/// A *run* is one item of that queue, and delivers one event. On a `SerialLane`, events that follow each other share a
/// run for as long as its item is the newest of the lane: nothing was scheduled between them, so that nobody can tell.
/// On a queue that others know, a block may lie between any two events, and each event is a run.
///
/// ```text
/// open: the newest run ──its item has begun──▶ begun
///   │                                            ▲
///   └──another item came, or it is full──▶ closed ──┘
/// ```
@usableFromInline
class QueuedCoordinator: Coordinator, @unchecked Sendable {
    // @unchecked: as every sink; what changes is guarded by `queueLock`.

    /// An item of the queue, and how many elements it delivers.
    fileprivate struct Run {
        let item: ScheduledItem
        var count: Int
    }

    /// What a run delivers.
    @usableFromInline
    struct Delivery {
        /// How many of the elements that wait.
        @usableFromInline let count: Int
        /// The end that follows them: the outer `nil` if none does.
        @usableFromInline let ending: (any Error)??
    }

    private let queue: any ItemQueue
    /// The lane of a scheduler with a queue of its own.
    // Unmanaged: `queue` keeps it.
    private let lane: Unmanaged<SerialLane>?
    /// The main scheduler, which may deliver at once.
    @usableFromInline final let main: MainScheduler?
    /// Delivers one run, formed where the element's type is concrete.
    private let turn: (QueuedCoordinator) -> Void

    /// Guards the elements that wait and the runs. No user code runs under it.
    @usableFromInline final let queueLock = HomeLock()
    @exclusivity(unchecked) private final var closed = RingBuffer<Run>()
    @exclusivity(unchecked) private final var open: Run?
    /// How the source has ended, if it has: the outer `nil` says that it has not.
    @exclusivity(unchecked) private final var ending: (any Error)??
    @exclusivity(unchecked) private final var isClosed = false

    @usableFromInline
    init(queue: OrderedQueue, down: Sink, next: @escaping Next, turn: @escaping (QueuedCoordinator) -> Void) {
        let queue = queue.scheduler
        self.queue = queue
        lane = queue.lane
        // By its type, as a cast takes longer than the rest of this.
        let isMain = type(of: queue) == MainScheduler.self
        main = isMain ? unsafeDowncast(queue as AnyObject, to: MainScheduler.self) : nil
        self.turn = turn
        super.init(next: next, down: down)
    }

    /// Adds `count` events to the open run, or begins another one. The lock is held, and released.
    @usableFromInline
    final func schedule(_ count: Int) {
        if isClosed { return queueLock.unlock() }
        if let lane, let run = open, run.count < SerialLane.mostItems,
            lane._withUnsafeGuaranteedRef({ $0.isNewest(run.item) })
        {
            open?.count &+= count
            return queueLock.unlock()
        }
        if let open { closed.append(open) }
        let item: ScheduledItem
        if let lane {
            item = lane._withUnsafeGuaranteedRef { $0.makeItem(self, action: Self.run) }
        } else {
            item = ScheduledItem(self, action: Self.run)
        }
        open = Run(item: item, count: count)
        item.countAsPending()
        // Without the lock, which the item wants as soon as it begins. If two threads send at once, their items may
        // come in either order: the first to begin delivers the oldest run.
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

    /// Begins the oldest run, unless the subscription is over. With the lock held.
    @usableFromInline
    final func beginRun() -> Delivery? {
        if isClosed { return nil }
        guard let run = closed.popFirst() ?? open else { return nil }
        if closed.isEmpty, open?.item === run.item { open = nil }
        return Delivery(count: run.count, ending: open == nil ? ending : nil)
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

    /// Drops the runs that have not begun, and those that would follow.
    @usableFromInline
    final func closeQueue() {
        let dropped = queueLock.withLock { () -> (RingBuffer<Run>, Run?) in
            isClosed = true
            let dropped = (closed, open)
            closed.removeAll()
            open = nil
            return dropped
        }
        var runs = dropped.0
        while let run = runs.popFirst() { run.item.dispose() }
        dropped.1?.item.dispose()
    }
}

/// A coordinator for elements of one type.
@usableFromInline
final class QueuedElements<Element>: QueuedCoordinator, @unchecked Sendable {
    // @unchecked: as its superclass.
    @exclusivity(unchecked) @usableFromInline var waiting = RingBuffer<Element>()
    /// The elements of the run that is under way. Touched by that run alone.
    @exclusivity(unchecked) @usableFromInline var batch = RingBuffer<Element>()

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

    /// Delivers an element at once: nothing of the main scheduler waits. The lock is held, and released.
    @inlinable @inline(__always)
    func deliverInline(_ element: Element, on main: MainScheduler) {
        queueLock.unlock()
        var element = element
        down.emit(&element)
        main.end()
    }

    @inlinable
    func deliverRun() {
        queueLock.lock()
        guard let run = beginRun() else { return queueLock.unlock() }
        if run.count == waiting.count {
            swap(&batch, &waiting)
        } else {
            for _ in 0..<run.count {
                if let element = waiting.popFirst() { batch.append(element) }
            }
        }
        queueLock.unlock()
        while var element = batch.popFirst() {
            if down.isStopped { return batch.removeAll() }
            down.emit(&element)
        }
        if case .some(let error) = run.ending { finish(error) }
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

/// A scheduler that runs items in the order in which they are put on its queue.
protocol ItemQueue: ImmediateSchedulerType {
    /// The lane of a serial queue that only its scheduler can reach; `nil` for other queues.
    var lane: Unmanaged<SerialLane>? { get }

    /// Puts an item on the queue. Never runs it inline.
    func enqueue(_ item: ScheduledItem)
}

extension ItemQueue {
    var lane: Unmanaged<SerialLane>? { nil }

    /// Puts work on the queue as a new item, which is returned.
    func enqueue<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action: action)
        item.countAsPending()
        enqueue(item)
        return item
    }
}

/// The queue of a scheduler on which others can compare the order of events.
@usableFromInline
struct OrderedQueue {
    fileprivate let scheduler: any ItemQueue

    /// The queue of `scheduler`, if it has one of this kind. Asked once per sequence: three casts take half a
    /// microsecond.
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

    /// Whether it is a serial dispatch queue.
    @usableFromInline var isSerial: Bool { scheduler is SerialDispatchQueueScheduler }
}
