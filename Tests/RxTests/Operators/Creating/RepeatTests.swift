import Rx
import RxTest
import XCTest

final class RepeatTests: XCTestCase {
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
        assertResourcesBack(to: before)
    }
}
