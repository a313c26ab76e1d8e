#if os(Linux) && Jemalloc
    import CJemalloc
    import XCTest

    @testable import HeapTrace

    /// Finding the layouts of types changes the heap that is being read.
    final class SecondReadingTests: XCTestCase {
        func testObjects_thatTheReadingItselfHasReplaced_areNotRead() throws {
            // Refers to jemalloc, so that it is linked.
            XCTAssertEqual(mallctl("thread.tcache.flush", nil, nil, nil, 0), 0)
            // A reader without layouts: its list of layouts is empty at first. Each time the list grows, its elements
            // move to another object.
            let contents = try HeapContents(HeapReader())
            let graph = contents.graph
            let lists = (0..<graph.nodeCount).map { graph.node($0) }.filter {
                $0.metadata != 0 && Metadata($0.metadata).kind == .aClass
                    && Metadata($0.metadata).name == "_ContiguousArrayStorage<ValueLayout>"
            }
            let address = contents.shapes.layouts.layouts.withUnsafeBufferPointer {
                UInt(bitPattern: $0.baseAddress) - 32
            }
            XCTAssertTrue(lists.contains { $0.address == address })
            for list in lists { XCTAssertEqual(word(list.address), list.metadata, "An object that is gone was read.") }
        }

        func testReader_thatHasReadBefore_findsWhatIsNewAndNotWhatIsGone() throws {
            XCTAssertEqual(mallctl("thread.tcache.flush", nil, nil, nil, 0), 0)
            let reader = HeapReader()
            func nodes<Object: AnyObject>(of objects: [Object]) throws -> [Bool] {
                let contents = try HeapContents(reader)
                return objects.map {
                    contents.object(at: UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque())) != nil
                }
            }
            XCTAssertEqual(try nodes(of: [Held(1), Held(2)]), [true, true])
            // A type that was first used after the previous reading.
            XCTAssertEqual(try nodes(of: [Held("one")]), [true])
        }

        private final class Held<Value> {
            let value: Value
            init(_ value: Value) { self.value = value }
        }
    }
#endif
