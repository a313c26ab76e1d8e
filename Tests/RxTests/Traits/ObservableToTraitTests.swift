import Rx
import RxTest
import XCTest

/// `asSingle`, `asMaybe` and `asCompletable`. The tests of the filtering operators cover `first`.
final class ObservableToTraitTests: XCTestCase {
    private let notes = Notes()
    private let scheduler = TestScheduler(initialClock: 0)

    func testAsSingleAndAsMaybe_ofOneElement_deliverItAtCompletion() {
        let source = scheduler.createColdObservable([.next(20, 7), .completed(50)])
        let single = scheduler.start { source.asSingle() }
        XCTAssertEqual(single.events, [.next(250, 7), .completed(250)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])

        let scheduler = TestScheduler(initialClock: 0)
        let again = scheduler.createColdObservable([.next(20, 7), .completed(50)])
        XCTAssertEqual(scheduler.start { again.asMaybe() }.events, [.next(250, 7), .completed(250)])
    }

    func testAsSingle_ofNoneOrTwo_fails() {
        XCTAssertEqual(
            Observable<Int>.empty().asSingle().synchronousEvents, ["error(Sequence doesn't contain any elements.)"])
        XCTAssertEqual(
            Observable.sending(1, 2, then: nil).asSingle().synchronousEvents,
            ["error(Sequence contains more than one element.)"])
    }

    func testAsMaybe_ofNone_completes() {
        XCTAssertEqual(Observable<Int>.empty().asMaybe().synchronousEvents, ["completed"])
    }

    func testAsMaybe_ofTwo_failsAndEndsTheSourceAtTheSecond() {
        let source = scheduler.createColdObservable([.next(20, 1), .next(30, 2), .completed(50)])
        XCTAssertEqual(scheduler.start { source.asMaybe() }.events, [.error(230, RxError.moreThanOneElement)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 230)])
    }

    func testAsSingleAndAsMaybe_ofOneElementAndAnError_fail() {
        let source = Observable.sending(1, then: .error(Planted.fault))
        XCTAssertEqual(source.asSingle().synchronousEvents, ["error(fault)"])
        XCTAssertEqual(source.asMaybe().synchronousEvents, ["error(fault)"])
    }

    func testAsSingle_ofOptionalNil_deliversIt() {
        XCTAssertEqual(Observable<Int?>.just(nil).asSingle().synchronousEvents, ["next(nil)", "completed"])
        XCTAssertEqual(Observable<Int?>.just(nil).asMaybe().synchronousEvents, ["next(nil)", "completed"])
    }

    func testAsSingle_disposedMidway_disposesTheSource() {
        let source = scheduler.createColdObservable([.next(20, 7), .completed(50)])
        XCTAssertEqual(scheduler.start(disposed: 230) { source.asSingle() }.events, [])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 230)])
    }

    func testAsCompletable_ofNoElements_keepsTheEnd() {
        XCTAssertEqual(Observable<Never>.empty().asCompletable().synchronousEvents, ["completed"])
        XCTAssertEqual(Observable.of(1, 2).ignoreElements().asCompletable().synchronousEvents, ["completed"])
        XCTAssertEqual(Observable<Never>.error(Planted.fault).asCompletable().synchronousEvents, ["error(fault)"])
    }

    func testConversions_atEveryEnd_releaseEverything() {
        let before = Resources.total
        runToEveryEnd { $0.asSingle() }
        runToEveryEnd { $0.asMaybe() }
        runToEveryEnd { $0.take(1).asMaybe() }
        runToEveryEnd { $0.ignoreElements().asCompletable() }
        assertResourcesBack(to: before)
    }
}
