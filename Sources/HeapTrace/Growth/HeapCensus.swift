/// The objects of the heap that groups count: now, and at an earlier reading of the heap.
struct HeapCensus {
    let now: HeapSnapshot
    let mark: HeapMark?

    /// Objects of one group that may have one cause.
    struct Objects {
        /// All objects.
        var all: [UInt]
        /// The objects that may be leaking, in no particular order. If there is a mark, these were made after it, and
        /// belong to a holder that has gained objects.
        var suspects: [UInt]
        /// The reason why a path to one of them may not be the cause; `nil` if there is no doubt.
        var doubt: String?

        /// Up to eight of the suspects, from several runs, because the object of the last run may still be on a stack.
        var sample: [UInt] {
            let size = min(suspects.count, 8)
            return (0..<size).map { suspects[$0 * suspects.count / size] }
        }
    }

    /// Returns the objects of a group; `nil` if the heap contains none, or gained fewer than half of the counted
    /// number.
    func objects(of found: GrowthGroups.Found) -> Objects? {
        // The runs made these resources and blocks. A block may only have replaced another one.
        if !found.addresses.isEmpty {
            guard let mark, found.group.metric == .heapBytes else {
                return Objects(all: found.addresses, suspects: found.addresses)
            }
            let gained = now.gained(found.addresses, since: mark.heap)
            guard isConfirmed(gained.count, of: found.addresses.count) else { return nil }
            return Objects(all: gained, suspects: gained)
        }
        let all = addresses(of: found.group.metric, in: now)
        if all.isEmpty { return nil }
        guard let mark else {
            guard isConfirmed(all.count, of: found.group.kept) else { return nil }
            // Nearly all of the objects were made by the runs.
            let isSure = all.count <= found.group.kept * 5 / 4
            let doubt = "other objects of the class lived before the runs, and may be held otherwise"
            return Objects(all: all, suspects: all, doubt: isSure ? nil : doubt)
        }
        let growth = now.growth(of: all, since: mark.heap, addresses(of: found.group.metric, in: mark.heap))
        guard isConfirmed(growth.count, of: grown(found.group)) else { return nil }
        return growth.gained.isEmpty ? nil : Objects(all: all, suspects: growth.gained)
    }

    /// Whether the heap does not contain the objects that a group counts, because they were counted when they were
    /// made, and their end was not seen. A counter of the program may count things whose addresses it does not report.
    func contradicts(_ found: GrowthGroups.Found) -> Bool {
        let metric = found.group.metric
        if metric == .heapBytes { return !found.addresses.isEmpty }
        return metric.isObjects && (metric.isOfSystem || !addresses(of: metric, in: now).isEmpty)
    }

    /// Whether Swift Testing keeps the whole sample for itself. Objects that the tracer seems to hold are not left out,
    /// because the program may keep reports, and a word in the tracer's memory may only look like a reference.
    func areOfSwiftTesting(_ objects: Objects) -> Bool {
        objects.sample.allSatisfy { now.retention(of: [$0])?.isOfSwiftTesting ?? false }
    }

    /// The maximum number of context layouts to look at. Few layouts have a separate cause.
    static let layoutLimit = 8

    /// The contexts of closures, the boxes and the tasks that a group may count, one entry for each layout.
    func contexts(_ group: GrowthGroup) -> [Objects] {
        guard let mark, group.metric == .closures || group.metric == .heapBytes else { return [] }
        let runs = group.counts.count - mark.run
        return now.contextGrowth(since: mark.heap).filter { $0.count * 2 >= runs }.prefix(Self.layoutLimit).map {
            Objects(all: $0.gained, suspects: $0.gained)
        }
    }

    /// The memory that holders have gained since the mark, the largest gain first.
    var gains: [MemoryGrowth] { mark.map { now.memoryGrowth(since: $0.heap) } ?? [] }

    /// The memory that a group of bytes may count: one entry for each holder that has gained memory, such as a
    /// collection that grew in place. Empty unless these holders account for half of the bytes.
    func memory(_ group: GrowthGroup) -> [Objects] {
        guard group.metric == .heapBytes else { return [] }
        // No holder gains more than the whole heap, unless one of the readings has missed a reference to its memory.
        let gains = gains.filter { $0.bytes <= 2 * grown(group) }
        let most = gains.first?.bytes ?? 0
        let large = gains.filter { $0.bytes * 4 >= most }.prefix(Self.layoutLimit)
        guard isConfirmed(large.reduce(0) { $0 + $1.bytes }, of: grown(group)) else { return [] }
        return large.map { Objects(all: [$0.address], suspects: [$0.address]) }
    }

    /// The growth of a group's count since the mark.
    private func grown(_ group: GrowthGroup) -> Int {
        guard let mark, mark.run > 0, mark.run <= group.counts.count else { return group.kept }
        return group.kept - group.counts[mark.run - 1]
    }

    private func isConfirmed(_ count: Int, of counted: Int) -> Bool { count * 2 >= counted }

    private func addresses(of metric: GrowthMetric, in heap: HeapSnapshot) -> [UInt] {
        HeapTrace.followed.flatMap { $0.addresses(of: metric, in: heap) }
    }

    /// The objects among these that were made since the mark; `nil` without a mark.
    func new(_ addresses: [UInt]) -> Set<UInt>? { mark.map { now.new(addresses, since: $0.heap) } }
}
