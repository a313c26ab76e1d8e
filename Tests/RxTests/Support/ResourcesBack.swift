import Rx
import XCTest

/// Fails if `Resources.total` does not return to `before`.
///
/// Waits for some time: a queue's thread releases a closure only after the closure has reported to its test that it is
/// done. A total below `before` is also correct, because such a closure may belong to an earlier test.
func assertResourcesBack(
    to before: Int32, _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
) {
    let deadline = ContinuousClock.now + .seconds(10)
    while Resources.total > before, ContinuousClock.now < deadline { sched_yield() }
    XCTAssertLessThanOrEqual(Resources.total, before, message(), file: file, line: line)
}
