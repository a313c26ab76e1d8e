import Rx
import XCTest

final class SkipTests: XCTestCase {
    func testSkip_ofLongerSequence_dropsTheFirst() {
        XCTAssertEqual(Observable.sending(1, 2, 3).skip(2).synchronousEvents, ["next(3)", "completed"])
    }

    func testSkip_ofShorterSequence_onlyCompletes() {
        XCTAssertEqual(Observable.sending(1).skip(2).synchronousEvents, ["completed"])
    }

    func testSkip_ofNegativeCount_dropsNothing() {
        XCTAssertEqual(Observable.sending(1).skip(-1).synchronousEvents, ["next(1)", "completed"])
    }

    func testSkip_ofErrorWhileSkipping_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).skip(9).synchronousEvents, ["error(fault)"])
    }

    func testSkip_ofElementSentFromInside_deliversIt() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.skip(1).subscribe(onNext: {
            seen.append($0)
            if $0 < 3 { subject.onNext($0 + 1) }
        })
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(seen, [2, 3])
        subscription.dispose()
    }

    func testSkip_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.skip(1) }
        assertResourcesBack(to: before)
    }
}

final class SkipWhileTests: XCTestCase {
    func testSkipWhile_afterTheFirstThatFails_deliversAll() {
        XCTAssertEqual(
            Observable.sending(1, 5, 2).skip(while: { $0 < 3 }).synchronousEvents, ["next(5)", "next(2)", "completed"])
    }

    func testSkipWhile_ofError_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).skip(while: { _ in true }).synchronousEvents,
            ["error(fault)"])
    }

    func testSkipWhile_whenPredicateThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.skip(while: { _ in throw Planted.fault }).record(in: notes)
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["error(fault)"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testSkipWhile_onceOver_doesNotAskAgain() {
        var asked = 0
        _ =
            Observable.sending(5, 1, 2).skip(while: {
                asked += 1
                return $0 < 3
            }).synchronousEvents
        XCTAssertEqual(asked, 1)
    }

    func testSkipWhile_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.skip(while: { $0 < 2 }) }
        assertResourcesBack(to: before)
    }
}
