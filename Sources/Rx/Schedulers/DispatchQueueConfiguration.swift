import Dispatch

/// What the schedulers on dispatch queues have in common.
struct DispatchQueueConfiguration: Sendable {
    let queue: DispatchQueue
    let leeway: DispatchTimeInterval

    func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        let item = ScheduledItem { action(state) }
        item.countAsPending()
        queue.async { item.run() }
        return item
    }

    func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, action: @escaping (State) -> any Disposable
    ) -> any Disposable {
        let item = TimedItem { action(state) }
        item.start(on: queue, after: dueTime, leeway: leeway)
        return item
    }

    func schedulePeriodic<State>(
        _ state: State, startAfter: RxTimeInterval, period: RxTimeInterval, action: @escaping (State) -> State
    ) -> any Disposable {
        var state = state
        let item = PeriodicItem { state = action(state) }
        item.start(on: queue, after: startAfter, period: period, leeway: leeway)
        return item
    }
}
