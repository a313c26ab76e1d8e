import Rx
import RxTest
import XCTest

final class TakeTests: XCTestCase {
    func testTake_ofLongerSequence_completesAfterCount() {
        XCTAssertEqual(Observable.sending(1, 2, 3).take(2).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testTake_ofShorterSequence_completesWithIt() {
        XCTAssertEqual(Observable.sending(1).take(2).synchronousEvents, ["next(1)", "completed"])
    }

    func testTake_ofErrorBeforeCount_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).take(2).synchronousEvents, ["next(1)", "error(fault)"])
    }

    func testTakeZero_neverSubscribes() {
        var subscriptions = 0
        let source = Observable<Int>.deferred {
            subscriptions += 1
            return .never()
        }
        XCTAssertEqual(source.take(0).synchronousEvents, ["completed"])
        XCTAssertEqual(subscriptions, 0)
    }

    func testTake_atLastElement_endsSource() {
        let subject = PublishSubject<Int>()
        let subscription = subject.take(1).subscribe { _ in }
        XCTAssertTrue(subject.hasObservers)
        subject.onNext(1)
        XCTAssertFalse(subject.hasObservers)
        withExtendedLifetime(subscription) {}
    }

    func testTake_inVirtualTime_endsSourceAtTheTickOfTheLastElement() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([
            .next(190, 0), .next(210, 1), .next(220, 2), .next(230, 3), .completed(240),
        ])
        let result = scheduler.start { source.take(2) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 2), .completed(220)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testTakeZero_inVirtualTime_completesAtSubscription() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1)])
        let result = scheduler.start { source.take(0) }
        XCTAssertEqual(result.events, [.completed(200)])
        XCTAssertEqual(source.subscriptions, [])
    }

    func testTake_ofElementSentFromInside_countsItOnce() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.take(1).subscribe(onNext: {
            seen.append($0)
            subject.onNext($0 + 1)
        })
        subject.onNext(1)
        XCTAssertEqual(seen, [1])
        subscription.dispose()
    }

    func testTake_ofEndlessSource_ends() {
        XCTAssertEqual(Observable.repeatElement(7).take(2).synchronousEvents, ["next(7)", "next(7)", "completed"])
    }

    func testTake_disposedMidway_deliversNothingMore() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.take(3).record(in: notes)
        subject.onNext(1)
        subscription.dispose()
        subject.onNext(2)
        XCTAssertEqual(notes.lines, ["next(1)"])
    }

    func testTake_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.take(2) }
        runToEveryEnd { $0.take(5) }
        assertResourcesBack(to: before)
    }
}
