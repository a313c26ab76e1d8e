import Rx
import RxTest
import XCTest

final class TakeForTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testTakeFor_completesWhenTheTimeIsOver() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .completed(300)])
        let result = scheduler.start { source.take(for: .seconds(25), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(210, 1), .completed(225)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 225)])
    }

    func testTakeForZero_subscribesForOneTick() {
        let source = scheduler.createHotObservable([.next(210, 1)])
        let result = scheduler.start { source.take(for: .seconds(0), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.completed(201)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 201)])
    }

    func testSkipFor_beginsWhenTheTimeIsOver() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .completed(300)])
        let result = scheduler.start { source.skip(.seconds(15), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(230, 2), .completed(300)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 300)])
    }

    func testTakeForAndSkipFor_atEveryEnd_releaseEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.take(for: .seconds(1), scheduler: scheduler) }
            runToEveryEnd { $0.skip(.seconds(1), scheduler: scheduler) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
