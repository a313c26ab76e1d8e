import Dispatch
import RxTrace
import XCTest

/// Fields whose types the runtime knows only half.
final class BlockFieldTests: XCTestCase {
    private final class Job {
        let item: DispatchWorkItem
        init() { item = DispatchWorkItem {} }
    }

    func testWorkItem_whichKeepsABlock_isRead() throws {
        let job = Job()
        let snapshot: HeapSnapshot
        do { snapshot = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        XCTAssertEqual(snapshot.addresses(of: Job.self).count, 1)
        withExtendedLifetime(job) {}
    }
}
