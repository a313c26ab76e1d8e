import Rx
import XCTest

/// The events that a checkpoint forwards. `ErrorOriginTests` tests the names that an error records.
final class CheckpointTests: XCTestCase {
    func testCheckpoint_passesEveryEventOn() {
        XCTAssertEqual(
            Observable.sending(1, 2).checkpoint("here").synchronousEvents, ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(Observable<Int>.error(Planted.fault).checkpoint("here").synchronousEvents, ["error(fault)"])
    }

    func testCheckpoint_withoutRecording_tellsNoOrigin() {
        XCTAssertEqual(Observable<Int>.error(Planted.fault).checkpoint("here").synchronousEvents, ["error(fault)"])
        XCTAssertNil(Hooks.origin(of: Planted.fault))
    }

    func testCheckpoint_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.checkpoint("here") }
        assertResourcesBack(to: before)
    }
}
