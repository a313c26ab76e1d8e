import Foundation
import Rx

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

    /// Lets go of all work.
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
