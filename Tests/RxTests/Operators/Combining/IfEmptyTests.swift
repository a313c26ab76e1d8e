import Rx
import RxTest
import XCTest

final class IfEmptyTests: XCTestCase {
    func testIfEmptyDefault_ofEmptySequence_deliversTheDefault() {
        XCTAssertEqual(Observable<Int>.empty().ifEmpty(default: 7).synchronousEvents, ["next(7)", "completed"])
    }

    func testIfEmptyDefault_ofElements_isTheSequence() {
        XCTAssertEqual(Observable.sending(1).ifEmpty(default: 7).synchronousEvents, ["next(1)", "completed"])
    }

    func testIfEmptyDefault_ofError_fails() {
        XCTAssertEqual(Observable<Int>.error(Planted.fault).ifEmpty(default: 7).synchronousEvents, ["error(fault)"])
    }

    func testIfEmptySwitch_ofEmptySequence_subscribesToTheOtherAtCompletion() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([Recorded<Event<Int>>.completed(210)])
        let other = scheduler.createColdObservable([.next(10, 7), .completed(20)])
        let result = scheduler.start { source.ifEmpty(switchTo: other.asObservable()) }
        XCTAssertEqual(result.events, [.next(220, 7), .completed(230)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 210)])
        XCTAssertEqual(other.subscriptions, [Subscription(210, 230)])
    }

    func testIfEmptySwitch_ofElements_neverSubscribesToTheOther() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(205, 1), .completed(210)])
        let other = scheduler.createColdObservable([.next(10, 7)])
        let result = scheduler.start { source.ifEmpty(switchTo: other.asObservable()) }
        XCTAssertEqual(result.events, [.next(205, 1), .completed(210)])
        XCTAssertEqual(other.subscriptions, [])
    }

    func testIfEmptySwitch_ofError_failsWithoutTheOther() {
        XCTAssertEqual(
            Observable<Int>.error(Planted.fault).ifEmpty(switchTo: .just(7)).synchronousEvents, ["error(fault)"])
    }

    func testIfEmptySwitch_disposedDuringTheOther_endsIt() {
        let other = PublishSubject<Int>()
        let subscription = Observable<Int>.empty().ifEmpty(switchTo: other).subscribe { _ in }
        XCTAssertTrue(other.hasObservers)
        subscription.dispose()
        XCTAssertFalse(other.hasObservers)
    }

    func testIfEmpty_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.ifEmpty(default: 7) }
        runToEveryEnd { $0.ifEmpty(switchTo: .just(7)) }
        runToEveryEnd { Observable<Int>.empty().ifEmpty(switchTo: $0) }
        assertResourcesBack(to: before)
    }
}
