/// Why the heap of this process cannot be read, and what to do about it.
public struct HeapUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence, and the remedy.
    public let reason: String

    /// `unavailable, because ` and the reason.
    public var description: String { "unavailable, because \(reason)" }

    static let notJemalloc = HeapUnavailable(
        reason:
            """
            this process does not run on jemalloc. Link it (the trait 'Jemalloc' does), or start with \
            'LD_PRELOAD=libjemalloc.so.2'.
            """
    )
    static let noUtilization = HeapUnavailable(
        reason:
            """
            this jemalloc has no 'experimental.utilization.query'. Use jemalloc 5.3, for example Debian's \
            libjemalloc2.
            """
    )
    static let notLinux = HeapUnavailable(
        reason: "heaps are read on Linux only. Use Xcode's memory graph, or 'leaks', on this system.")
    static let notThisPlatform = HeapUnavailable(reason: "heaps are read on 64-bit x86 and ARM only.")
    static let noMaps = HeapUnavailable(reason: "'/proc/self/maps' cannot be read. Mount /proc.")
}
