import Rx
import RxTest
import XCTest

final class DeferredTests: XCTestCase {
    func testDeferred_makesASequenceForEachSubscriber() {
        var made = 0
        let source = Observable<Int>.deferred {
            made += 1
            return .just(made)
        }
        XCTAssertEqual(made, 0)
        XCTAssertEqual(source.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(source.synchronousEvents, ["next(2)", "completed"])
    }

    func testDeferred_subscribesAndDisposesWithItsSubscriber() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([.next(10, 1), .next(100, 2)])
        let result = scheduler.start(disposed: 250) { Observable.deferred { source.asObservable() } }
        XCTAssertEqual(result.events, [.next(210, 1)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])
    }

    func testDeferred_ofError_fails() {
        XCTAssertEqual(Observable<Int>.deferred { .error(Planted.fault) }.synchronousEvents, ["error(fault)"])
    }

    func testDeferred_whenFactoryThrows_fails() {
        XCTAssertEqual(Observable<Int>.deferred { throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testDeferred_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { source in Observable.deferred { source } }
        _ = Observable<Int>.deferred { throw Planted.other }.subscribe { _ in }
        assertResourcesBack(to: before)
    }
}
