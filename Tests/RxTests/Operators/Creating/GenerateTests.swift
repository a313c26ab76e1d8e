import Rx
import RxTest
import XCTest

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
        assertResourcesBack(to: before)
    }
}
