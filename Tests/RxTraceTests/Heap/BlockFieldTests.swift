import Dispatch
import RxTrace
import XCTest

/// Fields whose types the runtime describes only in part.
final class BlockFieldTests: XCTestCase {
    private final class Job {
        let item: DispatchWorkItem
        init() { item = DispatchWorkItem {} }
    }

    /// A property, because the optimiser may put an object that doesn't leave its function on the stack.
    private var job: Job?

    func testWorkItem_whichKeepsABlock_isRead() throws {
        job = Job()
        defer { job = nil }
        let snapshot: HeapSnapshot
        do { snapshot = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        XCTAssertEqual(snapshot.addresses(of: Job.self).count, 1)
    }
}
