import Rx

/// The live objects of this process at one moment, and what each of them holds.
///
///     let snapshot = try? HeapSnapshot.capture()
///     print(snapshot?.objectCount != 0)  // true
///
/// Read in place, without stopping anybody: threads that change the heap meanwhile may be seen halfway. It keeps
/// nothing alive; paths are put in words by types, so ask for them while the objects that you ask for are still there.
/// Needs jemalloc, on Linux. What is read by type, and what is not, is in
/// `Documentation/Decisions/0010-heap-snapshots.md`.
// @unchecked: immutable after `capture()`, but for what `search` works out, which is guarded.
public final class HeapSnapshot: @unchecked Sendable {
    /// How many live Swift objects there are: instances, closure contexts, boxes.
    public let objectCount: Int

    #if os(Linux)
        private let search: Guarded<RetentionSearch>

        private init(_ contents: HeapContents) {
            objectCount = contents.graph.objectCount
            search = Guarded(RetentionSearch(contents))
        }

        /// Reads the heap. From any thread. O(*n*) for *n* words in objects and pages of memory.
        ///
        /// - Throws: why the heap cannot be read, and what to do.
        public static func capture() throws(HeapUnavailable) -> HeapSnapshot {
            #if arch(x86_64) || arch(arm64)
                HeapSnapshot(try HeapContents())
            #else
                throw .notThisPlatform
            #endif
        }

        /// Why heaps cannot be read in this process; `nil` if they can.
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
        /// - Returns: `nil` if none of them is alive, or nothing was found that holds it.
        public func retention(of addresses: [UInt]) -> Retention? { search.withLock { $0.retention(of: addresses) } }

        /// The addresses of the live instances of a class, without instances of subclasses.
        public func addresses(of type: AnyClass) -> [UInt] { search.withLock { $0.addresses(of: Metadata(type)) } }

        /// The change of a set of objects since an earlier snapshot, in which it was `former`.
        func growth(of addresses: [UInt], since earlier: HeapSnapshot, _ former: [UInt]) -> HeapGrowth {
            search.withLock { now in
                earlier.search.withLock { then in now.growth(of: addresses, since: then, former) }
            }
        }

        /// The contexts of closures, boxes and tasks of which there are more than in an earlier snapshot.
        func contextGrowth(since earlier: HeapSnapshot) -> [HeapGrowth] {
            search.withLock { now in earlier.search.withLock { then in now.contextGrowth(since: then) } }
        }

        /// The memory that holders have gained since an earlier snapshot, the largest gain first.
        func memoryGrowth(since earlier: HeapSnapshot) -> [MemoryGrowth] {
            search.withLock { now in earlier.search.withLock { then in now.memoryGrowth(since: then) } }
        }

        /// Whether the object at an address belongs to the tracer: a variable of the tracer holds it, or the tracer
        /// declares its type.
        func isOfTracer(_ address: UInt) -> Bool { search.withLock { $0.isOfTracer(address) } }

        /// The blocks at these addresses whose holders have gained memory since an earlier snapshot.
        func gained(_ addresses: [UInt], since earlier: HeapSnapshot) -> [UInt] {
            search.withLock { now in earlier.search.withLock { then in now.gained(addresses, since: then) } }
        }

        /// The addresses at which an earlier snapshot did not see the same object.
        func new(_ addresses: [UInt], since earlier: HeapSnapshot) -> Set<UInt> {
            search.withLock { now in
                earlier.search.withLock { then in Set(addresses.filter { now.isNew($0, since: then) }) }
            }
        }

        /// Whether an object refers to one of others directly.
        func refers(from address: UInt, toAnyOf others: [UInt]) -> Bool {
            search.withLock { $0.refers(from: address, toAnyOf: others) }
        }

        /// How many objects of each of the user's classes an object leads to, itself included.
        func usersObjects(heldBy address: UInt, since earlier: HeapSnapshot?) -> [String: Int] {
            search.withLock { now in
                guard let earlier else { return now.usersObjects(heldBy: address, since: nil) }
                return earlier.search.withLock { then in now.usersObjects(heldBy: address, since: then) }
            }
        }

        /// Finds what holds an object, ignoring words on stacks that look like references; `nil` if nothing does.
        func retention(withoutStacks address: UInt) -> Retention? {
            search.withLock { $0.retention(of: [address], usesStacks: false) }
        }

        /// The retention of an object without a known holder; `nil` if it is not alive.
        func unheld(_ address: UInt) -> Retention? { search.withLock { $0.unheld(address) } }

        /// The origin of an object's class; `nil` for memory without a class.
        func origin(of address: UInt) -> CodeOrigin? { search.withLock { $0.origin(of: address) } }
    #else
        private init() { objectCount = 0 }

        /// Not on this system.
        ///
        /// - Throws: why, and what to use there.
        public static func capture() throws(HeapUnavailable) -> HeapSnapshot { throw .notLinux }

        /// `nil` on this system.
        public func retention(of addresses: [UInt]) -> Retention? { nil }

        /// Empty on this system.
        public func addresses(of type: AnyClass) -> [UInt] { [] }

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
        func refers(from address: UInt, toAnyOf others: [UInt]) -> Bool { false }
        func unheld(_ address: UInt) -> Retention? { nil }
        func origin(of address: UInt) -> CodeOrigin? { nil }
    #endif

    /// The holders of an instance of a class, subclasses apart.
    public func retention(of type: AnyClass) -> Retention? { retention(of: addresses(of: type)) }
}

/// Why the heap of this process cannot be read, and what to do about it.
public struct HeapUnavailable: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence, and the remedy.
    public let reason: String

    /// `unavailable, because ` and the reason.
    public var description: String { "unavailable, because \(reason)" }

    static let notJemalloc = HeapUnavailable(
        reason: """
            this process does not run on jemalloc. Give the executable '.linkedLibrary("jemalloc")' in the manifest, \
            or start it with 'LD_PRELOAD=libjemalloc.so.2'.
            """)
    static let noUtilization = HeapUnavailable(
        reason: """
            this jemalloc has no 'experimental.utilization.query'. Use jemalloc 5.3, for example Debian's \
            libjemalloc2.
            """)
    static let notLinux = HeapUnavailable(
        reason: "heaps are read on Linux only. Use Xcode's memory graph, or 'leaks', on this system.")
    static let notThisPlatform = HeapUnavailable(reason: "heaps are read on 64-bit x86 and ARM only.")
    static let noMaps = HeapUnavailable(reason: "'/proc/self/maps' cannot be read. Mount /proc.")
}
