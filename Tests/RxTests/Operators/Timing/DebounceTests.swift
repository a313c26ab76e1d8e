import Foundation
import Rx
import RxTest
import XCTest

final class DebounceTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testDebounce_sendsWhatNothingFollows() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(240, 2), .next(300, 3), .completed(400)])
        let result = scheduler.start { source.debounce(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(290, 2), .next(350, 3), .completed(400)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 400)])
    }

    func testDebounce_atCompletion_sendsWhatWaits() {
        let source = scheduler.createHotObservable([.next(210, 1), .completed(230)])
        XCTAssertEqual(
            scheduler.start { source.debounce(.seconds(50), scheduler: self.scheduler) }.events,
            [.next(230, 1), .completed(230)])
    }

    func testDebounce_atAnError_dropsWhatWaits() {
        let source = scheduler.createHotObservable([.next(210, 1), .error(230, Planted.fault)])
        XCTAssertEqual(
            scheduler.start { source.debounce(.seconds(50), scheduler: self.scheduler) }.events,
            [.error(230, Planted.fault)])
    }

    func testDebounce_ofElementAtTheVeryMomentOfTheOneBefore_sendsOnlyTheLaterOne() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(260, 2), .next(300, 3), .next(350, 4)])
        let result = scheduler.start { source.debounce(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(400, 4)])
    }

    func testDebounce_ofElementThatWasScheduledAfterTheTimerForTheSameMoment_sendsBoth() {
        let subject = PublishSubject<Int>()
        scheduler.scheduleAt(210) {
            subject.onNext(1)
            self.scheduler.scheduleAt(260) { subject.onNext(2) }
        }
        let result = scheduler.start { subject.debounce(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(260, 1), .next(310, 2)])
    }

    func testDebounce_ofZero_takesATurnAfterEachElement() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(211, 2), .next(220, 3), .completed(230)])
        let result = scheduler.start { source.debounce(.seconds(0), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(212, 2), .next(221, 3), .completed(230)])
    }

    func testDebounce_ofManyElements_movesOneTimer_orStartsOneForEachWhereTheSchedulerIsTheUsers() {
        let source = scheduler.createHotObservable((0..<500).map { .next(201 + $0, $0) })
        let counting = CountingScheduler(base: scheduler)
        let moved = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(200) {
            _ = source.debounce(.seconds(50), scheduler: self.scheduler).subscribe(moved)
        }
        let result = scheduler.start {
            source.debounce(.seconds(50), scheduler: counting)
        }
        XCTAssertEqual(result.events, [.next(750, 499)])
        XCTAssertEqual(moved.events, result.events)
        XCTAssertEqual(counting.dueTimes, Array(repeating: 50, count: 500))
    }

    func testDebounce_ofElementSentFromInside_waitsItsOwnTime() {
        let subject = PublishSubject<Int>()
        scheduler.scheduleAt(210) { subject.onNext(1) }
        let result = scheduler.start(disposed: 400) {
            subject.debounce(.seconds(50), scheduler: self.scheduler).do(onNext: { subject.onNext($0 + 1) })
        }
        XCTAssertEqual(result.events, [.next(260, 1), .next(310, 2), .next(360, 3)])
    }

    func testDebounce_onAClockThatStandsStill_stillSends() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(240, 2)])
        let result = scheduler.start {
            source.debounce(
                .seconds(50), scheduler: CountingScheduler(base: self.scheduler, now: Date(timeIntervalSince1970: 0)))
        }
        XCTAssertEqual(result.events, [.next(290, 2)])
    }

    func testDebounce_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.debounce(.seconds(1), scheduler: scheduler) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
