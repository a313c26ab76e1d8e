import Rx
import RxTest
import XCTest

final class FromTests: XCTestCase {
    private let all = ["next(1)", "next(2)", "completed"]

    func testOf_deliversItsArguments() { XCTAssertEqual(Observable.of(1, 2).synchronousEvents, all) }

    func testFrom_ofArray_deliversItsElements() { XCTAssertEqual(Observable.from([1, 2]).synchronousEvents, all) }

    func testFrom_ofSequence_walksItAnewForEachSubscriber() {
        let source = Observable.from(stride(from: 1, through: 2, by: 1))
        XCTAssertEqual(source.synchronousEvents, all)
        XCTAssertEqual(source.synchronousEvents, all)
    }

    func testFrom_ofEndlessSequence_isEndedFromBelow() {
        XCTAssertEqual(Observable.from(1...).take(2).synchronousEvents, all)
    }

    func testOf_onTestScheduler_takesATickForEachElementAndForCompletion() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable.of(1, 2, 3, 4, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 1), .next(202, 2), .next(203, 3), .next(204, 4), .completed(205)])
    }

    func testFrom_onTestSchedulerDisposedMidway_stops() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start(disposed: 203) { Observable.from([1, 2, 3, 4], scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 1), .next(202, 2)])
    }

    func testFrom_sequenceOnTestScheduler_takesATickForEachElement() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable.from(Set([7]), scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 7), .completed(202)])
    }

    func testFromOptional_deliversTheValueIfThereIsOne() {
        XCTAssertEqual(Observable.from(optional: 1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Observable<Int>.from(optional: nil).synchronousEvents, ["completed"])
    }

    func testFromOptional_onTestScheduler_takesATickForValueAndCompletion() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable.from(optional: 7, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.next(201, 7), .completed(202)])
    }

    func testFromOptional_nilOnTestScheduler_completesAtTheNextTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { Observable<Int>.from(optional: nil, scheduler: scheduler) }
        XCTAssertEqual(result.events, [.completed(201)])
    }

    func testOf_insideDelivery_waitsForItsTurn() {
        var seen: [Int] = []
        _ = Observable.of(1, 2).subscribe(onNext: { value in
            seen.append(value)
            if value == 1 { _ = Observable.of(10, 20).subscribe(onNext: { seen.append($0) }) }
        })
        XCTAssertEqual(seen, [1, 10, 2, 20])
    }

    func testFrom_atEveryEnd_releasesEverything() {
        let before = Resources.total
        _ = Observable.from([1, 2]).subscribe { _ in }
        _ = Observable.from([1, 2]).take(1).subscribe { _ in }
        do {
            let scheduler = TestScheduler(initialClock: 0)
            _ = scheduler.start { Observable.of(1, 2, scheduler: scheduler) }
            _ = scheduler.start(disposed: 202) { Observable.of(1, 2, scheduler: scheduler) }
            _ = scheduler.start { Observable.from(optional: 1, scheduler: scheduler) }
        }
        assertResourcesBack(to: before)
    }
}
