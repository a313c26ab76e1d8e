import Rx
import RxTest
import XCTest

final class TakeUntilTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)
    private lazy var source = scheduler.createHotObservable([
        .next(210, 1), .next(220, 2), .next(230, 3), .completed(250),
    ])

    func testTakeUntil_completesAtTheOthersElement() {
        let other = scheduler.createHotObservable([.next(225, 0), .next(240, 0)])
        let result = scheduler.start { self.source.take(until: other) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 2), .completed(225)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 225)])
        XCTAssertEqual(other.subscriptions, [Subscription(200, 225)])
    }

    func testTakeUntil_goesOnAfterTheOthersCompletion() {
        let other = scheduler.createHotObservable([.completed(215)]) as TestableObservable<Int>
        let result = scheduler.start { self.source.take(until: other) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)])
        XCTAssertEqual(other.subscriptions, [Subscription(200, 215)])
    }

    func testTakeUntil_failsWithTheOther() {
        let other = scheduler.createHotObservable([.error(215, Planted.fault)]) as TestableObservable<Int>
        XCTAssertEqual(
            scheduler.start { self.source.take(until: other) }.events, [.next(210, 1), .error(215, Planted.fault)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 215)])
    }

    func testTakeUntil_ofElementThere_neverSubscribesToTheSource() {
        XCTAssertEqual(scheduler.start { self.source.take(until: Observable.just(0)) }.events, [.completed(200)])
        XCTAssertEqual(source.subscriptions, [])
    }

    func testSkipUntil_beginsAtTheOthersElement() {
        let other = scheduler.createHotObservable([.next(215, 0), .completed(240)])
        let result = scheduler.start { self.source.skip(until: other) }
        XCTAssertEqual(result.events, [.next(220, 2), .next(230, 3), .completed(250)])
        XCTAssertEqual(other.subscriptions, [Subscription(200, 215)])
    }

    func testSkipUntil_ofSourceThatCompletesFirst_sendsNothing() {
        let other = scheduler.createHotObservable([.next(300, 0)])
        let result = scheduler.start { self.source.skip(until: other) }
        XCTAssertEqual(result.events, [])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])
        XCTAssertEqual(other.subscriptions, [Subscription(200, 250)])
    }

    func testSkipUntil_ofSubjectsThatHaveAValue_leavesOutTheSourcesFirst() {
        let source = BehaviorSubject(value: 1)
        var values: [Int] = []
        let subscription = source.skip(until: BehaviorSubject(value: 2)).subscribe(onNext: { values.append($0) })
        source.onNext(3)
        XCTAssertEqual(values, [3])
        subscription.dispose()
    }

    func testSkipUntil_failsWithTheOther() {
        let other = scheduler.createHotObservable([.error(215, Planted.fault)]) as TestableObservable<Int>
        XCTAssertEqual(scheduler.start { self.source.skip(until: other) }.events, [.error(215, Planted.fault)])
    }

    func testTakeAndSkipUntil_atEveryEnd_releaseEverything() {
        let before = Resources.total
        runToEveryEnd { $0.take(until: Observable<Int>.never()) }
        runToEveryEnd { $0.take(until: $0.skip(1)) }
        runToEveryEnd { $0.skip(until: Observable<Int>.never()) }
        runToEveryEnd { $0.skip(until: Observable.just(1)) }
        assertResourcesBack(to: before)
    }
}

final class TakeUntilPredicateTests: XCTestCase {
    func testTakeUntil_endsAtTheElementForWhichItHolds() {
        let source = Observable.sending(1, 5, 2)
        XCTAssertEqual(source.take(until: { $0 > 3 }).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            source.take(until: { $0 > 3 }, behavior: .inclusive).synchronousEvents, ["next(1)", "next(5)", "completed"])
    }

    func testTakeUntil_whenPredicateThrows_fails() {
        XCTAssertEqual(
            Observable.sending(1).take(until: { _ in throw Planted.other }).synchronousEvents, ["error(other)"])
    }

    func testTakeUntil_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.take(until: { $0 == 2 }) }
        assertResourcesBack(to: before)
    }
}
