import Dispatch

import struct Foundation.Date

/// Runs work one piece after another on a dispatch queue, in the order in which it was scheduled.
///
///     let background = SerialDispatchQueueScheduler(qos: .background)
///
/// It makes a serial queue that targets the one it is given. Scheduling never runs work inline and is allowed from any
/// thread.
///
/// Pieces that wait go to the queue together: a turn of the queue runs up to 128 of them, and begins no other once 200
/// microseconds have passed, which it sees every fourth piece at the latest. A queue that `serialQueueConfiguration`
/// has seen, and the main queue, get a turn a piece, so that order is kept with what others put there.
///
/// - Complexity: A piece takes one allocation, none where one that has run can be used again, and one more if its state
///   is larger than four words. A turn of the queue takes one of libdispatch. A timer is O(log *n*) with *n* that wait;
///   all of them share one of libdispatch.
public class SerialDispatchQueueScheduler: SchedulerType, ItemQueue, @unchecked Sendable {
    // @unchecked: immutable, but not final, as MainScheduler is one too.

    /// A span of time.
    public typealias TimeInterval = DispatchTimeInterval
    /// A point in time.
    public typealias Time = Date

    let dispatch: DispatchQueueConfiguration

    /// - Parameter isOwn: whether nobody else can put anything on the queue, so that nobody can tell that pieces go
    ///   there together.
    package init(serialQueue: DispatchQueue, isOwn: Bool = false, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        dispatch = DispatchQueueConfiguration(
            queue: serialQueue, leeway: leeway, lane: isOwn ? SerialLane(queue: serialQueue) : nil)
    }

    init(_ dispatch: DispatchQueueConfiguration) { self.dispatch = dispatch }

    /// A scheduler on a new serial queue.
    ///
    /// - Parameters:
    ///   - internalSerialQueueName: the queue's label.
    ///   - serialQueueConfiguration: called with the queue before anything runs on it, for example to set its target.
    ///     It must not wait for
    ///     the queue, which is activated afterwards.
    ///   - leeway: how late timers may fire so that the system can join wake-ups.
    public convenience init(
        internalSerialQueueName: String, serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        // Inactive as long as it is configured: libdispatch ends the program when an active queue is given a target.
        let queue = DispatchQueue(
            label: internalSerialQueueName, attributes: serialQueueConfiguration == nil ? [] : .initiallyInactive)
        serialQueueConfiguration?(queue)
        queue.activate()
        self.init(serialQueue: queue, isOwn: serialQueueConfiguration == nil, leeway: leeway)
    }

    /// A scheduler on a new serial queue whose work runs on `queue`.
    ///
    /// - Parameters:
    ///   - queue: where the work runs; it may be concurrent.
    ///   - internalSerialQueueName: the new queue's label.
    ///   - leeway: how late timers may fire so that the system can join wake-ups.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            serialQueue: DispatchQueue(label: internalSerialQueueName, attributes: [], target: queue), isOwn: true,
            leeway: leeway)
    }

    /// A scheduler on a new serial queue whose work runs on the system's queue of the given quality of service.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the system's queue.
    ///   - internalSerialQueueName: the new queue's label.
    ///   - leeway: how late timers may fire so that the system can join wake-ups.
    public convenience init(
        qos: DispatchQoS, internalSerialQueueName: String = "rx.global_dispatch_queue.serial",
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            queue: DispatchQueue.global(qos: qos.qosClass), internalSerialQueueName: internalSerialQueueName,
            leeway: leeway)
    }

    /// The current time.
    public var now: Date { Date() }

    public final var _spanClock: RxTime { TimerQueue.spanClock }

    public final func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        // One that is due takes its place at once.
        if dueTime.isOver { return scheduleQueued(state, action: action) }
        return dispatch.scheduleRelative(state, dueTime: dueTime, isRestartable: true, action: action)
    }

    /// Runs `action` on the queue once what was scheduled before has ended.
    public final func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleInternal(state, action: action)
    }

    func scheduleInternal<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        dispatch.schedule(state, action: action)
    }

    final var lane: Unmanaged<SerialLane>? { dispatch.lane }

    func enqueue(_ item: ScheduledItem) { dispatch.enqueue(item) }

    /// Runs `action` on the queue once `dueTime` has passed. Disposing the result cancels and releases the timer.
    public final func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        // One that is due takes its place at once.
        if dueTime.isOver { return scheduleQueued(state, action: action) }
        return dispatch.scheduleRelative(state, dueTime: dueTime, action: action)
    }

    /// As `scheduleInternal`, never inline.
    final func scheduleQueued<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        if let lane { return lane._withUnsafeGuaranteedRef { $0.schedule(state, action: action) } }
        let item = ScheduledItem(state, action: action)
        item.countAsPending()
        enqueue(item)
        return item
    }

    /// Runs `action` on the queue once `startAfter` has passed and then every `period`. Ticks that the action or the
    /// queue delays are joined to one. Disposing the result cancels and releases the timer.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable { dispatch.schedulePeriodic(state, startAfter: startAfter, period: period, action: action) }
}

/// The parts that the schedulers on dispatch queues have in common. Each forwards to it in methods of its own, as
/// public ones cannot come from an internal protocol.
struct DispatchQueueConfiguration: Sendable {
    /// That of the main queue: schedulers of it are made for single elements of drivers, and share their timers.
    static let main = DispatchQueueConfiguration(queue: .main, leeway: .nanoseconds(0))

    let queue: DispatchQueue
    private let timers: TimerQueue
    /// The lane that brings the work to a queue of the scheduler's own.
    // Unmanaged: `timers` keeps it, and a reference would be retained for each piece.
    let lane: Unmanaged<SerialLane>?

    init(queue: DispatchQueue, leeway: DispatchTimeInterval, lane: SerialLane? = nil) {
        self.queue = queue
        self.lane = lane.map { .passUnretained($0) }
        timers = TimerQueue(queue: queue, lane: lane, leeway: leeway)
    }

    func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        if let lane { return lane._withUnsafeGuaranteedRef { $0.schedule(state, action: action) } }
        let item = ScheduledItem(state, action: action)
        item.countAsPending()
        enqueue(item)
        return item
    }

    /// Puts an item on the queue, behind what others have put there.
    func enqueue(_ item: ScheduledItem) {
        if let lane { return lane._withUnsafeGuaranteedRef { $0.push(item) } }
        queue.async { item.run() }
    }

    func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, isRestartable: Bool = false,
        action: @escaping (State) -> any Disposable
    ) -> any Disposable {
        // One that is due takes its place at once.
        if dueTime.isOver { return schedule(state, action: action) }
        return isRestartable
            ? timers.startRestartable(state, after: dueTime, action: action)
            : timers.start(state, after: dueTime, action: action)
    }

    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        var state = state
        return PeriodicItem(in: timers, after: startAfter, period: period) { state = action(state) }
    }
}
