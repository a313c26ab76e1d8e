/// The live objects of this process at one moment, and their references to each other.
///
///     let snapshot = try? HeapSnapshot.capture()
///     print(snapshot?.objectCount != 0)  // true
///
/// The heap is read in place, without stopping threads, so changes that other threads make at the same time may be seen
/// in part. A snapshot keeps no object alive. Paths are described by the types of the objects, so request the path to
/// an object while the object still exists. Needs jemalloc, on Linux. `Documentation/Decisions/0010-heap-snapshots.md`
/// states which memory is read by type.
// @unchecked: immutable after `capture()`, except for the results that `search` computes, which are guarded.
public final class HeapSnapshot: @unchecked Sendable {
    /// The number of live Swift objects: instances, closure contexts, boxes.
    public let objectCount: Int

    #if os(Linux)
        private let search: Locked<RetentionSearch>

        private init(_ contents: HeapContents) {
            objectCount = contents.graph.objectCount
            search = Locked(RetentionSearch(contents))
        }

        /// Reads the heap. Call it from any thread. O(*n*) for *n* words in objects and pages of memory.
        ///
        /// - Throws: the reason why the heap cannot be read, and the remedy.
        public static func capture() throws(HeapUnavailable) -> HeapSnapshot {
            #if arch(x86_64) || arch(arm64)
                HeapSnapshot(try HeapContents())
            #else
                throw .notThisPlatform
            #endif
        }

        /// The reason why heaps cannot be read in this process; `nil` if they can.
        static var obstacle: HeapUnavailable? {
            #if arch(x86_64) || arch(arm64)
                do { _ = try HeapAllocator() } catch { return error }
                return nil
            #else
                .notThisPlatform
            #endif
        }

        /// The holders of one of the objects at these addresses: the path with the highest grade.
        ///
        /// - Returns: `nil` if none of the objects is alive, or if no holder was found.
        public func retention(of addresses: [UInt]) -> Retention? {
            retentionWithAddresses(of: addresses)?.withoutAddresses()
        }

        /// The same retention with the addresses of the objects on the path. Only the search for leaks may keep it, in
        /// memory that the program does not use.
        func retentionWithAddresses(of addresses: [UInt]) -> Retention? {
            search.withLock { $0.retention(of: addresses) }
        }

        /// The addresses of the live instances of a class, without instances of subclasses.
        public func addresses(of type: AnyClass) -> [UInt] { search.withLock { $0.addresses(of: Metadata(type)) } }

        /// The change of a set of objects since an earlier snapshot, in which it was `former`.
        func growth(of addresses: [UInt], since earlier: HeapSnapshot, _ former: [UInt]) -> HeapGrowth {
            search.withLock { now in
                earlier.search.withLock { then in now.growth(of: addresses, since: then, former) }
            }
        }

        /// The contexts of closures, boxes and tasks whose number has grown since an earlier snapshot, by their layout.
        func contextGrowth(since earlier: HeapSnapshot) -> [HeapGrowth] {
            search.withLock { now in earlier.search.withLock { then in now.contextGrowth(since: then) } }
        }

        /// The memory that holders have gained since an earlier snapshot, the largest gain first.
        func memoryGrowth(since earlier: HeapSnapshot) -> [MemoryGrowth] {
            search.withLock { now in earlier.search.withLock { then in now.memoryGrowth(since: then) } }
        }

        /// Whether the object at an address belongs to the tracer: it is the storage of a collection that only the
        /// tracer has, or a variable of the tracer or of Swift Testing leads to it.
        func isOfTracer(_ address: UInt) -> Bool { search.withLock { $0.isOfTracer(address) } }

        /// The blocks at these addresses whose holders have gained memory since an earlier snapshot.
        func gained(_ addresses: [UInt], since earlier: HeapSnapshot) -> [UInt] {
            search.withLock { now in earlier.search.withLock { then in now.gained(addresses, since: then) } }
        }

        /// The addresses of objects that are new since an earlier snapshot: it has no object of the same type there.
        func new(_ addresses: [UInt], since earlier: HeapSnapshot) -> Set<UInt> {
            search.withLock { now in
                earlier.search.withLock { then in Set(addresses.filter { now.isNew($0, since: then) }) }
            }
        }

        /// Whether an object stores the elements of a collection of unmanaged pointers.
        func keepsPointers(_ address: UInt) -> Bool { search.withLock { $0.keepsPointers(address) } }

        /// Whether an object leads to one of the other objects, over objects that are new since an earlier snapshot.
        func leads(from address: UInt, toAnyOf others: Set<UInt>, since earlier: HeapSnapshot?) -> Bool {
            search.withLock { now in
                guard let earlier else { return now.leads(from: address, toAnyOf: others, since: nil) }
                return earlier.search.withLock { then in now.leads(from: address, toAnyOf: others, since: then) }
            }
        }

        /// The number of objects of each of the user's classes that an object leads to, including the object itself.
        func usersObjects(heldBy address: UInt, since earlier: HeapSnapshot?) -> [String: Int] {
            search.withLock { now in
                guard let earlier else { return now.usersObjects(heldBy: address, since: nil) }
                return earlier.search.withLock { then in now.usersObjects(heldBy: address, since: then) }
            }
        }

        /// The holders of an object, without words on stacks that look like references; `nil` if no holder was found.
        func retention(withoutStacks address: UInt) -> Retention? {
            search.withLock { $0.retention(of: [address], usesStacks: false) }
        }

        /// The retention of an object without a known holder; `nil` if it is not alive.
        func unheld(_ address: UInt) -> Retention? { search.withLock { $0.unheld(address) } }

        /// The origin of an object's class; `nil` for memory without a class.
        func origin(of address: UInt) -> CodeOrigin? { search.withLock { $0.origin(of: address) } }
    #else
        private init() { objectCount = 0 }

        /// Throws an error, because heaps cannot be read on this system.
        ///
        /// - Throws: the reason, and the tool to use instead.
        public static func capture() throws(HeapUnavailable) -> HeapSnapshot { throw .notLinux }

        /// `nil` on this system.
        public func retention(of addresses: [UInt]) -> Retention? { nil }

        /// Empty on this system.
        public func addresses(of type: AnyClass) -> [UInt] { [] }

        func retentionWithAddresses(of addresses: [UInt]) -> Retention? { nil }

        static var obstacle: HeapUnavailable? { .notLinux }
        func growth(of addresses: [UInt], since earlier: HeapSnapshot, _ former: [UInt]) -> HeapGrowth {
            HeapGrowth(count: 0, gained: [])
        }
        func contextGrowth(since earlier: HeapSnapshot) -> [HeapGrowth] { [] }
        func memoryGrowth(since earlier: HeapSnapshot) -> [MemoryGrowth] { [] }
        func isOfTracer(_ address: UInt) -> Bool { false }
        func gained(_ addresses: [UInt], since earlier: HeapSnapshot) -> [UInt] { addresses }
        func new(_ addresses: [UInt], since earlier: HeapSnapshot) -> Set<UInt> { [] }
        func usersObjects(heldBy address: UInt, since earlier: HeapSnapshot?) -> [String: Int] { [:] }
        func retention(withoutStacks address: UInt) -> Retention? { nil }
        func leads(from address: UInt, toAnyOf others: Set<UInt>, since earlier: HeapSnapshot?) -> Bool { false }
        func keepsPointers(_ address: UInt) -> Bool { false }
        func unheld(_ address: UInt) -> Retention? { nil }
        func origin(of address: UInt) -> CodeOrigin? { nil }
    #endif

    /// The holders of an instance of a class. Instances of subclasses are ignored.
    public func retention(of type: AnyClass) -> Retention? { retention(of: addresses(of: type)) }
}

/// The reason why the heap of this process cannot be read, and the remedy.
public struct HeapUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in a sentence, and the remedy.
    public let reason: String

    /// `unavailable, because ` and the reason.
    public var description: String { "unavailable, because \(reason)" }

    package static let notJemalloc = HeapUnavailable(
        reason: """
            this process does not run on jemalloc. Give the executable '.linkedLibrary("jemalloc")' in the manifest, \
            or start it with 'LD_PRELOAD=libjemalloc.so.2'.
            """)
    static let noUtilization = HeapUnavailable(
        reason: """
            this jemalloc has no 'experimental.utilization.batch_query'. Use jemalloc 5.3, for example Debian's \
            libjemalloc2.
            """)
    static let notLinux = HeapUnavailable(
        reason: "heaps are read on Linux only. Use Xcode's memory graph, or 'leaks', on this system.")
    static let notThisPlatform = HeapUnavailable(reason: "heaps are read on 64-bit x86 and ARM only.")
    static let noMaps = HeapUnavailable(reason: "'/proc/self/maps' cannot be read. Mount /proc.")
}
