#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bytes of this process's heap that are in use, where jemalloc keeps it.
enum HeapBytes {
    private typealias Control =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int
        ) -> CInt

    // Looked up, not linked: the program decides whether it runs on jemalloc.
    private static let control: Control? = dlsym(nil, "mallctl").map { unsafeBitCast($0, to: Control.self) }

    /// Why there is no figure.
    static let unavailable = HeapUnavailable.notJemalloc.reason

    /// The bytes in use at this moment; `nil` without jemalloc.
    ///
    /// Memory that threads have freed and keep for themselves does not count.
    static func inUse() -> Int? {
        guard let control else { return nil }
        _ = control("thread.tcache.flush", nil, nil, nil, 0)
        // Any value: writing it makes the statistics those of now.
        var epoch: UInt64 = 1
        guard control("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size) == 0 else { return nil }
        var bytes = 0
        var size = MemoryLayout<Int>.size
        guard control("stats.allocated", &bytes, &size, nil, 0) == 0 else { return nil }
        return bytes - cached(by: control)
    }

    /// Whether the allocator counts what a thread allocates: where a sanitizer stands before it, it counts nothing.
    static let countsThisThread: Bool = {
        guard let before = ofThisThread() else { return false }
        let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        let isCounted = ofThisThread() != before
        block.deallocate()
        return isCounted
    }()

    /// The bytes that this thread has allocated less those it has freed; `nil` without jemalloc. Only differences mean
    /// something. It allocates nothing.
    static func ofThisThread() -> Int? {
        guard let control else { return nil }
        var allocated: UInt64 = 0
        var freed: UInt64 = 0
        var size = MemoryLayout<UInt64>.size
        guard control("thread.allocated", &allocated, &size, nil, 0) == 0,
            control("thread.deallocated", &freed, &size, nil, 0) == 0
        else { return nil }
        return Int(truncatingIfNeeded: allocated &- freed)
    }

    /// The memory that threads keep for their next allocations, which jemalloc counts as in use: a thread that frees
    /// what others allocate seems to leak.
    private static func cached(by control: Control) -> Int {
        var bytes = 0
        var size = MemoryLayout<Int>.size
        // 4096 stands for all arenas (MALLCTL_ARENAS_ALL).
        return control("stats.arenas.4096.tcache_bytes", &bytes, &size, nil, 0) == 0 ? bytes : 0
    }
}
