import CRx

import struct Foundation.Date
import struct Foundation.TimeInterval

/// A scheduler whose clock stands still until work is due, and then jumps.
///
/// Work runs only inside `start()` and `advanceTo(_:)`, on the thread that calls them, ordered by due time
/// and then by the order in which it was scheduled: hours pass in microseconds, and the same way each time.
///
///     let scheduler = HistoricalScheduler()
///     _ = scheduler.scheduleRelative((), dueTime: .seconds(3600)) { _ in
///         print(scheduler.now)  // 1970-01-01 01:00:00 +0000
///         return Disposables.create()
///     }
///     scheduler.start()
///
/// Belongs to the thread that made it: scheduling or running on another is a fatal error. What it returns may
/// be disposed from any thread.
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType {
    /// A point in virtual time.
    public typealias VirtualTime = Converter.VirtualTimeUnit
    /// A span of virtual time.
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private let queue: VirtualTimeQueue<VirtualTime>
    private let thread = OwnThread()
    #if TRACE_RESOURCES
        /// The tag that it leaves the counts by.
        private var tag: UInt32 = 0
    #endif
    /// Last: what stands behind a field of unknown size is found by a detour.
    private let converter: Converter

    /// A scheduler whose clock shows `initialClock`.
    public init(initialClock: VirtualTime, converter: Converter) {
        self.converter = converter
        queue = ComparedTimeQueue(clock: initialClock, comparing: converter.compareVirtualTime)
        #if TRACE_RESOURCES
            tag = Resources.made(.scheduler, at: ObjectIdentifier(self))
        #endif
    }

    /// A scheduler that keeps time in whole ticks, in place of asking the converter which of two times comes first.
    package init(initialClock: VirtualTime, converter: Converter, ticks: VirtualTicks<VirtualTime>) {
        self.converter = converter
        let queue = TickQueue(clock: initialClock, ticks: ticks)
        self.queue = queue
        #if TRACE_RESOURCES
            tag = Resources.made(.scheduler, at: ObjectIdentifier(self))
        #endif
        queue.scheduler = self
    }

    #if TRACE_RESOURCES
        deinit { Resources.gone(tag) }
    #endif

    /// The clock, in virtual time.
    public var clock: VirtualTime { queue.clock }

    /// The clock, in real time.
    public var now: RxTime { converter.convertFromVirtualTime(clock) }

    public var _spanClock: RxTime { now }

    // MARK: Scheduling

    /// Runs `action` at the present time of the clock, as `adjustScheduledTime(_:)` sees it.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleRelative(state, dueTime: .microseconds(0), action: action)
    }

    /// Runs `action` once `dueTime` has passed on the clock, as `adjustScheduledTime(_:)` sees it.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleAbsoluteVirtual(state, time: due(after: dueTime.seconds), action: action)
    }

    public func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        ensureOwnThread()
        let seconds = dueTime.seconds
        guard let item = queue.makeRestartableItem(after: seconds) else {
            return scheduleRelative(state, dueTime: dueTime, action: action)
        }
        item.takeWork(state, action: action)
        queue.insert(item, at: due(after: seconds))
        return item
    }

    /// When something runs that is scheduled now, to run after a span.
    @inline(__always)
    private func due(after seconds: TimeInterval) -> VirtualTime {
        adjustScheduledTime(converter.convertToVirtualTime(now.addingTimeInterval(seconds)))
    }

    /// Runs `action` once `dueTime` has passed on the clock, not adjusted.
    public func scheduleRelativeVirtual<StateType>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleAbsoluteVirtual(state, time: converter.offsetVirtualTime(clock, offset: dueTime), action: action)
    }

    /// Runs `action` when the clock shows `time`, not adjusted. If that has passed, it runs next.
    ///
    /// - Complexity: O(log *n*) with *n* items waiting; one allocation.
    public func scheduleAbsoluteVirtual<StateType>(
        _ state: StateType, time: VirtualTime, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        ensureOwnThread()
        let item = queue.makeItem(state, action: action)
        queue.insert(item, at: time)
        return item
    }

    /// The time at which something scheduled for `time` really runs: `time` itself, unless a subclass knows better.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime { time }

    // MARK: Running

    /// Runs everything that is due, now or later, until nothing waits any more or `stop()` is called.
    ///
    /// The clock moves forward to the time of each item before it runs. Does nothing inside itself.
    public func start() {
        if queue.isRunning { return }
        ensureOwnThread()
        queue.run()
    }

    /// Runs what is due up to and including `virtualTime`, and then sets the clock to that time.
    ///
    /// Calling it while the scheduler runs is a fatal error.
    public func advanceTo(_ virtualTime: VirtualTime) {
        precondition(
            !queue.isRunning, "advanceTo was called while the scheduler runs. Call it from outside its actions.")
        ensureOwnThread()
        queue.run(until: virtualTime)
        queue.clock = virtualTime
    }

    /// Moves the clock forward without running anything. Moving it backwards is a fatal error.
    public func sleep(_ virtualInterval: VirtualTimeInterval) {
        ensureOwnThread()
        let target = converter.offsetVirtualTime(clock, offset: virtualInterval)
        precondition(!converter.compareVirtualTime(target, clock).lessThan, "The clock cannot be moved backwards.")
        queue.clock = target
    }

    /// Ends `start()` or `advanceTo(_:)` after the item that is running.
    public func stop() {
        ensureOwnThread()
        queue.isRunning = false
    }

    private func ensureOwnThread() { thread.ensure() }
}

/// The thread that made a scheduler of virtual time.
struct OwnThread {
    private let identity = rx_thread_identity()

    /// Checks that the caller is on this thread.
    @inline(__always)
    func ensure() {
        precondition(
            rx_thread_identity() == identity,
            "A virtual-time scheduler was used on a thread that did not create it. Create one for each thread.")
    }
}

extension VirtualTimeScheduler: RestartedTimers {
    func dueTick(from tick: Int, after seconds: TimeInterval) -> Int {
        queue.tick(of: { due(after: seconds) }, whenShowing: tick)
    }
}

extension VirtualTimeScheduler: CustomDebugStringConvertible {
    /// The clock and the times at which work waits.
    public var debugDescription: String { "clock \(clock), waiting: \(queue.times)" }
}

/// Relates the units of a virtual clock to real time.
public protocol VirtualTimeConverterType {
    /// A point in virtual time.
    associatedtype VirtualTimeUnit
    /// A span of virtual time.
    associatedtype VirtualTimeIntervalUnit

    /// The real time that a point in virtual time stands for.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime
    /// The point in virtual time that stands for a real time.
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit
    /// The seconds that a span of virtual time stands for.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval
    /// The span of virtual time that stands for the given seconds.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit
    /// The point that lies a span after another.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit
    /// Which of two points comes first.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}

/// How one point in virtual time lies to another.
public enum VirtualTimeComparison: Sendable {
    /// Before it.
    case lessThan
    /// At the same time.
    case equal
    /// After it.
    case greaterThan
}

extension VirtualTimeComparison {
    var lessThan: Bool { self == .lessThan }
    var greaterThan: Bool { self == .greaterThan }
}
