import Rx
import RxTest
import XCTest

final class TimerTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testTimer_withoutPeriod_deliversOnceAndCompletes() {
        let result = scheduler.start { Observable<Int>.timer(.seconds(300), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(500, 0), .completed(500)])
    }

    func testTimer_ofNoTime_firesAtTheNextTick() {
        let result = scheduler.start { Observable<Int>.timer(.seconds(0), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(201, 0), .completed(201)])
    }

    func testTimer_withPeriod_repeatsUntilDisposed() {
        let result = scheduler.start(disposed: 500) {
            Observable<Int>.timer(.seconds(50), period: .seconds(100), scheduler: self.scheduler)
        }
        XCTAssertEqual(result.events, [.next(250, 0), .next(350, 1), .next(450, 2)])
    }

    func testTimer_disposedBefore_saysNothing() {
        let result = scheduler.start(disposed: 250) { Observable<Int>.timer(.seconds(300), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [])
    }

    func testTimer_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = TestScheduler(initialClock: 0)
            _ = scheduler.start { Observable<Int>.timer(.seconds(3), scheduler: scheduler) }
        }
        assertResourcesBack(to: before)
    }
}
