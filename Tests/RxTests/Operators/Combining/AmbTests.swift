import Rx
import RxTest
import XCTest

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
        assertResourcesBack(to: before)
    }
}
