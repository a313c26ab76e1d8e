import Dispatch

import struct Foundation.Date

/// Runs work on a dispatch queue, one piece after another, in the order in which it was scheduled.
///
///     let background = SerialDispatchQueueScheduler(qos: .background)
///
/// The scheduler creates a serial queue that targets the queue you pass. Scheduling never runs work inline, and is
/// allowed from any thread.
///
/// Waiting pieces are submitted to the queue together. A turn of the queue runs up to 128 of them. After 200
/// microseconds have passed, it starts no further piece; it checks the time at least every fourth piece. If your code
/// has received the queue through `serialQueueConfiguration`, and on the main queue, each piece gets a separate turn,
/// so that the order is kept with work that other code submits to the queue.
///
/// - Complexity: A piece makes one allocation, or none if it can reuse an item that has run, plus one if its state is
///   larger than four words. A turn of the queue makes one allocation in libdispatch. A timer is O(log *n*) for *n*
///   waiting timers, and all of them share one dispatch source.
public class SerialDispatchQueueScheduler: SchedulerType, ItemQueue, @unchecked Sendable {
    // @unchecked: immutable, but not final, because `MainScheduler` is a subclass.

    /// A span of time.
    public typealias TimeInterval = DispatchTimeInterval
    /// A point in time.
    public typealias Time = Date

    let dispatch: DispatchQueueConfiguration

    /// - Parameter isOwn: whether no other code can submit work to the queue, so that it is not observable that pieces
    ///   are submitted together.
    package init(serialQueue: DispatchQueue, isOwn: Bool = false, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        dispatch = DispatchQueueConfiguration(
            queue: serialQueue, leeway: leeway, lane: isOwn ? SerialLane(queue: serialQueue) : nil)
    }

    init(_ dispatch: DispatchQueueConfiguration) { self.dispatch = dispatch }

    /// Creates a scheduler on a new serial queue.
    ///
    /// - Parameters:
    ///   - internalSerialQueueName: the queue's label.
    ///   - serialQueueConfiguration: called with the queue before any work runs on it, for example to set its target.
    ///     It must not wait for the queue, which is activated afterwards.
    ///   - leeway: the delay that timers may have so that the system can combine wake-ups.
    public convenience init(
        internalSerialQueueName: String, serialQueueConfiguration: ((DispatchQueue) -> Void)? = nil,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        // Inactive while it is configured: libdispatch ends the program when the target of an active queue is set.
        let queue = DispatchQueue(
            label: internalSerialQueueName, attributes: serialQueueConfiguration == nil ? [] : .initiallyInactive)
        serialQueueConfiguration?(queue)
        queue.activate()
        self.init(serialQueue: queue, isOwn: serialQueueConfiguration == nil, leeway: leeway)
    }

    /// Creates a scheduler on a new serial queue whose work runs on `queue`.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the work runs. It may be concurrent.
    ///   - internalSerialQueueName: the new queue's label.
    ///   - leeway: the delay that timers may have so that the system can combine wake-ups.
    public convenience init(
        queue: DispatchQueue, internalSerialQueueName: String, leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {
        self.init(
            serialQueue: DispatchQueue(label: internalSerialQueueName, attributes: [], target: queue), isOwn: true,
            leeway: leeway)
    }

    /// Creates a scheduler on a new serial queue whose work runs on the system's queue of the given quality of service.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the system's queue.
    ///   - internalSerialQueueName: the new queue's label.
    ///   - leeway: the delay that timers may have so that the system can combine wake-ups.
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
        // Work that is already due is queued immediately.
        if dueTime.isOver { return scheduleQueued(state, action: action) }
        return dispatch.scheduleRelative(state, dueTime: dueTime, isRestartable: true, action: action)
    }

    /// Runs `action` on the queue after all earlier work has ended.
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

    /// Runs `action` on the queue after `dueTime` has passed. Disposing the result cancels and releases the timer.
    public final func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        // Work that is already due is queued immediately.
        if dueTime.isOver { return scheduleQueued(state, action: action) }
        return dispatch.scheduleRelative(state, dueTime: dueTime, action: action)
    }

    /// Does the same as `scheduleInternal`, but never inline.
    final func scheduleQueued<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        if let lane { return lane._withUnsafeGuaranteedRef { $0.schedule(state, action: action) } }
        let item = ScheduledItem(state, action: action)
        item.countAsPending()
        enqueue(item)
        return item
    }

    /// Runs `action` on the queue after `startAfter` has passed and then every `period`. Ticks that the action or the
    /// queue delays are combined into one. Disposing the result cancels and releases the timer.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable { dispatch.schedulePeriodic(state, startAfter: startAfter, period: period, action: action) }
}

/// The parts that the schedulers on dispatch queues share. Each scheduler forwards to it with its own methods, because
/// public methods cannot come from an internal protocol.
struct DispatchQueueConfiguration: Sendable {
    /// The configuration of the main queue. Main queue schedulers are created for single elements of drivers, and share
    /// their timers.
    static let main = DispatchQueueConfiguration(queue: .main, leeway: .nanoseconds(0))

    let queue: DispatchQueue
    private let timers: TimerQueue
    /// The lane that submits the work to the scheduler's own queue.
    // Unmanaged: `timers` keeps it alive, and a strong reference would be retained for each piece.
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

    /// Submits an item to the queue, after the work that is already there.
    func enqueue(_ item: ScheduledItem) {
        if let lane { return lane._withUnsafeGuaranteedRef { $0.push(item) } }
        queue.async { item.run() }
    }

    func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, isRestartable: Bool = false,
        action: @escaping (State) -> any Disposable
    ) -> any Disposable {
        // Work that is already due is queued immediately.
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
