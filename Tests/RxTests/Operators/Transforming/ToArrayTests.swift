import Rx
import XCTest

final class ToArrayTests: XCTestCase {
    func testToArray_atCompletion_succeedsWithAllElements() {
        let notes = Notes()
        _ = Observable.sending(1, 2).toArray().subscribe { notes.add("\($0)") }
        XCTAssertEqual(notes.lines, ["success([1, 2])"])
    }

    func testToArray_ofEmptySequence_succeedsWithNone() {
        XCTAssertEqual(Observable<Int>.empty().toArray().synchronousEvents, ["next([])", "completed"])
    }

    func testToArray_ofError_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).toArray().synchronousEvents, ["error(fault)"])
    }

    func testToArray_subscribedTwice_beginsAnew() {
        let array = Observable.sending(1).toArray()
        XCTAssertEqual(array.synchronousEvents, array.synchronousEvents)
    }

    func testToArray_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.toArray() }
        assertResourcesBack(to: before)
    }
}
