import Foundation
import Rx
import RxBlocking
import RxTest
import XCTest

/// Calls every public name of RxTest and RxBlocking in the form that users write.
final class TestingFormsTests: XCTestCase {
    // MARK: RxTest

    func testRecorded() {
        let time: TestTime = 10
        let recorded = Recorded(time: time, value: 1)
        XCTAssertEqual(recorded.time, 10)
        XCTAssertEqual(recorded.value, 1)
        XCTAssertEqual(recorded, Recorded(time: 10, value: 1))
        XCTAssertEqual(recorded.debugDescription, "1 @ 10")
        XCTAssertEqual(Recorded.next(210, "a").debugDescription, "next(a) @ 210")
        let events: [Recorded<Event<Int>>] = [
            .next(210, 1), .error(220, Planted.fault), .completed(230), .completed(240, Int.self),
            .error(250, Planted.fault, Int.self),
        ]
        XCTAssertEqual(
            events.map(\.debugDescription),
            ["next(1) @ 210", "error(fault) @ 220", "completed @ 230", "completed @ 240", "error(fault) @ 250"])
        XCTAssertEqual(Recorded.events(.next(210, 1), .completed(220)), [.next(210, 1), .completed(220)])
        XCTAssertEqual(Recorded.events([.next(210, 1), .completed(220)]), [.next(210, 1), .completed(220)])
        let typed: [Recorded<Event<Int>>] = [
            Recorded.completed(230, Int.self), Recorded.error(250, Planted.fault, Int.self),
        ]
        XCTAssertEqual(typed.map(\.time), [230, 250])
    }

    func testSubscription() {
        let open = Subscription(200)
        let closed = Subscription(200, 1000)
        XCTAssertEqual(open.unsubscribe, Int.max)
        XCTAssertEqual(closed.subscribe, 200)
        XCTAssertEqual(closed.unsubscribe, 1000)
        XCTAssertEqual(open.debugDescription, "(200: Infinity)")
        XCTAssertEqual(closed.debugDescription, "(200: 1000)")
        XCTAssertEqual(Set([open, closed, Subscription(200)]).count, 2)
    }

    func testScheduler() {
        XCTAssertEqual(
            [TestScheduler.Defaults.created, TestScheduler.Defaults.subscribed, TestScheduler.Defaults.disposed],
            [100, 200, 1000])
        let scheduler: VirtualTimeScheduler<TestSchedulerVirtualTimeConverter> = TestScheduler(
            initialClock: 0, resolution: 1.0, simulateProcessingDelay: true)
        XCTAssertEqual(scheduler.clock, 0)
        XCTAssertEqual(TestScheduler(initialClock: 5, resolution: 0.1).clock, 5)
        XCTAssertEqual(TestScheduler(initialClock: 5, simulateProcessingDelay: false).clock, 5)
    }

    func testObservablesAndObservers() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot: TestableObservable<Int> = scheduler.createHotObservable([.next(210, 1), .completed(220)])
        let cold = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let observer: TestableObserver<Int> = scheduler.createObserver(Int.self)
        var subscription: (any Disposable)?
        scheduler.scheduleAt(200) { subscription = hot.subscribe(observer) }
        scheduler.scheduleAt(220) { subscription?.dispose() }
        scheduler.scheduleAt(300) { _ = cold.asObservable().subscribe(observer) }
        scheduler.start()
        XCTAssertEqual(observer.events, [.next(210, 1), .completed(220), .next(310, 1), .completed(320)])
        XCTAssertEqual(hot.subscriptions, [Subscription(200, 220)])
        XCTAssertEqual(cold.subscriptions, [Subscription(300, 320)])
        XCTAssertEqual(cold.recordedEvents, [.next(10, 1), .completed(20)])
        observer.onNext(9)
        XCTAssertEqual(observer.events.last, .next(320, 9))
    }

    func testStart() {
        func source(_ scheduler: TestScheduler) -> TestableObservable<Int> {
            scheduler.createHotObservable([.next(150, 1), .next(250, 2), .next(350, 3)])
        }
        var scheduler = TestScheduler(initialClock: 0)
        var hot = source(scheduler)
        let result: TestableObserver<Int> = scheduler.start { hot.asObservable() }
        XCTAssertEqual(result.events, [.next(250, 2), .next(350, 3)])
        scheduler = TestScheduler(initialClock: 0)
        hot = source(scheduler)
        XCTAssertEqual(scheduler.start(disposed: 300) { hot.map { $0 * 10 } }.events, [.next(250, 20)])
        scheduler = TestScheduler(initialClock: 0)
        hot = source(scheduler)
        XCTAssertEqual(
            scheduler.start(created: 100, subscribed: 140, disposed: 300) { hot }.events,
            [.next(150, 1), .next(250, 2)])
        XCTAssertEqual(hot.subscriptions, [Subscription(140, 300)])
    }

    func testEquatableEventsAndAssertions() {
        XCTAssertEqual(Event.next(1), .next(1))
        XCTAssertNotEqual(Event<Int>.error(Planted.fault), .error(Planted.other))
        XCTAssertEqual(MaybeEvent.success(1), .success(1))
        XCTAssertNotEqual(MaybeEvent<Int>.completed, .error(Planted.fault))
        XCTAssertEqual(CompletableEvent.completed, .completed)
        XCTAssertNotEqual(CompletableEvent.completed, .error(Planted.fault))
        XCTAssertTrue(SingleEvent.success(1) == .success(1))
        XCTAssertEqual([Event.next(1), .completed], [.next(1), .completed])
        XCTAssertEqual([SingleEvent.success(1), .failure(Planted.fault)], [.success(1), .failure(Planted.fault)])
        XCTAssertEqual([MaybeEvent.success(1), .completed], [.success(1), .completed])
        XCTAssertEqual([CompletableEvent.completed], [.completed])
        let events: [Recorded<Event<Int>>] = [.next(210, 1), .next(220, 2)]
        XCTAssertEqual(events, [.next(210, 1), .next(220, 2)])
        let optional: [Recorded<Event<Int?>>] = [.next(210, nil), .next(220, 2)]
        XCTAssertEqual(optional, [.next(210, nil), .next(220, 2)])
        XCTAssertRecordedElements(events, [1, 2])
    }

    // MARK: RxBlocking

    func testBlocking() throws {
        let blocking: BlockingObservable<Int> = Observable.of(1, 2, 3).toBlocking()
        XCTAssertEqual(try blocking.toArray(), [1, 2, 3])
        XCTAssertEqual(try blocking.first(), 1)
        XCTAssertEqual(try blocking.last(), 3)
        XCTAssertEqual(try blocking.single { $0 == 2 }, 2)
        XCTAssertThrowsError(try blocking.single { $0 > 1 }) {
            XCTAssertEqual("\($0)", "\(RxError.moreThanOneElement)")
        }
        XCTAssertEqual(try Single.just(1).toBlocking(timeout: 10).single(), 1)
        XCTAssertThrowsError(try Observable<Int>.empty().toBlocking().single()) {
            XCTAssertEqual("\($0)", "\(RxError.noElements)")
        }
        XCTAssertNil(try Observable<Int>.empty().toBlocking().first())
        XCTAssertNil(try Observable<Int>.empty().toBlocking().last())
        XCTAssertThrowsError(try Observable<Int>.never().toBlocking(timeout: 0).first()) {
            XCTAssertEqual("\($0)", "\(RxError.timeout)")
        }
        let limit: TimeInterval? = nil
        XCTAssertEqual(try Completable.empty().toBlocking(timeout: limit).toArray().count, 0)
    }

    func testMaterialize() {
        let result: MaterializedSequenceResult<Int> = Observable.of(1, 2).toBlocking().materialize()
        switch result {
        case .completed(let elements): XCTAssertEqual(elements, [1, 2])
        case .failed(let elements, let error): XCTFail("\(elements) \(error)")
        }
        guard
            case .failed(elements: let elements, error: let error) = Observable.just(1).concat(
                Observable.error(Planted.fault)
            ).toBlocking().materialize()
        else {
            return XCTFail("It did not fail.")
        }
        XCTAssertEqual(elements, [1])
        XCTAssertEqual("\(error)", "fault")
    }
}
