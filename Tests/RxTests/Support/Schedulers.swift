import Foundation
import Rx
import RxTest

/// A scheduler whose work runs when the test requests it, in any order. A disposal does not prevent the work, as if the
/// work had begun right before the disposal.
final class ManualScheduler: SchedulerType {
    private(set) var now = Date(timeIntervalSince1970: 0)
    private var work: [() -> Void] = []

    /// The number of items scheduled so far.
    var count: Int { work.count }
    /// The due time of each item, relative to its scheduling.
    private(set) var dueTimes: [RxTimeInterval] = []

    /// Sets the clock to a number of seconds.
    func setClock(_ seconds: TimeInterval) { now = Date(timeIntervalSince1970: seconds) }

    /// Runs an item, counted from 0 in the order of scheduling.
    func run(_ index: Int) { work[index]() }

    /// Releases all work.
    func removeAll() { work = [] }

    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        scheduleRelative(state, dueTime: .nanoseconds(0), action: action)
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        work.append { _ = action(state) }
        dueTimes.append(dueTime)
        return Disposables.create()
    }
}

/// Records the requested waits. Its clock may stand still.
final class CountingScheduler: SchedulerType {
    private let base: TestScheduler
    private let fixedNow: Date?
    private(set) var dueTimes: [Double] = []

    init(base: TestScheduler, now: Date? = nil) {
        self.base = base
        fixedNow = now
    }

    var now: Date { fixedNow ?? base.now }

    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        base.schedule(state, action: action)
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        dueTimes.append(dueTime.seconds)
        return base.scheduleRelative(state, dueTime: dueTime, action: action)
    }
}

/// A scheduler that a user might write: it runs all work inside `schedule`.
struct InlineScheduler: ImmediateSchedulerType {
    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        action(state)
    }
}

/// A scheduler that a user might write, without periodic timers: periodic work uses the default
/// implementation.
struct ForwardingScheduler: SchedulerType {
    let base: HistoricalScheduler

    var now: RxTime { base.now }

    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        base.schedule(state, action: action)
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        base.scheduleRelative(state, dueTime: dueTime, action: action)
    }
}
