import Foundation
import Rx
import RxTest
import XCTest

final class ThrottleTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testThrottle_sendsTheFirstAtOnceAndTheLatestAtTheSpansEnd() {
        let source = scheduler.createHotObservable([
            .next(210, 1), .next(250, 2), .next(310, 3), .next(350, 4), .next(410, 5), .next(450, 6), .completed(500),
        ])
        let result = scheduler.start { source.throttle(.seconds(200), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(410, 5), .next(610, 6), .completed(610)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 500)])
    }

    func testThrottle_withoutLatest_dropsAndCompletesAtOnce() {
        let source = scheduler.createHotObservable([
            .next(210, 1), .next(250, 2), .next(350, 4), .next(420, 5), .next(450, 6), .completed(500),
        ])
        let result = scheduler.start { source.throttle(.seconds(200), latest: false, scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(420, 5), .completed(500)])
    }

    func testThrottle_atAnError_dropsWhatWaits() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(250, 2), .error(300, Planted.fault)])
        let result = scheduler.start { source.throttle(.seconds(200), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(210, 1), .error(300, Planted.fault)])
    }

    func testThrottle_whoseReplacedTimerFiresAllTheSame_doesNotSendEarly() {
        let scheduler = ManualScheduler()
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.throttle(.seconds(10), scheduler: scheduler).record(in: notes)
        for (second, value) in [(0.0, 1), (5, 2), (11, 3), (12, 4)] {
            scheduler.setClock(second)
            subject.onNext(value)
        }
        // The timer for 2, which 3 has replaced, and then the timer for 4.
        scheduler.setClock(13)
        scheduler.run(0)
        XCTAssertEqual(notes.lines, ["next(1)", "next(3)"])
        scheduler.setClock(21)
        scheduler.run(1)
        XCTAssertEqual(notes.lines, ["next(1)", "next(3)", "next(4)"])
        subscription.dispose()
        scheduler.removeAll()
    }

    func testThrottle_afterTheClockWasSetBack_waitsNoLongerThanTheSpan() {
        let scheduler = ManualScheduler()
        let subject = PublishSubject<Int>()
        let subscription = subject.throttle(.seconds(10), scheduler: scheduler).subscribe()
        scheduler.setClock(1000)
        subject.onNext(1)
        scheduler.setClock(100)
        subject.onNext(2)
        XCTAssertEqual(scheduler.dueTimes, [.nanoseconds(10_000_000_000)])
        subscription.dispose()
        scheduler.removeAll()
    }

    func testThrottle_ofASpanBeyondWhatNanosecondsCanSay_isEndless() {
        let scheduler = ManualScheduler()
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.throttle(.seconds(.max), scheduler: scheduler).record(in: notes)
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(notes.lines, ["next(1)"])
        XCTAssertEqual(scheduler.dueTimes, [.never])
        subscription.dispose()
        scheduler.removeAll()
    }

    func testThrottle_ofElementSentFromInside_holdsItBack() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.throttle(.seconds(10), scheduler: scheduler).subscribe(onNext: {
            seen.append($0)
            subject.onNext($0 + 1)
        })
        subject.onNext(1)
        XCTAssertEqual(seen, [1])
        subscription.dispose()
    }

    func testThrottle_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.throttle(.seconds(1), scheduler: scheduler) }
            runToEveryEnd { $0.throttle(.seconds(1), latest: false, scheduler: scheduler) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
