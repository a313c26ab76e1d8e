import Foundation
import Rx
import RxTest
import XCTest

final class TestSchedulerTests: XCTestCase {
    private func makeRecursive(_ scheduler: TestScheduler, count: Int) -> Observable<Int> {
        Observable.create { observer in
            scheduler.scheduleRecursive(1) { number, recurse in
                if number > count { return observer.onCompleted() }
                observer.onNext(number)
                recurse(number + 1)
            }
        }
    }

    func testSchedule_forThePresent_runsOneTickLaterEach() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { self.makeRecursive(scheduler, count: 4) }
        XCTAssertEqual(result.events, [.next(201, 1), .next(202, 2), .next(203, 3), .next(204, 4), .completed(205)])
    }

    func testSchedule_withoutProcessingDelay_runsAtTheSameTick() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let result = scheduler.start { self.makeRecursive(scheduler, count: 2) }
        XCTAssertEqual(result.events, [.next(200, 1), .next(200, 2), .completed(200)])
    }

    func testPeriodic_withAPeriodOfZero_ticksAtEachTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 204) {
            Observable<Int>.create { observer in
                scheduler.schedulePeriodic(0, startAfter: .seconds(0), period: .seconds(0)) {
                    observer.onNext($0)
                    return $0 + 1
                }
            }
        }
        XCTAssertEqual(result.events, [.next(201, 0), .next(202, 1), .next(203, 2)])
    }

    func testScheduleAt_forThePresent_isNotDelayed() {
        let scheduler = TestScheduler(initialClock: 0)
        var log: [String] = []
        scheduler.scheduleAt(10) {
            log.append("a@\(scheduler.clock)")
            scheduler.scheduleAt(10) { log.append("b@\(scheduler.clock)") }
            _ = scheduler.scheduleRelativeVirtual((), dueTime: 0) { _ in
                log.append("c@\(scheduler.clock)")
                return Disposables.create()
            }
        }
        scheduler.start()
        XCTAssertEqual(log, ["a@10", "b@10", "c@10"])
    }

    func testResolution_ofAHundredth_countsSubsecondSpans() {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.01)
        var ticks: [TestTime] = []
        for milliseconds in [100, 104, 106] {
            _ = scheduler.scheduleRelative((), dueTime: .milliseconds(milliseconds)) { _ in
                ticks.append(scheduler.clock)
                return Disposables.create()
            }
        }
        scheduler.start()
        XCTAssertEqual(ticks, [10, 10, 11])
    }

    func testRelative_dueNever_isTheLastTick() {
        let scheduler = TestScheduler(initialClock: 0)
        var ran = false
        _ = scheduler.scheduleRelative((), dueTime: .never) { _ in
            ran = true
            return Disposables.create()
        }
        scheduler.advanceTo(1_000_000)
        XCTAssertFalse(ran)
    }

    func testStart_withItsOwnTimes_actsAtThem() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(10, 1), .next(30, 2), .next(50, 3)])
        var created: TestTime?
        let result = scheduler.start(created: 5, subscribed: 20, disposed: 40) {
            created = scheduler.clock
            return source
        }
        XCTAssertEqual(created, 5)
        XCTAssertEqual(result.events, [.next(30, 2)])
        XCTAssertEqual(source.subscriptions, [Subscription(20, 40)])
    }

    func testWholeTest_returnsEveryResource() {
        let before = Resources.total
        do {
            let scheduler = TestScheduler(initialClock: 0)
            let hot = scheduler.createHotObservable([.next(210, 1), .completed(1_500)])
            let cold = scheduler.createColdObservable([.next(10, 1), .next(1_700, 2)])
            _ = scheduler.start { hot.flatMap { _ in cold } }
        }
        XCTAssertEqual(Resources.total, before)
    }
}
