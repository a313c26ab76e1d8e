import Rx
import RxTest
import XCTest

final class JustTests: XCTestCase {
    func testJust_deliversAtOnce() { XCTAssertEqual(Observable.just(1).synchronousEvents, ["next(1)", "completed"]) }

    func testJust_onTestScheduler_takesATickForValueAndCompletion() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable.just(42, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 42), .completed(202)])
    }

    func testJust_onTestSchedulerDisposedAtTheValue_doesNotComplete() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable.just(42, scheduler: scheduler).take(1).concat(Observable.never()) }
        XCTAssertEqual(result.events, [.next(201, 42)])
    }

    func testJust_held_countsOnce() {
        let before = Resources.total
        let held = Observable.just(1)
        XCTAssertEqual(Resources.total, before + 1)
        withExtendedLifetime(held) {}
    }

    func testJust_onScheduler_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = TestScheduler(initialClock: 0)
            _ = scheduler.start { Observable.just(1, scheduler: scheduler) }
            _ = scheduler.start(disposed: 201) { Observable.just(1, scheduler: scheduler) }
        }
        assertResourcesBack(to: before)
    }
}
