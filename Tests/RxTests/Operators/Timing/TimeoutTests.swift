import Foundation
import Rx
import RxTest
import XCTest

final class TimeoutTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testTimeout_withoutAnElementInTime_failsAndEndsTheSource() {
        let source = scheduler.createHotObservable([.next(230, 1), .next(300, 2)])
        let result = scheduler.start { source.timeout(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(230, 1), .error(280, RxError.timeout)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 280)])
    }

    func testTimeout_ofElementDueAtTheDeadline_deliversIt() {
        let source = scheduler.createColdObservable([.next(20, 1), .next(50, 2), .next(80, 3), .completed(100)])
        let result = scheduler.start { source.timeout(.seconds(30), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(220, 1), .next(250, 2), .next(280, 3), .completed(300)])
    }

    func testTimeout_ofFirstElementDueAtTheDeadline_timesOutAsTheTimerWasThereFirst() {
        let source = scheduler.createColdObservable([.next(30, 1), .next(60, 2), .completed(90)])
        let result = scheduler.start { source.timeout(.seconds(30), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.error(230, RxError.timeout)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 230)])
    }

    func testTimeout_ofIntervalAsLongAsTheDeadline_timesOutAtTheFirstTick() {
        let result = scheduler.start {
            Observable<Int>.interval(.seconds(2), scheduler: self.scheduler).timeout(
                .seconds(2), scheduler: self.scheduler)
        }
        XCTAssertEqual(result.events, [.error(202, RxError.timeout)])
    }

    func testTimeout_ofZero_takesATurnAfterEachElement() {
        let source = scheduler.createHotObservable([.next(201, 1), .next(202, 2), .next(204, 3)])
        let result = scheduler.start { source.timeout(.seconds(0), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(201, 1), .next(202, 2), .error(203, RxError.timeout)])
    }

    func testTimeout_ofSourceThatDoesNotReturnFromItsSubscription_fails() {
        let scheduler = ManualScheduler()
        let source = Observable<Int>.create { observer in
            // The source blocks here, and the time passes.
            scheduler.setClock(10)
            scheduler.run(0)
            observer.onNext(1)
            return Disposables.create()
        }
        XCTAssertEqual(
            source.timeout(.seconds(10), scheduler: scheduler).synchronousEvents, ["error(\(RxError.timeout))"])
        XCTAssertEqual(scheduler.count, 1)
    }

    func testTimeout_ofElementSentDuringTheSubscription_countsFromThere() {
        let source = Observable<Int>.never().startWith(1)
        let result = scheduler.start { source.timeout(.seconds(30), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(200, 1), .error(230, RxError.timeout)])
    }

    func testTimeout_ofManyElements_onASchedulerOfTheUsers_startsATimerForEach() {
        let source = scheduler.createHotObservable((0..<500).map { .next(201 + $0, $0) })
        let counting = CountingScheduler(base: scheduler)
        let result = scheduler.start { source.timeout(.seconds(50), scheduler: counting) }
        XCTAssertEqual(result.events.count, 501)
        XCTAssertEqual(result.events.last, .error(750, RxError.timeout))
        XCTAssertEqual(counting.dueTimes, Array(repeating: 50, count: 501))
    }

    func testTimeout_ofElementThatTakesLongerToDeliver_countsFromItsDelivery() {
        let scheduler = HistoricalScheduler()
        let subject = PublishSubject<Int>()
        var error: (any Error)?
        let subscription = subject.timeout(.seconds(10), scheduler: scheduler).subscribe(
            onNext: { _ in scheduler.advanceTo(Date(timeIntervalSince1970: 14)) }, onError: { error = $0 })
        scheduler.advanceTo(Date(timeIntervalSince1970: 9))
        subject.onNext(1)
        scheduler.advanceTo(Date(timeIntervalSince1970: 23))
        XCTAssertNil(error)
        scheduler.advanceTo(Date(timeIntervalSince1970: 24))
        XCTAssertNotNil(error)
        subscription.dispose()
    }

    func testTimeout_goesOnWithTheOther() {
        let source = scheduler.createHotObservable([.next(230, 1), .next(290, 2), .completed(400)])
        let other = scheduler.createColdObservable([.next(20, 9), .completed(40)])
        let result = scheduler.start { source.timeout(.seconds(50), other: other, scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(230, 1), .next(300, 9), .completed(320)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 280)])
        XCTAssertEqual(other.subscriptions, [Subscription(280, 320)])
    }

    func testTimeout_ofSourceThatFails_fails() {
        let source = scheduler.createHotObservable([.error(230, Planted.fault)]) as TestableObservable<Int>
        XCTAssertEqual(
            scheduler.start { source.timeout(.seconds(50), scheduler: self.scheduler) }.events,
            [.error(230, Planted.fault)])
        XCTAssertEqual(scheduler.clock, 1000)
    }

    func testTimeout_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.timeout(.seconds(1), scheduler: scheduler) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
