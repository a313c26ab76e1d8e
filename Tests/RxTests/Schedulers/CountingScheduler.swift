import Foundation
import Rx
import RxTest

/// Records for how long it is asked to wait. Its clock may stand still.
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
