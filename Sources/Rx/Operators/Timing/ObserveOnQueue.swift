/// Hands the events of one source to a scheduler with a queue, each in its place among all other work there.
///
/// A *run* is one item of that queue, and delivers one event. On a `SerialLane`, events that follow each other share a
/// run for as long as its item is the newest of the lane: nothing was scheduled between them, so that nobody can tell.
/// It delivers 128 of them at a time. On a queue that others know, a block may lie between any two events, and each
/// event is a run.
///
/// ```text
/// open: the newest run ──its item has begun──▶ begun
///   │                                            ▲
///   └──another item came──▶ closed ──────────────┘
/// ```
@usableFromInline
class QueuedCoordinator: Coordinator, @unchecked Sendable {
    // @unchecked: as every sink; what changes is guarded by `queueLock`.

    /// An item of the queue, and how many elements it delivers.
    fileprivate struct Run {
        let item: ScheduledItem
        let count: Int
    }

    /// What a run delivers.
    @usableFromInline
    struct Delivery {
        /// How many of the elements that wait.
        @usableFromInline var count: Int
        /// The end that follows them: the outer `nil` if none does.
        @usableFromInline let ending: (any Error)??
    }

    /// How many elements a run delivers before its turn may end.
    @usableFromInline static var mostAtOnce: Int { 128 }

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
    @exclusivity(unchecked) private final var openItem: ScheduledItem?
    /// The address of `openItem`, or 0.
    // Apart from it, as that would be retained to be compared.
    @exclusivity(unchecked) private final var openAddress: UInt = 0
    @exclusivity(unchecked) private final var openCount = 0
    /// How the source has ended, if it has: the outer `nil` says that it has not.
    @exclusivity(unchecked) private final var ending: (any Error)??
    @exclusivity(unchecked) private final var isClosed = false

    #if TRACE_RESOURCES
        /// The tag that a run which goes on leaves the counts of pending work by.
        @exclusivity(unchecked) private final var pendingTag: UInt32 = 0
    #endif

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
        if let lane, lane._withUnsafeGuaranteedRef({ $0.isNewest(openAddress) }) {
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
        openAddress = UInt(bitPattern: Unmanaged.passUnretained(item).toOpaque())
        openCount = count
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
        if let run = closed.popFirst() {
            return Delivery(count: run.count, ending: openItem == nil ? ending : nil)
        }
        if openItem == nil { return nil }
        openItem = nil
        openAddress = 0
        return Delivery(count: openCount, ending: ending)
    }

    /// Delivers more of the run that is under way before anything else on the lane, in this turn or in the next one.
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

    /// Drops the runs that have not begun, and those that would follow.
    @usableFromInline
    final func closeQueue() {
        let dropped = queueLock.withLock { () -> (RingBuffer<Run>, ScheduledItem?) in
            isClosed = true
            let dropped = (closed, openItem)
            closed.removeAll()
            openItem = nil
            openAddress = 0
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
    // @unchecked: as its superclass.
    @exclusivity(unchecked) @usableFromInline var waiting = RingBuffer<Element>()
    // Touched by the run alone that is under way: elements that it has taken from those that wait, what it will take
    // and end with, and whether it goes on.
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

    /// Delivers an element at once: nothing of the main scheduler waits. The lock is held, and released.
    @inlinable @inline(__always)
    func deliverInline(_ element: Element, on main: MainScheduler) {
        queueLock.unlock()
        var element = element
        down.emit(&element)
        main.end()
    }

    /// Begins a run, or goes on with one.
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
                down.emit(&element)
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

    /// Takes elements of the run from those that wait: all, or some, so that the lock is not held for long.
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
