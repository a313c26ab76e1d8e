import CRx
import Dispatch
import Synchronization

/// Runs work on the main queue, at once where it can.
///
/// Work scheduled from the main queue runs inline if nothing of this scheduler runs, and neither a piece of a main
/// scheduler nor a timer that is due waits on the main queue; else it is queued. So order is kept, and a chain that is
/// on the main queue already does not wait for another turn.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    // @unchecked: `isInside` is touched on the main queue only.

    /// Whether a piece runs.
    @exclusivity(unchecked) private var isInside = false

    /// A scheduler on the main queue.
    public init() { super.init(.main) }

    /// The scheduler that others share.
    public static let instance = MainScheduler()

    /// A scheduler on the main queue that never runs work inline.
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
            // Not always `false` before: a piece may run the main run loop.
            let wasInside = self.isInside
            self.isInside = true
            item.run()
            self.isInside = wasInside
        }
    }

    /// Begins a piece that runs inline; `false` where it has to be queued.
    @usableFromInline
    func begin() -> Bool {
        // Relaxed: pieces run on one queue, which orders what they do.
        guard MainQueue.isIdle, MainQueue.isCurrent, !isInside else { return false }
        isInside = true
        return true
    }

    /// Ends a piece that runs inline.
    @usableFromInline
    func end() { isInside = false }
}

/// Runs work on the main queue; from the main queue always inline.
///
/// For `subscribe(on:)`, which needs no order between its pieces: `MainScheduler` is the better one for `observe(on:)`.
public final class ConcurrentMainScheduler: SchedulerType, Sendable {
    /// A span of time.
    public typealias TimeInterval = RxTimeInterval
    /// A point in time.
    public typealias Time = RxTime

    /// The scheduler that others share.
    public static let instance = ConcurrentMainScheduler()

    private let dispatch = DispatchQueueConfiguration.main

    private init() {}

    /// The current time.
    public var now: RxTime { RxTime() }

    public var _spanClock: RxTime { TimerQueue.spanClock }

    public func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { dispatch.scheduleRelative(state, dueTime: dueTime, isRestartable: true, action: action) }

    /// Runs `action` now if called on the main queue, else queues it there.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        MainQueue.isCurrent ? action(state) : dispatch.schedule(state, action: action)
    }

    /// Runs `action` on the main queue once `dueTime` has passed. Disposing the result cancels and releases the timer.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { dispatch.scheduleRelative(state, dueTime: dueTime, action: action) }

    /// Runs `action` on the main queue once `startAfter` has passed and then every `period`.
    /// Disposing the result cancels and releases the timer.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable { dispatch.schedulePeriodic(state, startAfter: startAfter, period: period, action: action) }
}

/// Knows whether the code that asks runs on the main queue, and whether work of main schedulers waits there.
package enum MainQueue {
    /// The blocks of `put` that have not begun.
    private static let waiting = Atomic<Int>(0)

    /// Whether no block of `put` waits.
    // Relaxed: what the calling thread knows to be waiting is seen.
    static var isIdle: Bool { waiting.load(ordering: .relaxed) == 0 }

    /// Puts a block on the main queue.
    static func put(_ block: @escaping () -> Void) {
        // Unsafe: as for every item of a scheduler, what it captures is the user's.
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
        // By its address, as it is in `setSpecific`: `getSpecific` retains and casts what it finds.
        return UInt(bitPattern: Unmanaged.passRetained(key).toOpaque())
    }()

    /// By the queue and not by the thread: on Linux the main queue may be served by another thread.
    package static var isCurrent: Bool { rx_is_on_main_queue(UnsafeRawPointer(bitPattern: key).unsafelyUnwrapped) }
}
