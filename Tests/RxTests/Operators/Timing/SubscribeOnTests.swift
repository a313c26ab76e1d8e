import Rx
import RxTest
import XCTest

final class SubscribeOnTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testSubscribeOn_movesSubscriptionAndDisposal() {
        let source = scheduler.createHotObservable([.next(210, 1), .completed(300)])
        let result = scheduler.start { source.subscribe(on: self.scheduler) }
        XCTAssertEqual(result.events, [.next(210, 1), .completed(300)])
        XCTAssertEqual(source.subscriptions, [Subscription(201, 301)])
    }

    func testSubscribeOn_disposed_endsTheSourceATickLater() {
        let source = scheduler.createHotObservable([.next(210, 1)])
        _ = scheduler.start { source.subscribe(on: self.scheduler) }
        XCTAssertEqual(source.subscriptions, [Subscription(201, 1001)])
    }

    func testSubscribeOn_ofSourceThatFails_fails() {
        let source = scheduler.createHotObservable([.error(220, Planted.fault)]) as TestableObservable<Int>
        XCTAssertEqual(scheduler.start { source.subscribe(on: self.scheduler) }.events, [.error(220, Planted.fault)])
        XCTAssertEqual(source.subscriptions, [Subscription(201, 221)])
    }

    func testSubscribeOn_disposedBeforeItsTurn_neverSubscribes() {
        var subscriptions = 0
        let source = Observable<Int>.deferred {
            subscriptions += 1
            return .never()
        }
        source.subscribe(on: scheduler).subscribe { _ in }.dispose()
        scheduler.start()
        XCTAssertEqual(subscriptions, 0)
    }

    func testSubscribeOn_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.subscribe(on: InlineScheduler()) }
            for source in [Observable.just(1), .error(Planted.fault), .of(1, 2)] {
                _ = source.subscribe(on: scheduler).subscribe { _ in }
            }
            scheduler.start()
            Observable<Int>.never().subscribe(on: scheduler).subscribe { _ in }.dispose()
        }
        assertResourcesBack(to: before)
    }
}
