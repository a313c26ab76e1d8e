#if os(Linux)
    import CRxTrace

    /// A heap that has been read: its objects, their references, and what refers to them from outside.
    final class HeapContents {
        private let reader: HeapReader

        init(_ reader: HeapReader = .take()) throws(HeapUnavailable) {
            self.reader = reader
            try reader.read(try HeapAllocator())
        }

        deinit { reader.giveBack() }

        private var heap: OpaquePointer { reader.heap }

        var shapes: ObjectShapes { reader.shapes }

        var graph: ObjectGraph { ObjectGraph(storage: rxtrace_heap_graph(heap)) }

        var roots: UnsafeBufferPointer<Root> {
            var count = 0
            let start = rxtrace_heap_roots(heap, &count)
            return UnsafeBufferPointer(start: start, count: count)
        }

        /// The node of an object, if it is alive. O(1).
        func object(at address: UInt) -> Int? {
            let node = rxtrace_heap_object_at(heap, address)
            return node < 0 ? nil : Int(node)
        }

        /// The program or the library that an address lies in.
        func segment(at address: UInt) -> rxtrace_segment? { rxtrace_heap_segment_at(heap, address)?.pointee }
    }
#endif
