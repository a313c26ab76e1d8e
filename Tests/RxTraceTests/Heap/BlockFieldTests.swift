import Dispatch
import RxTrace
import XCTest

/// Fields whose types the runtime knows only half.
final class BlockFieldTests: XCTestCase {
    private final class Job {
        let item: DispatchWorkItem
        init() { item = DispatchWorkItem {} }
    }

    /// Kept here, as the optimiser may give an object that does not leave its function a place on the stack.
    private var job: Job?

    func testWorkItem_whichKeepsABlock_isRead() throws {
        job = Job()
        defer { job = nil }
        let snapshot: HeapSnapshot
        do { snapshot = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        XCTAssertEqual(snapshot.addresses(of: Job.self).count, 1)
    }
}
