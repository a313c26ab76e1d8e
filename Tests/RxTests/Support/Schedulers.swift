import Foundation
import Rx
import RxTest

/// A scheduler whose work runs when the test says so, in any order, and is not kept from it by a disposal: as if it had
/// begun right before that.
final class ManualScheduler: SchedulerType {
    private(set) var now = Date(timeIntervalSince1970: 0)
    private var work: [() -> Void] = []

    /// The number of items asked for so far.
    var count: Int { work.count }
    /// After how long each item is due.
    private(set) var dueTimes: [RxTimeInterval] = []

    /// Sets the clock to so many seconds.
    func setClock(_ seconds: TimeInterval) { now = Date(timeIntervalSince1970: seconds) }

    /// Runs an item, counted from 0 in the order in which they were asked for.
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

/// A scheduler as a user might write it: it runs everything inside `schedule`.
struct InlineScheduler: ImmediateSchedulerType {
    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable {
        action(state)
    }
}

/// A scheduler as a user might write it, without timers of its own: periodic work comes from the default
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
