import Rx
import XCTest

final class IgnoreElementsTests: XCTestCase {
    func testIgnoreElements_ofCompletion_onlyCompletes() {
        XCTAssertEqual(Observable.sending(1, 2).ignoreElements().synchronousEvents, ["completed"])
    }

    func testIgnoreElements_ofError_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).ignoreElements().synchronousEvents, ["error(fault)"])
    }

    func testIgnoreElements_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.ignoreElements() }
        assertResourcesBack(to: before)
    }
}
