import Dispatch
import HeapTrace
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

    /// A table of C code may begin with the address of a class, and continue with another address.
    func testMemoryThatBeginsWithAClassAndAnAddress_isNoObject_andOneThatBeginsWithCountsIs() throws {
        let block = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
        defer { block.deallocate() }
        func objects(_ second: UInt) throws -> Int {
            block.update(repeating: 0, count: 4)
            block[0] = unsafeBitCast(Job.self as AnyClass, to: UInt.self)
            block[1] = second
            do { return try HeapSnapshot.capture().addresses(of: Job.self).count } catch { throw XCTSkip("\(error)") }
        }
        XCTAssertEqual(try objects(UInt(bitPattern: block)), 0)
        // One strong and one unowned reference.
        XCTAssertEqual(try objects(3), 1)
        block[0] = 0
    }
}
