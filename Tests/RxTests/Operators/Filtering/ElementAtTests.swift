import Rx
import RxTest
import XCTest

final class ElementAtTests: XCTestCase {
    func testElementAt_withinSequence_deliversItAndCompletes() {
        XCTAssertEqual(Observable.sending(1, 2, 3).element(at: 1).synchronousEvents, ["next(2)", "completed"])
    }

    func testElementAt_beyondTheEnd_failsWithArgumentOutOfRange() {
        XCTAssertEqual(Observable.sending(1).element(at: 1).synchronousEvents, ["error(Argument out of range.)"])
    }

    func testElementAt_ofErrorFirst_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).element(at: 1).synchronousEvents, ["error(fault)"])
    }

    func testElementAt_atTheElement_endsSource() {
        let subject = PublishSubject<Int>()
        let subscription = subject.element(at: 0).subscribe { _ in }
        subject.onNext(1)
        XCTAssertFalse(subject.hasObservers)
        withExtendedLifetime(subscription) {}
    }

    func testElementAt_inVirtualTime_endsAtTheTickOfTheElementOrOfTheEnd() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(230)])
        let found = scheduler.start { source.element(at: 1) }
        XCTAssertEqual(found.events, [.next(220, 2), .completed(220)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testElementAt_whenSourceCompletesFromInside_completes() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.element(at: 0)
            .subscribe {
                notes.add($0.debugDescription)
                if !$0.isStopEvent { subject.onCompleted() }
            }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testElementAt_ofElementSentFromInside_deliversOne() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.element(at: 1).subscribe(onNext: {
            seen.append($0)
            subject.onNext($0 + 1)
        })
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(seen, [2])
        subscription.dispose()
    }

    func testElementAt_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.element(at: 1) }
        runToEveryEnd { $0.element(at: 9) }
        assertResourcesBack(to: before)
    }
}
