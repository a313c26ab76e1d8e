#if os(Linux) && Jemalloc
    import CJemalloc
    import XCTest

    @testable import HeapTrace

    /// Blocks beyond the allocator's bins. Each has its own pages and begins anywhere in the first page.
    final class LargeObjectTests: XCTestCase {
        private final class Held {}

        private final class Holder {
            var arrays: [[Held]] = []
        }

        /// A property, because the optimiser may put an object that doesn't leave its function on the stack.
        private var holder = Holder()

        func testArrays_ofAllSizes_areFoundWithWhatTheyHold() throws {
            // Refers to jemalloc, so that it is linked.
            XCTAssertEqual(mallctl("thread.tcache.flush", nil, nil, nil, 0), 0)
            let counts = [1, 1000, 1787, 1789, 3000, 10_000, 100_000]
            // Several of each size, because each begins at a different place in its page.
            holder.arrays = (0..<5).flatMap { _ in counts.map { count in (0..<count).map { _ in Held() } } }
            defer { holder.arrays = [] }
            let contents = try HeapContents()
            let graph = contents.graph
            for array in holder.arrays {
                let address = array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) - 32 }
                guard let node = contents.object(at: address) else {
                    XCTFail("An array of \(array.count) is not found.")
                    continue
                }
                XCTAssertEqual(graph.edgeRange(node).count, array.count)
                XCTAssertGreaterThanOrEqual(graph.node(node).size, 32 + array.count * 8)
            }
        }

        func testPath_throughALargeArray_isFound() throws {
            XCTAssertEqual(mallctl("thread.tcache.flush", nil, nil, nil, 0), 0)
            holder.arrays = [(0..<5000).map { _ in Held() }]
            defer { holder.arrays = [] }
            let held = UInt(bitPattern: Unmanaged.passUnretained(holder.arrays[0][4321]).toOpaque())
            let retention = try XCTUnwrap(HeapSnapshot.capture().retention(of: [held]))
            let report = retention.description
            XCTAssertEqual(retention.grade, .proven, report)
            XCTAssertEqual(retention.steps.suffix(1).map(\.edge), [".arrays[0]"], report)
        }
    }
#endif
