import Rx
import RxTest
import XCTest

final class RangeTests: XCTestCase {
    func testRange_deliversCountNumbers() {
        XCTAssertEqual(Observable.range(start: 3, count: 2).synchronousEvents, ["next(3)", "next(4)", "completed"])
    }

    func testRange_ofNone_completes() {
        XCTAssertEqual(Observable.range(start: Int.max, count: 0).synchronousEvents, ["completed"])
    }

    func testRange_upToTheLargestNumber_doesNotOverflow() {
        XCTAssertEqual(
            Observable<UInt8>.range(start: 254, count: 2).synchronousEvents, ["next(254)", "next(255)", "completed"])
    }

    func testRange_onTestScheduler_takesATickForEachNumber() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable.range(start: -10, count: 3, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, -10), .next(202, -9), .next(203, -8), .completed(204)])
    }

    func testRange_onTestSchedulerDisposedMidway_stops() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 204) { Observable.range(start: 0, count: 9, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 0), .next(202, 1), .next(203, 2)])
    }

    func testRange_ofNegativeCount_isRefused() {
        XCTAssertEqual(
            ConsecutiveIntegers.problem(start: 0, count: -1), "A range needs a count of 0 or more, and not '-1'.")
    }

    func testRange_pastTheLargestNumber_isRefused() {
        XCTAssertEqual(
            ConsecutiveIntegers<Int8>.problem(start: 120, count: 9),
            "A range of '9' numbers from '120' on goes past '127', the last Int8. Count fewer, or use a wider type.")
        XCTAssertNil(ConsecutiveIntegers<Int8>.problem(start: 120, count: 8))
        XCTAssertNil(ConsecutiveIntegers<Int8>.problem(start: -128, count: 127))
    }

    func testRange_atEveryEnd_releasesEverything() {
        let before = Resources.total
        _ = Observable.range(start: 0, count: 3).subscribe { _ in }
        _ = Observable.range(start: 0, count: 3).take(1).subscribe { _ in }
        do {
            let scheduler = TestScheduler(initialClock: 0)
            _ = scheduler.start { Observable.range(start: 0, count: 3, scheduler: scheduler) }
            _ = scheduler.start(disposed: 202) { Observable.range(start: 0, count: 3, scheduler: scheduler) }
        }
        assertResourcesBack(to: before)
    }
}
