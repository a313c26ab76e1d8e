import Foundation
import Rx
import Synchronization
import XCTest

/// A list that several threads may write and read.
final class Recorder<Value: Sendable>: Sendable {
    private let storage = Mutex<[Value]>([])
    var values: [Value] { storage.withLock { $0 } }

    func append(_ value: Value) { storage.withLock { $0.append(value) } }
}

/// A gate that one side opens and at which the other side waits.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }

    /// Waits for one `send()`, and fails the test if it does not happen within ten seconds.
    func wait(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(
            semaphore.wait(timeout: .now() + 10), .success, "No signal came within ten seconds.", file: file, line: line
        )
    }
}

/// Yields this thread until the condition holds, for work that other threads finish shortly after they report it.
///
/// - Returns: `false` if it does not hold after ten seconds.
func yieldUntil(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        sched_yield()
    }
    return true
}

/// A test case whose tests leave no resources for the next test: queues and sessions release objects shortly after
/// their last use. A test that leaks fails here.
class SettlingTestCase: XCTestCase {
    private var before: Int32 = 0

    override func setUp() async throws { before = Resources.total }

    override func tearDown() async throws {
        let before = before
        // Not more resources, instead of the same number: objects of an earlier test may have been released since.
        XCTAssertTrue(yieldUntil { Resources.total <= before }, "\(Resources.total - before) resources are left.")
    }
}
