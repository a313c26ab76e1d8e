import Rx
import XCTest

final class TakeWhileTests: XCTestCase {
    func testTakeWhile_exclusive_dropsTheElementThatEnds() {
        XCTAssertEqual(
            Observable.sending(1, 5, 2).take(while: { $0 < 3 }).synchronousEvents, ["next(1)", "completed"])
    }

    func testTakeWhile_inclusive_deliversTheElementThatEnds() {
        XCTAssertEqual(
            Observable.sending(1, 5, 2).take(while: { $0 < 3 }, behavior: .inclusive).synchronousEvents,
            ["next(1)", "next(5)", "completed"])
    }

    func testTakeWhile_ofErrorFirst_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).take(while: { _ in true }).synchronousEvents,
            ["next(1)", "error(fault)"])
    }

    func testTakeWhile_whenPredicateThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.take(while: { _ in throw Planted.fault }).record(in: notes)
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["error(fault)"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testTakeWhile_inclusiveWithElementSentFromInside_endsOnce() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.take(while: { $0 < 3 }, behavior: .inclusive)
            .subscribe(onNext: {
                seen.append($0)
                if $0 >= 3 { subject.onNext(1) }
            })
        subject.onNext(3)
        XCTAssertEqual(seen, [3])
        subscription.dispose()
    }

    func testTakeWhile_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.take(while: { $0 < 2 }) }
        runToEveryEnd { $0.take(while: { _ in true }) }
        assertResourcesBack(to: before)
    }
}
