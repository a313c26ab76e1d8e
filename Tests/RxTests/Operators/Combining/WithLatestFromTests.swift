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
        assertResourcesBack(to: before)
    }
}
