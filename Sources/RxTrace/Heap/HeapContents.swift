#if os(Linux)
import CPlatform

/// A heap that has been read: its objects, their references, and what refers to them from outside.
final class HeapContents {
    // Unsafe: opened here and closed in `deinit`; what is handed out of it is not kept longer than this.
    private let heap: OpaquePointer
    let shapes: ObjectShapes

    /// Reads what an allocator has dealt out. O(p + b + n) for *p* pages of anonymous memory, *b* blocks and *n* words in objects.
    init() throws(HeapUnavailable) {
        let map = try MemoryMap(), allocator = try HeapAllocator()
        heap = rx_heap_open()
        shapes = ObjectShapes(types: TypeCheck(heap: heap))
        allocator.findExtents(map, heap)
        rx_heap_find_objects(heap)
        Roots.findGlobals(heap)
        rx_heap_find_tasks(heap)
        Roots.findStacks(map, heap)
        shapes.withTypeSource { rx_heap_find_references(heap, $0) }
    }

    deinit { rx_heap_close(heap) }

    var graph: ObjectGraph { ObjectGraph(storage: rx_heap_graph(heap)) }

    var roots: UnsafeBufferPointer<Root> {
        var count = 0
        let start = rx_heap_roots(heap, &count)
        return UnsafeBufferPointer(start: start, count: count)
    }

    /// The node of an object, if it is alive. O(1).
    func object(at address: UInt) -> Int? {
        let node = rx_heap_object_at(heap, address)
        return node < 0 ? nil : Int(node)
    }

    /// The program or the library that an address lies in.
    func segment(at address: UInt) -> rx_segment? { rx_heap_segment_at(heap, address)?.pointee }
}
#endif
