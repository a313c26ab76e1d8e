import CRx

import struct Foundation.Date
import struct Foundation.TimeInterval

/// A scheduler whose clock does not move until work is due, and then jumps to that time.
///
/// Work runs only inside `start()` and `advanceTo(_:)`, on the thread that calls them. It is ordered by due time, and
/// then by the order in which it was scheduled. So hours pass in microseconds, and every run is the same.
///
///     let scheduler = HistoricalScheduler()
///     _ = scheduler.scheduleRelative((), dueTime: .seconds(3600)) { _ in
///         print(scheduler.now)  // 1970-01-01 01:00:00 +0000
///         return Disposables.create()
///     }
///     scheduler.start()
///
/// A scheduler is confined to the thread that created it: scheduling or running work on another thread is a fatal
/// error. The disposables that it returns may be disposed from any thread.
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType {
    /// A point in virtual time.
    public typealias VirtualTime = Converter.VirtualTimeUnit
    /// A span of virtual time.
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private let queue: VirtualTimeQueue<VirtualTime>
    private let thread = OwnThread()
    #if TRACE_RESOURCES
        /// The tag that removes this scheduler from the counts.
        private var tag: UInt32 = 0
    #endif
    /// Declared last: the fields after a field of unknown size take longer to access.
    private let converter: Converter

    /// Creates a scheduler whose clock shows `initialClock`.
    public init(initialClock: VirtualTime, converter: Converter) {
        self.converter = converter
        queue = ComparedTimeQueue(clock: initialClock, comparing: converter.compareVirtualTime)
        #if TRACE_RESOURCES
            tag = Resources.made(.scheduler, at: ObjectIdentifier(self))
        #endif
    }

    /// Creates a scheduler that counts time in whole ticks, instead of comparing times with the converter.
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

    /// Runs `action` at the current time of the clock, adjusted by `adjustScheduledTime(_:)`.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleRelative(state, dueTime: .microseconds(0), action: action)
    }

    /// Runs `action` after `dueTime` has passed on the clock, adjusted by `adjustScheduledTime(_:)`.
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

    /// Returns the due time of work that is scheduled now, to run after a span.
    @inline(__always)
    private func due(after seconds: TimeInterval) -> VirtualTime {
        adjustScheduledTime(converter.convertToVirtualTime(now.addingTimeInterval(seconds)))
    }

    /// Runs `action` after `dueTime` has passed on the clock, without adjustment.
    public func scheduleRelativeVirtual<StateType>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleAbsoluteVirtual(state, time: converter.offsetVirtualTime(clock, offset: dueTime), action: action)
    }

    /// Runs `action` when the clock shows `time`, without adjustment. If that time has passed, the action runs next.
    ///
    /// - Complexity: O(log *n*) for *n* waiting items, and one allocation.
    public func scheduleAbsoluteVirtual<StateType>(
        _ state: StateType, time: VirtualTime, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        ensureOwnThread()
        let item = queue.makeItem(state, action: action)
        queue.insert(item, at: time)
        return item
    }

    /// Returns the time at which work scheduled for `time` actually runs. By default `time` itself; a subclass may
    /// override it.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime { time }

    // MARK: Running

    /// Runs all work that is due, now or later, until none is waiting or `stop()` is called.
    ///
    /// The clock moves forward to the time of each item before the item runs. A nested call does nothing.
    public func start() {
        if queue.isRunning { return }
        ensureOwnThread()
        queue.run()
    }

    /// Runs work that is due up to and including `virtualTime`, and then sets the clock to that time.
    ///
    /// Calling it while the scheduler runs is a fatal error.
    public func advanceTo(_ virtualTime: VirtualTime) {
        precondition(
            !queue.isRunning, "advanceTo was called while the scheduler runs. Call it from outside its actions.")
        ensureOwnThread()
        queue.run(until: virtualTime)
        queue.clock = virtualTime
    }

    /// Moves the clock forward without running any work. Moving it backwards is a fatal error.
    public func sleep(_ virtualInterval: VirtualTimeInterval) {
        ensureOwnThread()
        let target = converter.offsetVirtualTime(clock, offset: virtualInterval)
        precondition(!converter.compareVirtualTime(target, clock).lessThan, "The clock cannot be moved backwards.")
        queue.clock = target
    }

    /// Ends `start()` or `advanceTo(_:)` after the running item.
    public func stop() {
        ensureOwnThread()
        queue.isRunning = false
    }

    private func ensureOwnThread() { thread.ensure() }
}

/// The thread that created a virtual-time scheduler.
struct OwnThread {
    private let identity = rx_thread_identity()

    /// Stops the program unless the caller is on this thread.
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
    /// The clock and the times of the waiting work.
    public var debugDescription: String { "clock \(clock), waiting: \(queue.times)" }
}

/// Converts the units of a virtual clock to and from real time.
public protocol VirtualTimeConverterType {
    /// A point in virtual time.
    associatedtype VirtualTimeUnit
    /// A span of virtual time.
    associatedtype VirtualTimeIntervalUnit

    /// Returns the real time of a point in virtual time.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime
    /// Returns the point in virtual time of a real time.
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit
    /// Returns a span of virtual time in seconds.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval
    /// Returns the span of virtual time for a number of seconds.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit
    /// Returns the point in virtual time that is `offset` after `time`.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit
    /// Compares two points in virtual time.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}

/// The order of one point in virtual time relative to another.
public enum VirtualTimeComparison: Sendable {
    /// The first point is earlier.
    case lessThan
    /// Both points are the same.
    case equal
    /// The first point is later.
    case greaterThan
}

extension VirtualTimeComparison {
    var lessThan: Bool { self == .lessThan }
    var greaterThan: Bool { self == .greaterThan }
}
