#if os(Linux)
    import HeapTrace
    import Synchronization
    import XCTest

    /// Memory that was freed, or that is not an object, and still has the words of one.
    final class LeftoverObjectTests: XCTestCase {
        private final class Entry {}

        /// The compiler does not describe the type of `kept`, so the reference to the dictionary is untyped.
        private final class Cache: Sendable {
            static let shared = Cache()
            let kept = Mutex<[Int: Entry]>([:])
        }

        private typealias Words = UnsafeMutablePointer<UInt>

        /// Makes memory that looks like an array that contains the same object twice, and that nothing refers to.
        /// Returns the address in a form that no reference has.
        private func leftover(of object: UInt) -> UInt {
            let sample: [[Int: Entry]] = [[:]]
            let block = Words.allocate(capacity: 6)
            // The type of the storage, one reference, the count, and twice the capacity.
            block[0] = UnsafePointer<UInt>(bitPattern: unsafeBitCast(sample, to: UInt.self)).unsafelyUnwrapped.pointee
            (block[1], block[2], block[3], block[4], block[5]) = (3, 2, 4, object, object)
            return ~UInt(bitPattern: block)
        }

        func testHolder_isFound_whereMemoryOnlyLooksLikeAnObjectThatHoldsTheSame() throws {
            Cache.shared.kept.withLock { kept in
                for index in 0..<40 { kept[index] = Entry() }
            }
            defer { Cache.shared.kept.withLock { $0 = [:] } }
            let dictionary = Cache.shared.kept.withLock { unsafeBitCast($0, to: UInt.self) }
            func outermost() throws -> String? {
                do { return try HeapSnapshot.capture().retention(of: Entry.self)?.steps.first?.holder } catch {
                    throw XCTSkip("\(error)")
                }
            }
            XCTAssertEqual(try outermost(), "global LeftoverObjectTests.Cache.shared")
            let block = leftover(of: dictionary)
            defer { Words(bitPattern: ~block)?.deallocate() }
            XCTAssertEqual(try outermost(), "global LeftoverObjectTests.Cache.shared")
        }
    }
#endif
