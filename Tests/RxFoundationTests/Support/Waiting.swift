import Foundation
import Rx
import Synchronization
import XCTest

/// What several threads may write and read.
final class Recorder<Value: Sendable>: Sendable {
    private let storage = Mutex<[Value]>([])
    var values: [Value] { storage.withLock { $0 } }

    func append(_ value: Value) { storage.withLock { $0.append(value) } }
}

/// A gate that one side opens and the other waits at.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }

    /// Waits for one `send()`: fails the test if none comes within ten seconds.
    func wait(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(
            semaphore.wait(timeout: .now() + 10), .success, "No signal came within ten seconds.", file: file, line: line
        )
    }
}

/// Yields this thread until the condition holds: for what others finish a moment after they have said so.
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

/// A test case whose tests leave nothing behind for the next one: queues and sessions let go of what they were given a
/// moment after they have used it. A test that leaks fails here.
class SettlingTestCase: XCTestCase {
    private var before: Int32 = 0

    override func setUp() async throws { before = Resources.total }

    override func tearDown() async throws {
        let before = before
        // No more, rather than as many: what a test before it has left to a queue may go meanwhile.
        XCTAssertTrue(yieldUntil { Resources.total <= before }, "\(Resources.total - before) resources are left.")
    }
}
