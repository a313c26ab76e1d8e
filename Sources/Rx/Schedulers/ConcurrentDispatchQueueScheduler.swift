import Dispatch

import struct Foundation.Date

/// Runs work on a concurrent dispatch queue. Pieces may run at the same time, in any order.
public final class ConcurrentDispatchQueueScheduler: SchedulerType, ItemQueue, Sendable {
    /// A span of time.
    public typealias TimeInterval = DispatchTimeInterval
    /// A point in time.
    public typealias Time = Date

    private let dispatch: DispatchQueueConfiguration
    /// Whether no other code can submit work to the queue.
    let ownsQueue: Bool

    /// Creates a scheduler on `queue`.
    ///
    /// - Parameters:
    ///   - queue: the queue on which the work runs.
    ///   - leeway: the delay that timers may have so that the system can combine wake-ups.
    public convenience init(queue: DispatchQueue, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        self.init(queue: queue, ownsQueue: false, leeway: leeway)
    }

    private init(queue: DispatchQueue, ownsQueue: Bool, leeway: DispatchTimeInterval) {
        dispatch = DispatchQueueConfiguration(queue: queue, leeway: leeway)
        self.ownsQueue = ownsQueue
    }

    /// Creates a scheduler on a new concurrent queue of the given quality of service.
    ///
    /// - Parameters:
    ///   - qos: the quality of service of the queue.
    ///   - leeway: the delay that timers may have so that the system can combine wake-ups.
    public convenience init(qos: DispatchQoS, leeway: DispatchTimeInterval = .nanoseconds(0)) {
        let queue = DispatchQueue(
            label: "rx.concurrent_dispatch_queue.\(qos.qosClass)", qos: qos, attributes: .concurrent)
        self.init(queue: queue, ownsQueue: true, leeway: leeway)
    }

    /// The current time.
    public var now: Date { Date() }

    public var _spanClock: RxTime { TimerQueue.spanClock }

    public func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { dispatch.scheduleRelative(state, dueTime: dueTime, isRestartable: true, action: action) }

    /// Runs `action` on the queue.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        dispatch.schedule(state, action: action)
    }

    func enqueue(_ item: ScheduledItem) { dispatch.enqueue(item) }

    /// Runs `action` on the queue after `dueTime` has passed. Disposing the result cancels and releases the timer.
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { dispatch.scheduleRelative(state, dueTime: dueTime, action: action) }

    /// Runs `action` on the queue after `startAfter` has passed and then every `period`. The calls do not overlap.
    /// Disposing the result cancels and releases the timer.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable { dispatch.schedulePeriodic(state, startAfter: startAfter, period: period, action: action) }
}
