import Foundation
import Rx
import XCTest

/// Spans are measured by the scheduler's clock for spans: a clock that nobody can set, or `now` of a user's scheduler.
final class SpanClockTests: XCTestCase {
    func testSpanClock_ofEachSchedulerOnAQueue_isNoDate_andAdvancesWithTheMonotonicClock() {
        let schedulers: [any SchedulerType] = [
            SerialDispatchQueueScheduler(qos: .default), ConcurrentDispatchQueueScheduler(qos: .default),
            MainScheduler.instance, MainScheduler.asyncInstance, ConcurrentMainScheduler.instance,
        ]
        for scheduler in schedulers {
            let before = DispatchTime.now().uptimeNanoseconds
            let shown = scheduler._spanClock.timeIntervalSinceReferenceDate
            let after = DispatchTime.now().uptimeNanoseconds
            XCTAssertGreaterThanOrEqual(shown, Double(before) * 1e-9 - 1e-6)
            XCTAssertLessThanOrEqual(shown, Double(after) * 1e-9 + 1e-6)
        }
    }

    /// A scheduler of a user's whose clock was set while timers run on another one.
    private final class Jumping: SchedulerType, @unchecked Sendable {
        // @unchecked: the queue's thread alone touches the offset after the timers were started.
        let base = HistoricalScheduler()
        var offset: TimeInterval = 0

        var now: RxTime { base.now.addingTimeInterval(offset) }

        func schedule<StateType>(
            _ state: StateType, action: @escaping (StateType) -> any Disposable
        ) -> any Disposable { base.schedule(state, action: action) }

        func scheduleRelative<StateType>(
            _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
        ) -> any Disposable { base.scheduleRelative(state, dueTime: dueTime, action: action) }
    }

    func testTimeoutAndDebounce_onASchedulerWhoseClockJumps_dependOnItsTimersAlone() {
        for jump in [3600.0, -3600] {
            let scheduler = Jumping()
            let log = ReferenceLog()
            let source = PublishSubject<Int>()
            let subscriptions = [
                source.timeout(.seconds(10), scheduler: scheduler).subscribe(
                    onNext: { log.add("t\($0)") }, onError: { _ in log.add("timeout") }),
                source.debounce(.seconds(5), scheduler: scheduler).subscribe(onNext: { log.add("d\($0)") }),
            ]
            func after(_ seconds: TimeInterval, _ action: @escaping () -> Void) {
                _ = scheduler.base.scheduleRelative((), dueTime: .milliseconds(Int(seconds * 1000))) { _ in
                    action()
                    return Disposables.create()
                }
            }
            for number in 1...3 { after(Double(number) * 4) { source.onNext(number) } }
            after(6) { scheduler.offset = jump }
            scheduler.base.advanceTo(scheduler.base.now.addingTimeInterval(18))
            XCTAssertEqual(log.text, "t1 t2 t3 d3", "\(jump)")
            subscriptions.forEach { $0.dispose() }
        }
    }
}
