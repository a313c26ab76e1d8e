import Foundation

/// Counts the bytes of the heap, thread by thread.
package protocol HeapByteSource: Sendable {
    /// A function that is called with an allocated block, and the return address of the call that allocated it.
    typealias AllocationHook = @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void
    /// A function that is called with a block that is about to be freed.
    typealias EndHook = @convention(c) (UnsafeMutableRawPointer?) -> Void

    /// Starts counting. Has no effect if the source already counts.
    func begin()
    /// Calls `allocated` for each block that any thread allocates, and `freed` before any thread frees a block. Pass
    /// `nil` to end this.
    func watch(_ allocated: AllocationHook?, _ freed: EndHook?)
    /// The bytes that this thread has allocated minus the bytes that it has freed. Reading this allocates nothing.
    func ofThisThread() -> Int
    /// The bytes that all threads have allocated minus the bytes that they have freed.
    func ofAllThreads() -> Int
}

/// The bytes of this process's heap that are in use.
package enum HeapBytes {
    /// The source that counts the bytes of all threads.
    package enum Counting: Sendable {
        case source(any HeapByteSource)
        /// The bytes cannot be counted. The text gives the reason and the remedy.
        case impossible(String)
    }

    private static let counting = Locked<Counting?>(nil)

    /// Makes detections read a source instead of the allocator's statistics. Pass `nil` to undo this.
    package static func link(_ new: Counting?) { counting.withLock { $0 = new } }

    /// The source that counts the bytes of all threads of this process, if there is one.
    static var source: (any HeapByteSource)? {
        if case .source(let source)? = counting.withLock({ $0 }) { source } else { nil }
    }

    /// The reason why there is no source, and the remedy.
    static var missing: String {
        if case .impossible(let reason)? = counting.withLock({ $0 }) { return reason }
        return """
            neither 'RxTraceTesting' nor jemalloc is linked. Test with 'RxTraceTesting', or give the executable \
            '.linkedLibrary("jemalloc")' in the manifest.
            """
    }

    private typealias Control =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int
        ) -> CInt

    // Looked up at run time and not linked, because the program decides whether it uses jemalloc.
    private static let control: Control? = dlsym(nil, "mallctl").map { unsafeBitCast($0, to: Control.self) }

    /// The bytes in use at this moment; `nil` without jemalloc.
    ///
    /// Memory that threads have freed and keep for themselves does not count.
    package static func inUse() -> Int? {
        guard let control else { return nil }
        returnMemoryOfThisThread()
        // Any value: writing it updates the statistics.
        var epoch: UInt64 = 1
        guard control("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size) == 0 else { return nil }
        var bytes = 0
        var size = MemoryLayout<Int>.size
        guard control("stats.allocated", &bytes, &size, nil, 0) == 0 else { return nil }
        return bytes - cached(by: control)
    }

    /// Returns the memory that this thread has freed and keeps for later allocations. Has no effect without jemalloc.
    static func returnMemoryOfThisThread() { _ = control?("thread.tcache.flush", nil, nil, nil, 0) }

    /// Whether the allocator counts the allocations of a thread. It counts nothing if a sanitizer replaces it.
    static let countsThisThread: Bool = {
        guard let before = ofThisThread() else { return false }
        let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        let isCounted = ofThisThread() != before
        block.deallocate()
        return isCounted
    }()

    /// The bytes that this thread has allocated minus the bytes that it has freed; `nil` without jemalloc. Only
    /// differences between two readings have a meaning. Reading this allocates nothing.
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

    /// The memory that threads keep for later allocations, which jemalloc counts as in use. Without this, a thread that
    /// frees blocks of other threads seems to leak.
    private static func cached(by control: Control) -> Int {
        var bytes = 0
        var size = MemoryLayout<Int>.size
        // 4096 means all arenas (MALLCTL_ARENAS_ALL).
        return control("stats.arenas.4096.tcache_bytes", &bytes, &size, nil, 0) == 0 ? bytes : 0
    }
}
