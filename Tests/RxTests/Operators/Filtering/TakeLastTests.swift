import Rx
import XCTest

final class TakeLastTests: XCTestCase {
    func testTakeLast_ofLongerSequence_deliversTheLastInOrder() {
        XCTAssertEqual(
            Observable.sending(1, 2, 3, 4, 5).takeLast(3).synchronousEvents,
            ["next(3)", "next(4)", "next(5)", "completed"])
    }

    func testTakeLast_ofShorterSequence_deliversAll() {
        XCTAssertEqual(Observable.sending(1, 2).takeLast(3).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testTakeLastZero_onlyCompletes() {
        XCTAssertEqual(Observable.sending(1, 2).takeLast(0).synchronousEvents, ["completed"])
    }

    func testTakeLast_ofError_dropsElements() {
        XCTAssertEqual(
            Observable.sending(1, 2, then: .error(Planted.fault)).takeLast(1).synchronousEvents, ["error(fault)"])
    }

    func testTakeLast_disposedWhileDelivering_stops() {
        XCTAssertEqual(Observable.sending(1, 2, 3).takeLast(3).take(1).synchronousEvents, ["next(1)", "completed"])
    }

    func testTakeLast_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.takeLast(2) }
        assertResourcesBack(to: before)
    }
}
