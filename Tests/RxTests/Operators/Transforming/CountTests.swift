import Rx
import XCTest

final class CountTests: XCTestCase {
    func testCount_sendsTheNumberAtCompletion() {
        XCTAssertEqual(Observable.sending("a", "b").count().synchronousEvents, ["next(2)", "completed"])
        XCTAssertEqual(Observable<Int>.empty().count().synchronousEvents, ["next(0)", "completed"])
        XCTAssertEqual(Observable.sending(1, 2, 3).count { $0 > 1 }.synchronousEvents, ["next(2)", "completed"])
    }

    func testCount_ofError_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).count().synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Observable.sending(1).count { _ in throw Planted.fault }.synchronousEvents, ["error(fault)"])
    }

    func testCount_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.count() }
        runToEveryEnd { $0.count { $0 > 1 } }
        assertResourcesBack(to: before)
    }
}
