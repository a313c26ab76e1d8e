internal import CObjects

/// How often the Swift runtime was asked to make and end objects, and to retain and release them.
///
///     import RxBench
///
///     final class Book {}
///     let counts = ObjectCounts.during {
///         for _ in 0..<100 { blackHole(Book()) }
///     }
///     print(counts!.allocations, counts!.deallocations)  // 100 100
///
/// Counted where the program's code or that of a library calls the runtime. What the standard library does inside
/// itself is not seen: what it was inlined or specialised for in the program is. Release builds retain and release less
/// than debug builds.
public struct ObjectCounts: Equatable, Sendable {
    /// Objects made: instances of classes and actors, contexts of closures, boxes of captured variables.
    public var allocations: Int
    /// Objects whose end was reached.
    public var deallocations: Int
    /// Strong references added; a retain by *n* counts as *n*.
    public var retains: Int
    /// Strong references given back; a release by *n* counts as *n*.
    public var releases: Int

    /// Counts of given figures.
    public init(allocations: Int = 0, deallocations: Int = 0, retains: Int = 0, releases: Int = 0) {
        self.allocations = allocations
        self.deallocations = deallocations
        self.retains = retains
        self.releases = releases
    }

    /// Why nothing is counted in this process, and what to do; `nil` if it is.
    public static var obstacle: String? { objects_obstacle().map { String(cString: $0) } }

    /// The counts of this thread since it began; `nil` where `obstacle` tells why. O(1).
    public static var ofThisThread: ObjectCounts? { isCounting ? ObjectCounts(objects_of_this_thread()) : nil }

    /// The counts of all threads since the process began, threads that have ended included; `nil` where `obstacle`
    /// tells why.
    ///
    /// O(t) for *t* threads. Exact once the threads have been waited for.
    public static var ofAllThreads: ObjectCounts? { isCounting ? ObjectCounts(objects_of_all_threads()) : nil }

    /// The counts of `body` on this thread; `nil` where `obstacle` tells why. Another thread's work is not in it.
    ///
    /// - Throws: what `body` throws.
    @inlinable
    public static func during<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) -> ObjectCounts? {
        let before = ofThisThread
        try body()
        guard let before, let after = ofThisThread else { return nil }
        return after - before
    }

    /// The counts of what happened between two readings.
    public static func - (later: ObjectCounts, earlier: ObjectCounts) -> ObjectCounts {
        ObjectCounts(
            allocations: later.allocations - earlier.allocations,
            deallocations: later.deallocations - earlier.deallocations,
            retains: later.retains - earlier.retains, releases: later.releases - earlier.releases)
    }

    // Decided once: what stands before the runtime was decided when the program was linked.
    private static let isCounting = obstacle == nil

    private init(_ counts: objects_counts) {
        // 64-bit counts of events: they do not reach the sign bit in the life of a process.
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
