#if os(Linux)
    import CRxTrace

    /// Reads heaps, and keeps the layouts of types for the next reading.
    final class HeapReader {
        // Unsafe: opened here and closed in `deinit`. Pointers into it must not outlive this object.
        let heap: OpaquePointer
        let shapes: ObjectShapes

        init() {
            heap = rxtrace_heap_open()
            shapes = ObjectShapes(types: TypeCheck(heap: heap))
        }

        deinit { rxtrace_heap_close(heap) }

        // MARK: Idle readers

        private struct Idle: @unchecked Sendable { var readers: [HeapReader] = [] }
        private static let idle = Locked(Idle())

        /// Returns an idle reader, or a new one. There are as many readers as there were snapshots at the same time.
        static func take() -> HeapReader { idle.withLock { $0.readers.popLast() } ?? HeapReader() }

        func giveBack() {
            rxtrace_heap_forget(heap)
            Self.idle.withLock { $0.readers.append(self) }
        }

        // MARK: Reading

        /// Finding the layouts of types changes the heap: a block that was an object a moment ago may be a different
        /// one when its references are read. Therefore the heap is read again after all layouts are known. This is the
        /// maximum number of readings, because another thread may continue to make types.
        private static let readings = 3

        /// Reads the blocks of an allocator. O(p + b + n) for *p* pages of anonymous memory, *b* blocks and *n* words
        /// in objects.
        func read(_ allocator: HeapAllocator) throws(HeapUnavailable) {
            for _ in 0..<Self.readings {
                let known = rxtrace_heap_answers(heap)
                try readOnce(allocator)
                if rxtrace_heap_answers(heap) == known { return }
            }
        }

        /// Returns the arrays, sets and dictionaries of the standard library. The collections with room for the most
        /// further elements come first.
        ///
        /// Their elements are not read. O(p + b) for *p* pages of anonymous memory and *b* blocks. `nil` if this
        /// process may not read its memory by a system call.
        func collections() throws(HeapUnavailable) -> [rxtrace_collection]? {
            rxtrace_heap_begin(heap)
            try HeapAllocator().findExtents(try MemoryMap(), heap)
            rxtrace_heap_find_objects(heap)
            rxtrace_heap_find_large_objects(heap)
            let nodes = ObjectGraph(storage: rxtrace_heap_graph(heap)).nodes
            // Storage with room for an element is larger than its header.
            let header = 4 * MemoryLayout<Int>.size
            var isArray: [UInt: Bool] = [:]
            for type in Set(nodes.lazy.filter { $0.size > header }.map(\.metadata)) {
                switch Metadata(type).collection {
                case .array: isArray[type] = true
                case .set, .dictionary: isArray[type] = false
                case .string, .data, nil: break
                }
            }
            // Numbers of nodes, because copies of the nodes would leave memory that looks like objects.
            let storages = nodes.indices.filter { isArray[nodes[$0].metadata] != nil }
            var found = storages.map {
                let type = nodes[$0].metadata
                return rxtrace_collection(address: nodes[$0].address, type: type, isArray: isArray[type] ?? false)
            }
            guard rxtrace_collections_read(&found, found.count) else { return nil }
            // An element takes at least one byte, so a larger capacity shows that the memory is not a collection.
            return zip(storages, found)
                .filter { $1.count >= 0 && $1.capacity <= nodes[$0].size }
                .map(\.1).sorted { $0.capacity - $0.count > $1.capacity - $1.count }
        }

        private func readOnce(_ allocator: HeapAllocator) throws(HeapUnavailable) {
            rxtrace_heap_begin(heap)
            let map = try MemoryMap()
            allocator.findExtents(map, heap)
            rxtrace_heap_find_objects(heap)
            Roots.findGlobals(heap)
            rxtrace_heap_find_tasks(heap)
            Roots.findStacks(map, heap)
            shapes.withTypeSource { rxtrace_heap_find_references(heap, $0) }
        }
    }

    extension rxtrace_collection {
        init(address: UInt, type: UInt, isArray: Bool) {
            self.init(
                disguised_address: rxtrace_disguised(address), disguised_type: rxtrace_disguised(type), count: 0,
                capacity: 0, is_array: isArray, unused: (0, 0, 0, 0, 0, 0, 0))
        }

        var address: UInt { rxtrace_disguised(disguised_address) }
        var type: UInt { rxtrace_disguised(disguised_type) }
    }

    /// A heap that has been read: its objects, their references, and the references to them from outside.
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

        /// The node of the object or block at an address; `nil` if there is no such node. O(1).
        func object(at address: UInt) -> Int? {
            let node = rxtrace_heap_object_at(heap, address)
            return node < 0 ? nil : Int(node)
        }

        /// The blocks that begin with a word. Some of them may already have been freed. O(b) for *b* blocks.
        func blocks(beginningWith word: UInt, limit: Int = 4_096) -> [UInt] {
            [UInt](unsafeUninitializedCapacity: limit) { blocks, count in
                count = blocks.baseAddress.map { rxtrace_heap_blocks_beginning_with(heap, word, $0, limit) } ?? 0
            }
        }

        /// The segment of the program or of a library that contains an address.
        func segment(at address: UInt) -> rxtrace_segment? { rxtrace_heap_segment_at(heap, address)?.pointee }
    }

    /// The live objects of the heap and their references.
    ///
    /// Every object is a node, in the order in which it was found. A block without an object becomes a node when a
    /// reference leads to it.
    struct ObjectGraph {
        typealias Node = rxtrace_node
        typealias Edge = rxtrace_edge

        // Unsafe: valid while the heap is open.
        let storage: UnsafePointer<rxtrace_graph>

        var nodeCount: Int { Int(storage.pointee.node_count) }
        /// O(n).
        var objectCount: Int { Int(rxtrace_graph_objects(storage)) }
        var edgeCount: Int { Int(storage.pointee.edge_count) }

        var nodes: UnsafeBufferPointer<Node> { UnsafeBufferPointer(start: storage.pointee.nodes, count: nodeCount) }

        // Memory exists for all nodes and edges, and callers have their numbers from this graph.
        func node(_ number: Int) -> Node { storage.pointee.nodes.unsafelyUnwrapped[number] }
        func edge(_ number: Int) -> Edge { storage.pointee.edges.unsafelyUnwrapped[number] }

        /// The references of a node.
        func edgeRange(_ node: Int) -> Range<Int> {
            let start = storage.pointee.edge_start.unsafelyUnwrapped
            return Int(start[node])..<Int(start[node + 1])
        }

        func follows(_ edge: Int, of node: Int, _ followed: rxtrace_followed) -> Bool {
            rxtrace_follows(
                followed, storage.pointee.edges.unsafelyUnwrapped + edge, storage.pointee.nodes.unsafelyUnwrapped + node
            )
        }
    }

    typealias Root = rxtrace_root
#endif
