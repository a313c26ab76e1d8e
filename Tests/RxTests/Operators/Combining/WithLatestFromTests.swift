import Rx
import RxTest
import XCTest

final class WithLatestFromTests: XCTestCase {
    func testWithLatestFrom_dropsElementsUntilTheSecondHasOne() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(250, 3), .completed(260)])
        let second = scheduler.createHotObservable([.next(220, 10), .next(240, 20), .completed(245)])
        let result = scheduler.start { first.withLatestFrom(second) { $0 + $1 } }
        XCTAssertEqual(result.events, [.next(230, 12), .next(250, 23), .completed(260)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 260)])
        XCTAssertEqual(second.subscriptions, [Subscription(200, 245)])
    }

    func testWithLatestFrom_withoutSelector_givesTheSecondsElements() {
        XCTAssertEqual(
            Observable.just(1).withLatestFrom(Observable.just("x")).synchronousEvents, ["next(x)", "completed"])
    }

    func testWithLatestFrom_atTheSecondsError_fails() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable([.next(210, 1), .completed(260)])
        let second = scheduler.createHotObservable([.error(220, Planted.fault)]) as TestableObservable<Int>
        let result = scheduler.start { first.withLatestFrom(second) }
        XCTAssertEqual(result.events, [.error(220, Planted.fault)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 220)])
    }

    func testWithLatestFrom_whoseSelectorThrows_fails() {
        XCTAssertEqual(
            Observable.just(1).withLatestFrom(Observable.just(2)) { _, _ -> Int in throw Planted.fault }
                .synchronousEvents, ["error(fault)"])
    }

    func testWithLatestFrom_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.withLatestFrom(Observable<Int>.never()) }
        runToEveryEnd { $0.withLatestFrom(Observable.just(1)) }
        XCTAssertEqual(Resources.total, before)
    }
}

final class AmbTests: XCTestCase {
    func testAmb_disposesTheLoserAtTheFirstEvent() {
        let scheduler = TestScheduler(initialClock: 0)
        let slow = scheduler.createHotObservable([.next(220, 1), .completed(240)])
        let fast = scheduler.createHotObservable([.next(210, 2), .next(230, 3), .completed(250)])
        let result = scheduler.start { slow.amb(fast) }
        XCTAssertEqual(result.events, [.next(210, 2), .next(230, 3), .completed(250)])
        XCTAssertEqual(slow.subscriptions, [Subscription(200, 210)])
        XCTAssertEqual(fast.subscriptions, [Subscription(200, 250)])
    }

    func testAmb_countsAnEndAsAnEvent() {
        let scheduler = TestScheduler(initialClock: 0)
        let ending = scheduler.createHotObservable([.completed(210)]) as TestableObservable<Int>
        let failing = scheduler.createHotObservable([.error(220, Planted.fault)]) as TestableObservable<Int>
        XCTAssertEqual(
            scheduler.start { Observable.amb([failing.asObservable(), ending.asObservable()]) }.events,
            [.completed(210)])
        XCTAssertEqual(failing.subscriptions, [Subscription(200, 210)])
    }

    func testAmb_decidedInsideASubscription_subscribesToNoFurther() {
        var subscriptions = 0
        let later = Observable<Int>.deferred {
            subscriptions += 1
            return .never()
        }
        XCTAssertEqual(Observable.just(1).amb(later).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(subscriptions, 0)
    }

    func testAmb_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.amb(Observable<Int>.never()) }
        runToEveryEnd { Observable<Int>.never().amb($0) }
        XCTAssertEqual(Resources.total, before)
    }
}
