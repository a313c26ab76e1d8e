import Rx
import XCTest

final class FilterTests: XCTestCase {
    func testFilter_leavesOutWhatThePredicateRefuses() {
        XCTAssertEqual(
            Observable.sending(1, 2, 3, 4).filter { $0 % 2 == 0 }.synchronousEvents,
            ["next(2)", "next(4)", "completed"])
    }

    func testFilter_ofError_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).filter { _ in false }.synchronousEvents,
            ["error(fault)"])
    }

    func testFilter_whenPredicateThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let filtered = subject.filter { if $0 == 2 { throw Planted.other } else { true } }
        withExtendedLifetime(filtered.record(in: notes)) {
            for value in 1...3 { subject.onNext(value) }
            XCTAssertEqual(notes.lines, ["next(1)", "error(other)"])
            XCTAssertFalse(subject.hasObservers)
        }
    }

    func testFilter_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.filter { $0 != 2 } }
        assertResourcesBack(to: before)
    }
}
