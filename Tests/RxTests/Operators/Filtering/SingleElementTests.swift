import Rx
import XCTest

final class SingleElementTests: XCTestCase {
    func testSingle_ofOneElement_deliversIt() {
        XCTAssertEqual(Observable.sending(1).single().synchronousEvents, ["next(1)", "completed"])
    }

    func testSingle_ofNone_failsWithNoElements() {
        XCTAssertEqual(
            Observable<Int>.empty().single().synchronousEvents, ["error(Sequence doesn't contain any elements.)"])
    }

    func testSingle_ofTwo_deliversTheFirstAndFailsAtTheSecond() {
        XCTAssertEqual(
            Observable.sending(1, 2, 3, then: nil).single().synchronousEvents,
            ["next(1)", "error(Sequence contains more than one element.)"])
    }

    func testSingle_byPredicate_countsOnlyMatches() {
        XCTAssertEqual(Observable.sending(1, 2, 3).single { $0 == 2 }.synchronousEvents, ["next(2)", "completed"])
    }

    func testSingle_whenPredicateThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.single { _ in throw Planted.other }.record(in: notes)
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["error(other)"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testSingle_ofElementSentFromInside_fails() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.single()
            .subscribe {
                notes.add($0.debugDescription)
                if !$0.isStopEvent { subject.onNext(2) }
            }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["next(1)", "error(Sequence contains more than one element.)"])
        subscription.dispose()
    }

    func testSingle_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.single() }
        runToEveryEnd { $0.single { $0 == 2 } }
        assertResourcesBack(to: before)
    }
}

final class FirstTests: XCTestCase {
    func testFirst_ofElements_succeedsWithTheFirstAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.first().subscribe { notes.add("\($0)") }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["success(Optional(1))"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testFirst_ofNone_succeedsWithNil() {
        let notes = Notes()
        _ = Observable<Int>.empty().first().subscribe { notes.add("\($0)") }
        XCTAssertEqual(notes.lines, ["success(nil)"])
    }

    func testFirst_ofError_fails() {
        XCTAssertEqual(Observable<Int>.error(Planted.fault).first().synchronousEvents, ["error(fault)"])
    }

    func testFirst_whenSourceCompletesFromInside_deliversOnce() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.first().asObservable()
            .subscribe {
                notes.add($0.debugDescription)
                if !$0.isStopEvent { subject.onCompleted() }
            }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["next(Optional(1))", "completed"])
        subscription.dispose()
    }

    func testFirst_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.first() }
        assertResourcesBack(to: before)
    }
}
