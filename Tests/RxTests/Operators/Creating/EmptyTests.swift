import Rx
import RxTest
import XCTest

final class EmptyTests: XCTestCase {
    func testEmpty_completesAtOnce() { XCTAssertEqual(Observable<Int>.empty().synchronousEvents, ["completed"]) }

    func testNever_saysNothing() { XCTAssertEqual(Observable<Int>.never().synchronousEvents, []) }

    func testError_failsAtOnce() {
        XCTAssertEqual(Observable<Int>.error(Planted.fault).synchronousEvents, ["error(fault)"])
    }

    func testEmptyNeverError_releaseEverything() {
        let before = Resources.total
        _ = Observable<Int>.empty().subscribe { _ in }
        _ = Observable<Int>.error(Planted.fault).subscribe { _ in }
        Observable<Int>.never().subscribe { _ in }.dispose()
        _ = Observable<Int>.never().subscribe { _ in }
        XCTAssertEqual(Resources.total, before)
    }
}

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
        XCTAssertEqual(Resources.total, before)
    }
}
