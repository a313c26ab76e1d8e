import Rx
import RxTest
import XCTest

final class EmptyTests: XCTestCase {
    func testEmpty_completesAtOnce() { XCTAssertEqual(Observable<Int>.empty().synchronousEvents, ["completed"]) }

    func testNever_saysNothing() { XCTAssertEqual(Observable<Int>.never().synchronousEvents, []) }

    func testError_failsAtOnce() {
        XCTAssertEqual(Observable<Int>.error(Planted.fault).synchronousEvents, ["error(fault)"])
    }

    func testEmptyNeverError_releaseEverything() {
        let before = Resources.total
        _ = Observable<Int>.empty().subscribe { _ in }
        _ = Observable<Int>.error(Planted.fault).subscribe { _ in }
        Observable<Int>.never().subscribe { _ in }.dispose()
        _ = Observable<Int>.never().subscribe { _ in }
        assertResourcesBack(to: before)
    }
}
