#if os(Linux) && Jemalloc
    import CJemalloc
    import XCTest

    @testable import HeapTrace

    /// Enumerations that are larger than the buffer for copies on the reader's stack.
    final class LargeEnumerationTests: XCTestCase {
        private typealias Words = (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int)
        private static let words: Words = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

        private final class Held {}

        private enum Inner {
            case nothing
            case wide(Words, Words, Held)
            case narrow(Held)
        }

        private enum Outer {
            case nothing
            /// The inner value is copied out of a copy. Its neighbours are copied before and after it.
            case nested(Held, Inner, Words, Inner, Held)
            case number(Int)
        }

        private final class Holder {
            var values: [[Outer]] = []
        }

        private func capture() throws -> HeapContents {
            // Refers to jemalloc, so that it is linked.
            XCTAssertEqual(mallctl("thread.tcache.flush", nil, nil, nil, 0), 0)
            return try HeapContents()
        }

        /// A property, because the optimiser may put an object that doesn't leave its function on the stack.
        private var holder = Holder()
        private var held: [Held] = []

        private func address(_ object: AnyObject) -> UInt {
            UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        }

        func testReferences_inPayloadsWithinPayloads_areFoundOnce() throws {
            held = (0..<4).map { _ in Held() }
            let words = Self.words
            holder.values = [
                [
                    .number(1), .nested(held[0], .wide(words, words, held[1]), words, .narrow(held[2]), held[3]),
                    .nothing,
                ]
            ]
            let contents = try capture()
            let graph = contents.graph
            let storage = try XCTUnwrap(
                holder.values[0].withUnsafeBufferPointer { contents.object(at: UInt(bitPattern: $0.baseAddress) - 32) })
            let edges = graph.edgeRange(storage).map { graph.edge($0) }
            XCTAssertEqual(edges.map { graph.node(Int($0.target)).address }, held.map(address))
            XCTAssertEqual(edges.map(\.index), [1, 1, 1, 1])
            XCTAssertTrue(edges.allSatisfy(\.is_typed))
        }

        private func allocatedBytes(_ body: () throws -> Void) throws -> UInt64 {
            func read() -> UInt64 {
                var bytes: UInt64 = 0
                var size = MemoryLayout<UInt64>.size
                XCTAssertEqual(mallctl("thread.allocated", &bytes, &size, nil, 0), 0)
                return bytes
            }
            let before = read()
            try body()
            return read() - before
        }

        /// `malloc` would change the heap that is being read, and might wait for a lock.
        func testCopies_ofTenThousandValues_takeNothingFromTheHeap() throws {
            let words = Self.words
            let one = Held()
            func bytes(_ count: Int) throws -> UInt64 {
                let values = [Outer](repeating: .nested(one, .wide(words, words, one), words, .nothing, one), count: 20)
                // Each array is in its own block.
                holder.values = (0..<count).map { values + [.number($0)] }
                return try allocatedBytes {
                    let contents = try capture()
                    XCTAssertGreaterThanOrEqual(contents.graph.edgeCount, count * 20 * 3)
                }
            }
            _ = try bytes(1)
            let few = try bytes(1)
            let many = try bytes(500)
            // With `malloc`: 10 MB.
            XCTAssertLessThan(many, few + 1_000_000)
        }

        override func tearDown() {
            holder.values = []
            held = []
        }
    }
#endif
