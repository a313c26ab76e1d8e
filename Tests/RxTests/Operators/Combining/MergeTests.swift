import Rx
import RxTest
import XCTest

final class MergeTests: XCTestCase {
    func testStaticMerge_interleavesAndCompletesWithTheLast() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable([.next(210, 1), .next(230, 3), .completed(240)])
        let second = scheduler.createHotObservable([.next(220, 2), .completed(250)])
        let result = scheduler.start { Observable.merge(first.asObservable(), second.asObservable()) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 240)])
        XCTAssertEqual(second.subscriptions, [Subscription(200, 250)])
    }

    func testStaticMerge_ofNothing_completes() {
        XCTAssertEqual(Observable<Int>.merge([]).synchronousEvents, ["completed"])
        XCTAssertEqual(
            Observable.merge(Set([1]).map { Observable.just($0) }).synchronousEvents, ["next(1)", "completed"])
    }

    func testStaticMerge_atAnError_subscribesToNothingMore() {
        var subscriptions = 0
        let later = Observable<Int>.deferred {
            subscriptions += 1
            return .never()
        }
        XCTAssertEqual(Observable.merge(.error(Planted.fault), later).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(subscriptions, 0)
    }
}
