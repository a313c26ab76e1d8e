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
            IntegerRun.problem(start: 0, count: -1), "A range needs a count of 0 or more, and not '-1'.")
    }

    func testRange_pastTheLargestNumber_isRefused() {
        XCTAssertEqual(
            IntegerRun<Int8>.problem(start: 120, count: 9),
            "A range of '9' numbers from '120' on goes past '127', the last Int8. Count fewer, or use a wider type.")
        XCTAssertNil(IntegerRun<Int8>.problem(start: 120, count: 8))
        XCTAssertNil(IntegerRun<Int8>.problem(start: -128, count: 127))
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
        XCTAssertEqual(Resources.total, before)
    }
}

final class RepeatElementTests: XCTestCase {
    func testRepeat_onTestScheduler_takesATickForEach() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 204) { Observable.repeatElement(42, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 42), .next(202, 42), .next(203, 42)])
    }

    func testRepeat_endedFromBelow_ends() {
        XCTAssertEqual(Observable.repeatElement(7).take(1).synchronousEvents, ["next(7)", "completed"])
    }

    func testRepeat_onOtherSchedulers_doesNotGrowTheStack() {
        let count = onSmallStack {
            var count = 0
            _ = Observable.repeatElement(7, scheduler: InlineScheduler()).take(100_000).subscribe(onNext: { _ in
                count += 1
            })
            return count
        }
        XCTAssertEqual(count, 100_000)
    }

    func testRepeat_atEveryEnd_releasesEverything() {
        let before = Resources.total
        _ = Observable.repeatElement(7).take(2).subscribe { _ in }
        do {
            let scheduler = TestScheduler(initialClock: 0)
            _ = scheduler.start(disposed: 204) { Observable.repeatElement(42, scheduler: scheduler) }
            _ = scheduler.start { Observable.repeatElement(42, scheduler: scheduler).take(2) }
        }
        XCTAssertEqual(Resources.total, before)
    }
}

final class GenerateTests: XCTestCase {
    func testGenerate_whileConditionHolds_deliversEach() {
        XCTAssertEqual(
            Observable.generate(initialState: 1, condition: { $0 < 5 }, iterate: { $0 * 2 }).synchronousEvents,
            ["next(1)", "next(2)", "next(4)", "completed"])
    }

    func testGenerate_onTestScheduler_takesATickForEach() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start {
            Observable.generate(initialState: 0, condition: { $0 <= 2 }, scheduler: scheduler, iterate: { $0 + 1 })
        }
        XCTAssertEqual(result.events, [.next(201, 0), .next(202, 1), .next(203, 2), .completed(204)])
    }

    func testGenerate_whenConditionThrows_fails() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start {
            Observable.generate(
                initialState: 0, condition: { _ in throw Planted.other }, scheduler: scheduler, iterate: { $0 + 1 })
        }
        XCTAssertEqual(result.events, [.error(201, Planted.other)])
    }

    func testGenerate_whenIterateThrows_failsAfterTheFirst() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start {
            Observable.generate(
                initialState: 0, condition: { _ in true }, scheduler: scheduler, iterate: { _ in throw Planted.other })
        }
        XCTAssertEqual(result.events, [.next(201, 0), .error(202, Planted.other)])
    }

    func testGenerate_endedFromBelow_asksNoFurther() {
        var iterations = 0
        _ =
            Observable.generate(
                initialState: 0, condition: { _ in true },
                iterate: {
                    iterations += 1
                    return $0 + 1
                }
            )
            .take(3).synchronousEvents
        XCTAssertEqual(iterations, 2)
    }

    func testGenerate_atEveryEnd_releasesEverything() {
        let before = Resources.total
        _ = Observable.generate(initialState: 0, condition: { $0 < 3 }, iterate: { $0 + 1 }).subscribe { _ in }
        _ = Observable.generate(initialState: 0, condition: { _ in throw Planted.other }, iterate: { $0 + 1 }).subscribe
        { _ in }
        do {
            let scheduler = TestScheduler(initialClock: 0)
            _ = scheduler.start(disposed: 203) {
                Observable.generate(
                    initialState: 0, condition: { _ in true }, scheduler: scheduler, iterate: { $0 + 1 })
            }
        }
        XCTAssertEqual(Resources.total, before)
    }
}
