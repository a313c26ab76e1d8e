import Rx
import RxTest
import XCTest

final class IntervalTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testInterval_waitsAPeriodBeforeEach() {
        let result = scheduler.start { Observable<Int>.interval(.seconds(300), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(500, 0), .next(800, 1)])
    }

    func testInterval_ofNoTime_takesATickEach() {
        let result = scheduler.start(disposed: 204) { Observable<Int>.interval(.seconds(0), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(201, 0), .next(202, 1), .next(203, 2)])
    }

    func testInterval_pastTheLargestNumber_beginsAgainWithTheSmallest() {
        let result = scheduler.start(disposed: 600) {
            Observable<Int8>.interval(.seconds(1), scheduler: self.scheduler).skip(127).take(2)
        }
        XCTAssertEqual(result.events, [.next(328, 127), .next(329, -128), .completed(329)])
    }

    func testInterval_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = TestScheduler(initialClock: 0)
            _ = scheduler.start { Observable<Int>.interval(.seconds(3), scheduler: scheduler).take(2) }
            _ = scheduler.start { Observable<Int>.interval(.seconds(3), scheduler: scheduler) }
        }
        assertResourcesBack(to: before)
    }
}
