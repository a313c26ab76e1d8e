import Rx
import XCTest

/// Fails when `Resources.total` does not fall back to `before`.
///
/// Waits a while for it: a closure that has run on a queue is released by that queue's thread after it has told its
/// test that it is done. A total below `before` is right too, as such a closure may be one of an earlier test.
func assertResourcesBack(
    to before: Int32, _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {
    let deadline = ContinuousClock.now + .seconds(10)
    while Resources.total > before, ContinuousClock.now < deadline { sched_yield() }
    XCTAssertLessThanOrEqual(Resources.total, before, message(), file: file, line: line)
}
