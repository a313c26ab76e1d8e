#if os(Linux)
    import CRxTrace
    import Glibc

    /// What jemalloc tells of the memory that it deals out in blocks, used or free: it does not say which.
    ///
    /// Found by dlsym, so that nothing is linked for it. jemalloc answers for addresses only; so every page of memory
    /// that may be its own is asked about, from one extent to the next: 50 ns each.
    struct HeapAllocator {
        private let query: rxtrace_allocator_query
        private let mib: [Int]

        init() throws(HeapUnavailable) {
            // `RTLD_DEFAULT` is a macro that Swift does not see.
            guard let toMIB = dlsym(nil, "mallctlnametomib"), let byMIB = dlsym(nil, "mallctlbymib") else {
                throw .notJemalloc
            }
            typealias NameToMIB =
                @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<Int>) -> CInt
            // The signatures are those of jemalloc's manual.
            let nameToMIB = unsafeBitCast(toMIB, to: NameToMIB.self)
            var mib = [0, 0, 0]
            var length = 3
            guard nameToMIB("experimental.utilization.query", &mib, &length) == 0, length == 3 else {
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
                // From behind the last extent on: one may cross the border, and in its middle its size would mislead.
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
