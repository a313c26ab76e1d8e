import Foundation
import Rx
import XCTest

/// Spans are measured by the scheduler's monotonic clock, or by `now` of a user's scheduler.
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

    /// A user-defined scheduler whose clock is set while timers run on another one.
    private final class Jumping: SchedulerType, @unchecked Sendable {
        // @unchecked: only the queue's thread accesses the offset after the timers were started.
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

    /// The times in seconds at which each operator sends something, with elements after 4, 5 and 8 seconds and a clock
    /// that is set after 6 seconds.
    private func moments(jump: TimeInterval, _ make: (Observable<Int>, Jumping) -> Observable<Int>) -> [Double] {
        let scheduler = Jumping()
        let source = PublishSubject<Int>()
        var moments: [Double] = []
        func note() { moments.append(scheduler.base.now.timeIntervalSince1970) }
        let subscription = make(source, scheduler).subscribe(onNext: { _ in note() }, onCompleted: note)
        for (seconds, action) in [
            (4, { source.onNext(1) }), (5, { source.onNext(2) }), (6, { scheduler.offset = jump }),
            (8, { source.onNext(3) }),
        ] as [(Int, () -> Void)] {
            _ = scheduler.base.scheduleRelative((), dueTime: .seconds(seconds)) { _ in
                action()
                return Disposables.create()
            }
        }
        scheduler.base.advanceTo(RxTime(timeIntervalSince1970: 20))
        subscription.dispose()
        return moments
    }

    func testOperatorsOfOneTimer_onASchedulerWhoseClockJumps_dependOnItsTimersAlone() {
        let forms: [(String, [Double], (Observable<Int>, Jumping) -> Observable<Int>)] = [
            ("buffer", [7, 14], { $0.buffer(timeSpan: .seconds(7), count: 9, scheduler: $1).map(\.count) }),
            ("window", [0, 7, 14], { $0.window(timeSpan: .seconds(7), count: 9, scheduler: $1).map { _ in 0 } }),
            ("interval", [7, 14], { Observable<Int>.interval(.seconds(7), scheduler: $1) }),
            ("timer", [7, 7], { Observable<Int>.timer(.seconds(7), scheduler: $1) }),
            ("take(for:)", [4, 5, 7], { $0.take(for: .seconds(7), scheduler: $1) }),
            ("skip(_:)", [8], { $0.skip(.seconds(7), scheduler: $1) }),
            ("delaySubscription", [8], { $0.delaySubscription(.seconds(7), scheduler: $1) }),
        ]
        for jump in [3600.0, -3600] {
            for (name, expected, make) in forms { XCTAssertEqual(moments(jump: jump, make), expected, name) }
        }
    }

    /// Spans between two elements are measured by the scheduler's clock, even if that clock jumps.
    func testDelayAndThrottle_onASchedulerWhoseClockJumps_followIt() {
        func delayed(_ jump: TimeInterval) -> [Double] {
            moments(jump: jump) { $0.delay(.seconds(5), scheduler: $1) }
        }
        XCTAssertEqual(delayed(0), [9, 10, 13])
        XCTAssertEqual(delayed(3600), [9, 9, 13])
        XCTAssertEqual(delayed(-3600), [9, 14, 14])
        for latest in [true, false] {
            func passed(_ jump: TimeInterval) -> [Double] {
                moments(jump: jump) { $0.throttle(.seconds(9), latest: latest, scheduler: $1) }
            }
            XCTAssertEqual(passed(0), latest ? [4, 13] : [4])
            XCTAssertEqual(passed(3600), [4, 8])
        }
    }
}
