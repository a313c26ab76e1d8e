import Rx
import RxTest
import XCTest

final class InfallibleTimingTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    private func source() -> TestableObservable<Int> {
        scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(300, 3), .completed(310)])
    }

    func testDebounce_deliversAfterThePause_andAtCompletion() {
        let source = source()
        let result = scheduler.start {
            source.asInfallible(onErrorJustReturn: 0).debounce(.seconds(50), scheduler: self.scheduler).asObservable()
        }
        XCTAssertEqual(result.events, [.next(270, 2), .next(310, 3), .completed(310)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 310)])
    }

    func testThrottle_deliversTheFirstAndTheLast() {
        let source = source()
        let result = scheduler.start {
            source.asInfallible(onErrorJustReturn: 0).throttle(.seconds(50), scheduler: self.scheduler).asObservable()
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(260, 2), .next(310, 3), .completed(310)])
    }

    func testThrottle_withoutTheLatest_deliversTheFirst() {
        let source = source()
        let result = scheduler.start {
            source.asInfallible(onErrorJustReturn: 0).throttle(.seconds(50), latest: false, scheduler: self.scheduler)
                .asObservable()
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(300, 3), .completed(310)])
    }

    func testEachOperator_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        do {
            let scheduler = TestScheduler(initialClock: 0)
            runToEveryEnd { $0.asInfallible(onErrorJustReturn: 0).debounce(.seconds(1), scheduler: scheduler) }
            runToEveryEnd {
                $0.asInfallible(onErrorJustReturn: 0).throttle(.seconds(1), latest: false, scheduler: scheduler)
            }
            runToEveryEnd { $0.asInfallible(onErrorJustReturn: 0).take(for: .seconds(1), scheduler: scheduler) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
