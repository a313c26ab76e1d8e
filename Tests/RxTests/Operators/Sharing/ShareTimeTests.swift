import Rx
import RxTest
import Synchronization
import XCTest

/// When a shared sequence subscribes to its source and leaves it.
final class ShareTimeTests: XCTestCase {
    func testShare_whileConnected_subscribesFromFirstToLastSubscriber() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([Recorded.next(250, 1), .next(350, 2), .next(450, 3), .next(650, 4)])
        let shared = source.asObservable().share(replay: 1)
        let early = scheduler.createObserver(Int.self)
        let late = scheduler.createObserver(Int.self)
        let again = scheduler.createObserver(Int.self)
        var subscriptions: [any Disposable] = []
        scheduler.scheduleAt(200) { subscriptions.append(shared.subscribe(early)) }
        scheduler.scheduleAt(400) { subscriptions.append(shared.subscribe(late)) }
        scheduler.scheduleAt(420) { subscriptions[0].dispose() }
        scheduler.scheduleAt(500) { subscriptions[1].dispose() }
        scheduler.scheduleAt(600) { subscriptions.append(shared.subscribe(again)) }
        scheduler.scheduleAt(700) { subscriptions[2].dispose() }
        scheduler.start()
        XCTAssertEqual(early.events, [.next(250, 1), .next(350, 2)])
        XCTAssertEqual(late.events, [.next(400, 2), .next(450, 3)])
        XCTAssertEqual(again.events, [.next(650, 4)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 500), Subscription(600, 700)])
    }

    func testShare_whoseSourceFails_isSubscribedAnewFromInsideTheError() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([Recorded.next(10, 1), .error(30, TestError(), Int.self)])
        let shared = source.asObservable().share(replay: 1)
        let observer = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(200) {
            _ = shared.subscribe(onError: { _ in _ = shared.subscribe(observer) })
        }
        scheduler.start()
        XCTAssertEqual(observer.events, [.next(240, 1), .error(260, TestError(), Int.self)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 230), Subscription(230, 260)])
    }

    func testShare_forever_replaysMemoryAndEndToLateSubscribers() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createColdObservable([Recorded.next(10, 1), .next(20, 2), .completed(30, Int.self)])
        let shared = source.asObservable().share(replay: 1, scope: .forever)
        let early = scheduler.createObserver(Int.self)
        let late = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(200) { _ = shared.subscribe(early) }
        scheduler.scheduleAt(300) { _ = shared.subscribe(late) }
        scheduler.start()
        XCTAssertEqual(early.events, [.next(210, 1), .next(220, 2), .completed(230)])
        XCTAssertEqual(late.events, [.next(300, 2), .completed(300)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 230)])
    }

    func testPublish_connectedAndDisposed_subscribesInBetween() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([Recorded.next(250, 1), .next(350, 2), .next(450, 3), .next(550, 4)])
        let published = source.asObservable().publish()
        var connection: (any Disposable)?
        scheduler.scheduleAt(300) { connection = published.connect() }
        scheduler.scheduleAt(400) { connection?.dispose() }
        scheduler.scheduleAt(500) { connection = published.connect() }
        scheduler.scheduleAt(600) { connection?.dispose() }
        let events = scheduler.start { published }.events
        // One subject for each connection: a subscriber of the first receives nothing from the second.
        XCTAssertEqual(events, [.next(350, 2)])
        XCTAssertEqual(source.subscriptions, [Subscription(300, 400), Subscription(500, 600)])
    }

    func testRefCount_ofTwoSubscribers_disconnectsWithTheLast() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([Recorded.next(250, 1), .next(350, 2)])
        let shared = source.asObservable().publish().refCount()
        var subscriptions: [any Disposable] = []
        scheduler.scheduleAt(210) { subscriptions.append(shared.subscribe()) }
        scheduler.scheduleAt(300) { subscriptions.append(shared.subscribe()) }
        scheduler.scheduleAt(310) { subscriptions[0].dispose() }
        scheduler.scheduleAt(400) { subscriptions[1].dispose() }
        scheduler.start()
        XCTAssertEqual(source.subscriptions, [Subscription(210, 400)])
    }

    // MARK: With take

    func testTake_ofSharedReplay_leavesTheConnectionFromInsideTheReplay() {
        let source = PublishSubject<Int>()
        let shared = source.share(replay: 1)
        let first = shared.subscribe()
        source.onNext(1)
        var seen: [String] = []
        _ = shared.take(1).subscribe { seen.append($0.debugDescription) }
        XCTAssertEqual(seen, ["next(1)", "completed"])
        first.dispose()
        XCTAssertFalse(source.hasObservers)
    }

    func testTake_ofSharedReplayOnManyThreads_completesEveryoneAndDisconnects() {
        let before = Resources.total
        for _ in 0..<200 {
            let source = BehaviorSubject(value: 0)
            let shared = source.share(replay: 1)
            let ends = Atomic<Int>(0)
            let take: @Sendable () -> Void = {
                for _ in 0..<10 {
                    _ = shared.take(1).subscribe(onCompleted: { ends.wrappingAdd(1, ordering: .relaxed) })
                }
            }
            concurrently(take, take, { for value in 1...10 { source.onNext(value) } })
            XCTAssertEqual(ends.load(ordering: .relaxed), 20)
            XCTAssertFalse(source.hasObservers)
        }
        assertResourcesBack(to: before)
    }
}
