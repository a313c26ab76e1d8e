import Rx
import RxTest
import XCTest

final class TestableObservableTests: XCTestCase {
    private struct Failure: Error {}

    private let scheduler = TestScheduler(initialClock: 0)

    func testHot_sendsEachEventAtItsTickToWhoeverIsThere() {
        let source = scheduler.createHotObservable([
            .next(150, 1), .next(200, 2), .next(210, 3), .next(990, 4), .next(1_000, 5),
        ])
        let result = scheduler.start { source }
        // At 200 the event is older than the subscription, and at 1000 than its disposal.
        XCTAssertEqual(result.events, [.next(210, 3), .next(990, 4), .next(1_000, 5)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 1_000)])
        XCTAssertEqual(source.recordedEvents.count, 5)
    }

    func testCold_countsItsTicksFromEachSubscription() {
        let source = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let first = scheduler.createObserver(Int.self)
        let second = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(100) { _ = source.subscribe(first) }
        scheduler.scheduleAt(105) { _ = source.subscribe(second) }
        scheduler.start()
        XCTAssertEqual(first.events, [.next(110, 1), .completed(120)])
        XCTAssertEqual(second.events, [.next(115, 1), .completed(125)])
        // A stop event does not end a subscription: an observer stays subscribed until it is disposed.
        XCTAssertEqual(source.subscriptions, [Subscription(100), Subscription(105)])
    }

    func testObserver_ofATestObservable_receivesWhatStandsBehindAStopEvent() {
        let events: [Recorded<Event<Int>>] = [
            .next(10, 1), .completed(20), .next(30, 2), .error(40, Failure()), .next(50, 3), .completed(60),
        ]
        let hot = scheduler.createHotObservable(events)
        let cold = scheduler.createColdObservable(events)
        let observers = (0..<2).map { _ in scheduler.createObserver(Int.self) }
        let subscriptions = [hot.subscribe(observers[0]), cold.subscribe(observers[1])]
        scheduler.scheduleAt(55) { subscriptions.forEach { $0.dispose() } }
        scheduler.start()
        for observer in observers { XCTAssertEqual(observer.events, Array(events.dropLast())) }
        XCTAssertEqual(hot.subscriptions, [Subscription(0, 55)])
        XCTAssertEqual(cold.subscriptions, [Subscription(0, 55)])
    }

    func testOperatorsAndFunctions_onATestObservable_endWithTheFirstStopEvent() {
        let hot = scheduler.createHotObservable([.next(10, 1), .completed(20), .next(30, 2), .completed(40)])
        let mapped = scheduler.createObserver(Int.self)
        let seen = scheduler.createObserver(Int.self)
        let whole = scheduler.createObserver(Int.self)
        _ = hot.map { $0 }.subscribe(mapped)
        _ = hot.asObservable().subscribe(whole)
        _ = hot.subscribe { seen.on($0) }
        var count = 0
        _ = hot.subscribe(onNext: { _ in count += 1 })
        scheduler.start()
        for observer in [mapped, seen, whole] { XCTAssertEqual(observer.events, [.next(10, 1), .completed(20)]) }
        XCTAssertEqual(count, 1)
        XCTAssertEqual(hot.subscriptions, Array(repeating: Subscription(0, 20), count: 4))
    }

    func testSubscriptions_throughOperators_endAtTheTickOfTheStopEvent() {
        let source = scheduler.createColdObservable([.next(10, 1), .next(20, 2), .completed(350), .next(360, 3)])
        let result = scheduler.start { source.map { $0 * 10 }.filter { $0 > 10 } }
        XCTAssertEqual(result.events, [.next(220, 20), .completed(550)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 550)])
    }

    func testSubscriptions_whenASelectorThrows_endAtThatTick() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3)])
        let result = scheduler.start { source.map { number in if number == 2 { throw Failure() } else { number } } }
        XCTAssertEqual(result.events, [.next(210, 1), .error(220, Failure())])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testSubscriptions_ofAFailingSource_endAtThatTick() {
        let source = scheduler.createColdObservable([.error(50, Failure(), Int.self)])
        let result = scheduler.start { source.map { $0 } }
        XCTAssertEqual(result.events, [.error(250, Failure())])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])
    }

    func testSubscriptions_disposedEarly_endThenAndDeliverNothingMore() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(310, 2), .completed(400)])
        let result = scheduler.start(disposed: 300) { source.map { $0 } }
        XCTAssertEqual(result.events, [.next(210, 1)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 300)])
    }

    func testSubscriptions_notEnded_areInfinite() {
        let source = scheduler.createHotObservable([.next(210, 1)])
        _ = source.subscribe()
        XCTAssertEqual(source.subscriptions, [Subscription(0)])
        XCTAssertEqual(source.subscriptions.first?.unsubscribe, Int.max)
    }

    func testSubscriptions_ofInnersInFlatMap_areRecordedEach() {
        let outer = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
        let inner = scheduler.createColdObservable([.next(5, 0), .completed(15)])
        let result = scheduler.start { outer.flatMap { number in inner.map { $0 + number } } }
        XCTAssertEqual(result.events, [.next(215, 1), .next(225, 2), .completed(235)])
        XCTAssertEqual(outer.subscriptions, [Subscription(200, 230)])
        XCTAssertEqual(inner.subscriptions, [Subscription(210, 225), Subscription(220, 235)])
    }
}
