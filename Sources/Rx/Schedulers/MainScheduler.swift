import CRx
import Dispatch
import Synchronization

/// Runs work on the main queue, at once where it can.
///
/// Work scheduled from the main queue runs inline if nothing that this scheduler queued is waiting or running; else it
/// is queued. So order is kept, and a chain that is on the main queue already does not wait for another turn.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    // @unchecked: `isInside` is touched on the main queue only.

    /// Pieces that were queued and have not ended.
    private let queued = Atomic<Int>(0)
    /// Whether a piece runs inline.
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
        queued.wrappingAdd(1, ordering: .relaxed)
        dispatch.queue.async {
            item.run()
            self.queued.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Begins a piece that runs inline; `false` where it has to be queued.
    @usableFromInline
    func begin() -> Bool {
        // Relaxed: pieces run on one queue, which orders what they do.
        guard queued.load(ordering: .relaxed) == 0, MainQueue.isCurrent, !isInside else { return false }
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

/// Knows whether the code that asks runs on the main queue.
package enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        // By its address, as it is in `setSpecific`: `getSpecific` retains and casts what it finds.
        return UInt(bitPattern: Unmanaged.passRetained(key).toOpaque())
    }()

    /// By the queue and not by the thread: on Linux the main queue may be served by another thread.
    package static var isCurrent: Bool { rx_is_on_main_queue(UnsafeRawPointer(bitPattern: key).unsafelyUnwrapped) }
}
