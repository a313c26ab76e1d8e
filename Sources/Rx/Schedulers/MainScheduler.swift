import CRx
import Dispatch
import Synchronization

/// Runs work on the main queue, inline if possible.
///
/// Work scheduled from the main queue runs inline under two conditions: no work of this scheduler is running, and
/// neither a piece of a main scheduler nor a timer that is due waits on the main queue. Otherwise the work is queued.
/// So the order is preserved, and a chain that is already on the main queue does not wait for another turn.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    // @unchecked: `isInside` is accessed only on the main queue.

    /// Whether a piece is running.
    @exclusivity(unchecked) private var isInside = false

    /// Creates a scheduler on the main queue.
    public init() { super.init(.main) }

    /// The shared scheduler.
    public static let instance = MainScheduler()

    /// A shared scheduler on the main queue that never runs work inline.
    public static let asyncInstance = SerialDispatchQueueScheduler(.main)

    /// Stops the program with `errorMessage` unless it is called on the main queue.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        if !MainQueue.isCurrent {
            fatalError(
                errorMessage
                    ?? """
                    This ran on another queue than the main one. Put 'observe(on: MainScheduler.instance)' before \
                    it.
                    """
            )
        }
    }

    /// Stops the program with `errorMessage` unless it is called on the main queue.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        ensureExecutingOnScheduler(errorMessage: errorMessage)
    }

    override func scheduleInternal<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable
    {
        if begin() {
            defer { end() }
            return action(state)
        }
        return scheduleQueued(state, action: action)
    }

    override func enqueue(_ item: ScheduledItem) {
        MainQueue.put {
            // The old value may be `true`: a piece may run the main run loop.
            let wasInside = self.isInside
            self.isInside = true
            item.run()
            self.isInside = wasInside
        }
    }

    /// Starts a piece that runs inline. Returns `false` if the piece has to be queued.
    @usableFromInline
    func begin() -> Bool {
        // Relaxed: pieces run on one queue, which orders their accesses.
        guard MainQueue.isIdle, MainQueue.isCurrent, !isInside else { return false }
        isInside = true
        return true
    }

    /// Ends a piece that runs inline.
    @usableFromInline
    func end() { isInside = false }
}

/// Runs work on the main queue. Work scheduled from the main queue always runs inline.
///
/// Use it for `subscribe(on:)`, which needs no order between its pieces. `MainScheduler` is better for `observe(on:)`.
public final class ConcurrentMainScheduler: SchedulerType, Sendable {
    /// A span of time.
    public typealias TimeInterval = RxTimeInterval
    /// A point in time.
    public typealias Time = RxTime

    /// The shared scheduler.
    public static let instance = ConcurrentMainScheduler()

    private let dispatch = DispatchQueueConfiguration.main

    private init() {}

    /// The current time.
    public var now: RxTime { RxTime() }

    public var _spanClock: RxTime { TimerQueue.spanClock }

    public func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { dispatch.scheduleRelative(state, dueTime: dueTime, isRestartable: true, action: action) }

    /// Runs `action` immediately if called on the main queue. Otherwise queues it there.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        MainQueue.isCurrent ? action(state) : dispatch.schedule(state, action: action)
    }

    /// Runs `action` on the main queue after `dueTime` has passed. Disposing the result cancels and releases the timer.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { dispatch.scheduleRelative(state, dueTime: dueTime, action: action) }

    /// Runs `action` on the main queue after `startAfter` has passed and then every `period`. Disposing the result
    /// cancels and releases the timer.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable { dispatch.schedulePeriodic(state, startAfter: startAfter, period: period, action: action) }
}

/// Reports whether the calling code runs on the main queue, and whether work of main schedulers waits there.
package enum MainQueue {
    /// The number of blocks of `put` that have not started.
    private static let waiting = Atomic<Int>(0)

    /// Whether no block of `put` waits.
    // Relaxed: the calling thread sees the waiting work that it knows of.
    static var isIdle: Bool { waiting.load(ordering: .relaxed) == 0 }

    /// Submits a block to the main queue.
    static func put(_ block: @escaping () -> Void) {
        // Unsafe: the user is responsible for the values that the block captures, as for every item of a scheduler.
        nonisolated(unsafe) let block = block
        waiting.wrappingAdd(1, ordering: .relaxed)
        DispatchQueue.main.async {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            block()
        }
    }

    private static let key = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        // By its address, as in `setSpecific`: `getSpecific` retains and casts the value that it finds.
        return UInt(bitPattern: Unmanaged.passRetained(key).toOpaque())
    }()

    /// Determined from the queue, not the thread: on Linux another thread may serve the main queue.
    package static var isCurrent: Bool { rx_is_on_main_queue(UnsafeRawPointer(bitPattern: key).unsafelyUnwrapped) }
}
