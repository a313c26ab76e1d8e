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

    private typealias Words = UnsafeMutablePointer<UInt>

    /// A global variable, so that the search begins there.
    private nonisolated(unsafe) static var words: Words?

    /// The word before a reference may be the address of a closure's code, or a number that only looks like one.
    func testWordBeforeAReference_isAClosure_onlyWhereAFunctionBegins() throws {
        let words = Words.allocate(capacity: 2)
        Self.words = words
        defer {
            Self.words = nil
            words.deallocate()
        }
        let job = Unmanaged.passRetained(Job())
        defer { job.release() }
        let function: @convention(c) () -> Void = {}
        let code = unsafeBitCast(function, to: UInt.self)
        func holders(_ word: UInt) throws -> [String] {
            (words[0], words[1]) = (word, UInt(bitPattern: job.toOpaque()))
            do {
                return try XCTUnwrap(HeapSnapshot.capture().retention(of: Job.self)).steps.map(\.holder)
            } catch let error as HeapUnavailable { throw XCTSkip("\(error)") }
        }
        XCTAssertEqual(try holders(code).count { $0.hasPrefix("closure") }, 1)
        XCTAssertEqual(try holders(code + 1), ["global BlockFieldTests.words"])
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
