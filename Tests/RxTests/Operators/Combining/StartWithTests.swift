import Rx
import RxTest
import XCTest

final class StartWithTests: XCTestCase {
    func testStartWith_deliversElementsBeforeTheSequence() {
        XCTAssertEqual(
            Observable.sending(3).startWith(1, 2).synchronousEvents, ["next(1)", "next(2)", "next(3)", "completed"])
    }

    func testStartWith_appliedTwice_putsTheLaterFirst() {
        XCTAssertEqual(
            Observable.sending(3).startWith(2).startWith(1).synchronousEvents,
            ["next(1)", "next(2)", "next(3)", "completed"])
    }

    func testStartWith_ofHotSource_deliversAtSubscription() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 2), .completed(220)])
        let result = scheduler.start { source.startWith(1) }
        XCTAssertEqual(result.events, [.next(200, 1), .next(210, 2), .completed(220)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testStartWith_ofError_fails() {
        XCTAssertEqual(
            Observable<Int>.error(Planted.fault).startWith(1).synchronousEvents, ["next(1)", "error(fault)"])
    }

    func testStartWith_endedByTheFirstElement_neverSubscribes() {
        var subscriptions = 0
        let source = Observable<Int>.deferred {
            subscriptions += 1
            return .never()
        }
        XCTAssertEqual(source.startWith(1, 2).take(1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(subscriptions, 0)
    }

    func testStartWith_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.startWith(0) }
        assertResourcesBack(to: before)
    }
}
