#if os(Linux)
    import CRxTrace
    import Rx

    /// What reads heaps, and keeps what it has learnt of types.
    final class HeapReader {
        // Unsafe: opened here and closed in `deinit`; what is handed out of it is not kept longer than this.
        let heap: OpaquePointer
        let shapes: ObjectShapes

        init() {
            heap = rxtrace_heap_open()
            shapes = ObjectShapes(types: TypeCheck(heap: heap))
        }

        deinit { rxtrace_heap_close(heap) }

        // MARK: Those that wait for the next snapshot

        private struct Idle: @unchecked Sendable { var readers: [HeapReader] = [] }
        private static let idle = Guarded(Idle())

        /// One that nobody uses, or a new one: as many as there were snapshots at a time.
        static func take() -> HeapReader { idle.withLock { $0.readers.popLast() } ?? HeapReader() }

        func giveBack() {
            rxtrace_heap_forget(heap)
            Self.idle.withLock { $0.readers.append(self) }
        }

        // MARK: Reading

        /// Working out what types look like changes the heap: a block that was an object a moment ago may be another
        /// one's when its references are read. So it is read again, without asking, once all of it is known; this often
        /// at most, as another thread may go on making types.
        private static let readings = 3

        /// Reads what an allocator has dealt out. O(p + b + n) for *p* pages of anonymous memory, *b* blocks and *n*
        /// words in objects.
        func read(_ allocator: HeapAllocator) throws(HeapUnavailable) {
            for _ in 0..<Self.readings {
                let known = rxtrace_heap_answers(heap)
                try readOnce(allocator)
                if rxtrace_heap_answers(heap) == known { return }
            }
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
#endif
