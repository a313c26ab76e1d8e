#if os(Linux)
    import CRxTrace
    import Glibc

    /// The memory that jemalloc divides into blocks. Blocks may be in use or free; jemalloc does not report which.
    ///
    /// Its functions are found by `dlsym`, so that no library is linked for this. jemalloc can only be queried for an
    /// address. Therefore every page of memory that may belong to it is queried, from one extent to the next.
    struct HeapAllocator {
        private let query: rxtrace_allocator_query
        private let mib: [Int]

        init() throws(HeapUnavailable) {
            // `nil` is `RTLD_DEFAULT`, a macro that Swift does not import.
            guard let toMIB = dlsym(nil, "mallctlnametomib"), let byMIB = dlsym(nil, "mallctlbymib") else {
                throw .notJemalloc
            }
            typealias NameToMIB =
                @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int>) -> CInt
            // These signatures are documented in jemalloc's manual.
            let nameToMIB = unsafeBitCast(toMIB, to: NameToMIB.self)
            var mib = [0, 0, 0]
            var length = 3
            guard nameToMIB("experimental.utilization.batch_query", &mib, &length) == 0, length == 3 else {
                throw .noUtilization
            }
            query = unsafeBitCast(byMIB, to: rxtrace_allocator_query.self)
            self.mib = mib
        }

        /// O(p) for *p* pages of anonymous memory.
        func findExtents(_ map: borrowing MemoryMap, _ heap: OpaquePointer) {
            let gibibyte: UInt = 1 << 30
            var asked = gibibyte
            var isKnown = false
            var end: UInt = 0
            for index in 0..<map.ranges.count {
                let range = map.ranges[index]
                guard range.isAnonymous, range.isReadable, range.isWritable else { continue }
                // Begins after the last extent, which may cross the border between two ranges: a query in the middle of
                // an extent would return the size of the whole extent.
                var from = max(range.start, end)
                while from < range.end {
                    let next = min(range.end, (from / gibibyte + 1) * gibibyte)
                    if asked != from / gibibyte {
                        asked = from / gibibyte
                        isKnown = rxtrace_heap_is_known(query, mib, from)
                    }
                    end = isKnown ? rxtrace_heap_add_extents(heap, query, mib, from, next) : next
                    from = end
                }
            }
        }
    }
#endif
