internal import CObjects
public import HeapTrace

/// The number of live Swift objects of each type in this process, at one moment.
///
///     final class Screen {}
///     let screens = [Screen(), Screen()]
///     print(LiveObjects().count(of: Screen.self)!)  // 2
///     withExtendedLifetime(screens) {}
///
/// Objects of all classes and actors are counted by the full name of their type, whether or not they are related to Rx.
/// Contexts of closures and boxes of captured variables are counted together, as `LiveObjects.closures`. Objects that
/// are deallocated inside the standard library, such as the storage of arrays, are not followed.
public struct LiveObjects: Equatable, Sendable {
    /// The name under which contexts of closures and boxes of captured variables are counted.
    public static let closures = GrowthMetric.nameOfClosures

    /// The live objects by type; `nil` if they cannot be counted: `ObjectCounts.obstacle` has the reason.
    public let byType: [String: Int]?

    /// Takes the present counts. Call it from any thread. O(t · n) for *t* threads and *n* types, and a name is made
    /// for each type.
    public init() { byType = ObjectCounts.obstacle == nil ? Self.named(TypeTable.counts()) : nil }

    init(byType: [String: Int]?) { self.byType = byType }

    /// The number of live objects at this moment, by the address of their type's metadata.
    package static var byAddressOfType: [CountedType: Int] { TypeTable.counts() }

    /// The number of live objects whose type is exactly `type`; `nil` if objects are not counted.
    public func count(of type: AnyObject.Type) -> Int? { byType.map { $0[TypeName.text(of: type)] ?? 0 } }

    /// The change since `earlier`, by type, without the types that have not changed; `nil` if objects are not counted.
    public func difference(from earlier: LiveObjects) -> [String: Int]? {
        guard let byType, let before = earlier.byType else { return nil }
        return byType.merging(before.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value != 0 }
    }

    private static func named(_ counts: [CountedType: Int]) -> [String: Int] {
        Dictionary(counts.map { (TypeName.text(of: $0.key), $0.value) }, uniquingKeysWith: +)
    }
}

extension LiveObjects: CustomStringConvertible {
    /// One line for each type, the type with the most objects first.
    public var description: String {
        guard let byType else { return "unavailable: \(ObjectCounts.obstacle ?? "objects are not counted")" }
        let sorted = byType.filter { $0.value != 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.map { "\($0.value)  \($0.key)" }.joined(separator: "\n")
    }
}

/// The table of types that `CObjects` keeps.
enum TypeTable {
    /// The number of live objects, by the address of their type's metadata. Only types with live objects are included.
    ///
    /// The count is negative for a type whose objects are allocated inside the standard library, such as
    /// `ManagedBuffer` in debug builds. Types with negative counts are left out, because not all of their objects are
    /// seen.
    static func counts() -> [CountedType: Int] {
        // A few more, because another thread may use a new type in the meantime.
        let counted = [objects_type](unsafeUninitializedCapacity: objects_type_count() + 16) { types, count in
            if let start = types.baseAddress { count = objects_live(start, types.count) }
        }
        return Dictionary(
            counted.filter { $0.live > 0 }.map { (CountedType(UInt(bitPattern: $0.metadata)), Int($0.live)) },
            uniquingKeysWith: +)
    }

    /// The classes with this name that have live objects. Private classes of several files may have the same name.
    static func types(named name: String) -> [AnyClass] {
        // The metadata of a class is its type; the table holds it as an address.
        counts().keys.filter { TypeName.isClass($0) && TypeName.text(of: $0) == name }.map {
            unsafeBitCast($0.metadata, to: AnyClass.self)
        }
    }
}

/// Names of types, the same across runs and builds.
enum TypeName {
    /// The names of types so far. Making a name takes microseconds, and a detection needs all names after each run.
    private static let known = Locked<[CountedType: String]>([:])

    /// The name of a counted type.
    static func text(of type: CountedType) -> String {
        if let name = known.withLock({ $0[type] }) { return name }
        let name = makeText(of: type)
        known.withLock { $0[type] = name }
        return name
    }

    private static func makeText(of type: CountedType) -> String {
        // The metadata of a class is its type; the table holds it as an address.
        isClass(type) ? text(of: unsafeBitCast(type.metadata, to: Any.Type.self)) : LiveObjects.closures
    }

    /// Whether the objects of a counted type are instances of a class, and not contexts of closures or boxes.
    static func isClass(_ type: CountedType) -> Bool {
        // The metadata of a class begins with 0. The metadata of contexts and boxes begins with 0x400 and above, and is
        // not a type that can be queried (MetadataKind.def of the Swift repository).
        UnsafePointer<UInt>(bitPattern: type.metadata)?.pointee == 0
    }

    /// The full name of a type: `App.ViewModel`.
    ///
    /// The name of a private type contains the address of its file's context, which differs between runs: `App.(unknown
    /// context at $7f…).Row`.
    static func text(of type: Any.Type) -> String {
        let name = _typeName(type, qualified: true)
        guard name.contains("(unknown context at $") else { return name }
        return name.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    }
}

extension HeapTrace {
    /// Whether `detectGrowth` follows the Swift objects of every type in addition to reactive resources. The default is
    /// `false`.
    ///
    ///     HeapTrace.followsObjects = true
    ///     print(HeapTrace.followsObjects)  // true
    ///     HeapTrace.followsObjects = false
    ///
    /// A detection then also finds leaks of the program's own classes. The setting is process-wide. If objects cannot
    /// be counted, reports state the reason.
    public static var followsObjects: Bool {
        get { following.withLock { $0 } }
        set {
            following.withLock { $0 = newValue }
            if newValue { follow(ObjectCounter()) } else { unfollow(named: ObjectCounter().name) }
            HeapBytes.link(newValue ? CountedHeap.counting : nil)
        }
    }

    private static let following = Locked(false)
}

/// The bytes of the heap, counted by interposing the allocator.
private struct CountedHeap: HeapByteSource {
    static var counting: HeapBytes.Counting {
        objects_heap_obstacle().map { .impossible(String(cString: $0)) } ?? .source(CountedHeap())
    }

    func begin() { objects_heap_begin() }
    func watch(_ allocated: AllocationHook?, _ freed: EndHook?) { objects_heap_watch(allocated, freed) }
    func ofThisThread() -> Int { Int(objects_heap_of_this_thread()) }
    func ofAllThreads() -> Int { Int(objects_heap_of_all_threads()) }
}

/// The counter of live Swift objects that `detectGrowth` follows.
struct ObjectCounter: GrowthCounter {
    let name = "objects"

    /// The counts of the last reading, by type and by name.
    private struct Latest {
        var byType: [CountedType: Int] = [:]
        var byName: [GrowthMetric: Int] = [:]

        mutating func change(_ type: CountedType, by change: Int) {
            if change != 0 { byName[.objects(TypeName.text(of: type)), default: 0] += change }
        }
    }
    private static let latest = Locked(Latest())

    /// Reads the counts. Makes names only for types whose counts have changed since the last reading, because there are
    /// hundreds of other types.
    func read() -> GrowthReading {
        if let obstacle = ObjectCounts.obstacle { return .unavailable(obstacle) }
        let counts = TypeTable.counts()
        return Self.latest.withLock { latest in
            for (type, count) in counts { latest.change(type, by: count - (latest.byType[type] ?? 0)) }
            for (type, count) in latest.byType where counts[type] == nil { latest.change(type, by: -count) }
            latest.byType = counts
            return .counts(latest.byName)
        }
    }

    /// Finds the addresses in the heap, because the counter does not store single objects. Empty for closures, which
    /// have no type to search for.
    func addresses(of metric: GrowthMetric, in heap: HeapSnapshot) -> [UInt] {
        guard case .objects(let name) = metric else { return [] }
        return TypeTable.types(named: name).flatMap { heap.addresses(of: $0) }
    }
}

/// The numbers of calls of the Swift runtime that allocate, deallocate, retain and release objects.
///
///     import RxBench
///
///     final class Book {}
///     let counts = ObjectCounts.during {
///         for _ in 0..<100 { blackHole(Book()) }
///     }
///     print(counts!.allocations, counts!.deallocations)  // 100 100
///
/// Calls by the program's code or a library's code are counted. Calls inside the standard library are not counted,
/// except in code of the standard library that was inlined or specialised in the program. Release builds retain and
/// release less than debug builds.
public struct ObjectCounts: Equatable, Sendable {
    /// The number of allocated objects: instances of classes and actors, contexts of closures, boxes of captured
    /// variables.
    public var allocations: Int
    /// The number of deallocated objects.
    public var deallocations: Int
    /// The number of added strong references. A retain by *n* counts as *n*.
    public var retains: Int
    /// The number of released strong references. A release by *n* counts as *n*.
    public var releases: Int

    /// Creates counts with the given values.
    public init(allocations: Int = 0, deallocations: Int = 0, retains: Int = 0, releases: Int = 0) {
        self.allocations = allocations
        self.deallocations = deallocations
        self.retains = retains
        self.releases = releases
    }

    /// The reason why calls are not counted in this process, and the remedy; `nil` if they are counted.
    public static var obstacle: String? { objects_obstacle().map { String(cString: $0) } }

    /// The counts of this thread since it began; `nil` if calls cannot be counted: `obstacle` has the reason. O(1).
    public static var ofThisThread: ObjectCounts? { isCounting ? ObjectCounts(objects_of_this_thread()) : nil }

    /// The counts of all threads since the process began, including threads that have ended; `nil` if calls cannot be
    /// counted: `obstacle` has the reason.
    ///
    /// O(t) for *t* threads. The counts are exact after the program has waited for the work of other threads.
    public static var ofAllThreads: ObjectCounts? { isCounting ? ObjectCounts(objects_of_all_threads()) : nil }

    /// The counts of `body` on this thread; `nil` if calls cannot be counted: `obstacle` has the reason. Work of other
    /// threads is not included.
    ///
    /// - Throws: the error that `body` throws.
    @inlinable
    public static func during<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> ObjectCounts? {
        let before = ofThisThread
        try body()
        guard let before, let after = ofThisThread else { return nil }
        return after - before
    }

    /// The difference of two readings.
    public static func - (later: ObjectCounts, earlier: ObjectCounts) -> ObjectCounts {
        ObjectCounts(
            allocations: later.allocations - earlier.allocations,
            deallocations: later.deallocations - earlier.deallocations,
            retains: later.retains - earlier.retains, releases: later.releases - earlier.releases)
    }

    // Decided once, because functions are interposed when the program is linked.
    private static let isCounting = obstacle == nil

    private init(_ counts: objects_counts) {
        // 64-bit counts of events do not reach the sign bit during the life of a process.
        self.init(
            allocations: Int(truncatingIfNeeded: counts.allocations),
            deallocations: Int(truncatingIfNeeded: counts.deallocations),
            retains: Int(truncatingIfNeeded: counts.retains), releases: Int(truncatingIfNeeded: counts.releases))
    }
}

extension ObjectCounts: CustomStringConvertible {
    /// `100 allocations, 100 deallocations, 3 retains, 103 releases`.
    public var description: String {
        let counts = [
            (allocations, "allocation"), (deallocations, "deallocation"), (retains, "retain"), (releases, "release"),
        ]
        return counts.map { String.counted($0, $1) }.joined(separator: ", ")
    }
}
