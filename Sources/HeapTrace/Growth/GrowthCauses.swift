/// Merges growing groups that have the same cause.
enum GrowthCauses {
    /// Returns all groups. The growing ones have their holders, and groups with the same cause are merged.
    ///
    /// - Parameters:
    ///   - mark: the heap as it was during the detection; `nil` if it was not read then.
    ///   - halfway: the heap at a later run. If something leaks, the memory of collections is compared with it.
    static func explained(
        _ groups: GrowthGroups, since mark: HeapMark? = nil, halfway: HeapMark? = nil
    ) -> [GrowthGroup] {
        let found = groups.found()
        guard found.contains(where: { $0.group.verdict.isGrowing || $0.isCollection }),
            let heap = try? HeapSnapshot.capture()
        else { return found.map(\.group) }
        let census = HeapCensus(now: heap, mark: mark)
        // The classes of Rx add no information to their resources.
        let knowsResources = found.contains { $0.group.verdict.isGrowing && !$0.addresses.isEmpty }
        var leaks: [ExplainedGroup] = []
        var rest: [GrowthGroup] = []
        var elements: [ExplainedGroup] = []
        var unfreed: [ExplainedGroup] = []
        var blocksReplaceOthers = false
        for found in found where !(knowsResources && found.group.metric.isObjectsOfOurs) {
            // Collections of the tracer, such as its names of types, are not reported.
            if found.isCollection, found.addresses.allSatisfy(heap.isOfTracer) { continue }
            guard found.group.verdict.isGrowing, found.group.metric != .closures else {
                rest.append(found.group)
                continue
            }
            let objects = census.objects(of: found)
            if objects == nil, census.contradicts(found) {
                if found.group.metric == .heapBytes { blocksReplaceOthers = true }
                continue
            }
            if let explained = objects.flatMap({ ExplainedGroup(found.group, $0, census) }) {
                if found.isCollection { elements.append(explained) } else { leaks.append(explained) }
            } else if !(objects.map(census.areOfSwiftTesting) ?? false) {
                rest.append(found.group)
                if let blocks = objects.flatMap({ ExplainedGroup(unfreed: found.group, $0, census) }) {
                    unfreed.append(blocks)
                }
            }
        }
        if leaks.isEmpty, elements.isEmpty, blocksReplaceOthers, let bytes = groups.heapBytes { rest.append(bytes) }
        // Closures and tasks are counted as one type, so some of the growing ones belong to other growing groups.
        if leaks.isEmpty {
            for group in rest where group.verdict.isGrowing {
                let parts = census.contexts(group).compactMap { ExplainedGroup(group, $0, census) }
                // A task of a library that waits for a clock grows together with a task of the user's.
                let known = parts.filter(\.isKnown)
                let memory = known.isEmpty ? census.memory(group) : []
                let isUnfreed = unfreed.contains { $0.isAbout(group) }
                // An object that a library or this search holds is not an answer. If the blocks themselves have no
                // holder, neither is memory that only a word leads to.
                let holders = memory.compactMap { ExplainedGroup(group, $0, census) }
                    .filter { $0.isKnown && !$0.isOfSystem && ($0.isProven || !isUnfreed) }
                // A collection that a cycle holds leaks as a whole. A growing collection, by contrast, is held from
                // outside: a cycle through it consists of words that look like references.
                let collections = holders.contains { !$0.isCycle } ? holders.filter { !$0.isCycle } : holders
                leaks += known.isEmpty ? collections.isEmpty ? parts : collections : known
            }
            let explained = Set(leaks.map(\.metric))
            rest.removeAll { $0.verdict.isGrowing && explained.contains($0.metric) }
        }
        // If the objects in a collection leak, the report of these objects is the better one. The elements may also be
        // blocks without a known holder, because an array of pointers keeps such blocks.
        elements.removeAll { collection in
            leaks.contains { leak in
                leak.leads(through: collection) || leak.isKept(by: collection, census)
                    || leak.metric == .heapBytes && collection.hasPointers(in: heap)
            }
        }
        if rest.contains(where: { $0.verdict.isGrowing && $0.metric == .heapBytes }) {
            elements = []
            rest.removeAll(where: \.metric.isCollection)
        }
        for blocks in unfreed {
            guard let index = rest.firstIndex(where: blocks.isAbout) else { continue }
            rest.remove(at: index)
            leaks.append(blocks)
        }
        let causes = ExplainedGroup.causes(of: leaks + elements).map(\.group)
        return causes + memory(beside: leaks + elements, groups, HeapCensus(now: heap, mark: halfway))
            + rest.filter { causes.isEmpty || !$0.verdict.isGrowing || $0.metric != .closures && !$0.metric.isOfSystem }
    }
}

extension GrowthCauses {
    /// Finds the user's collections that have gained memory since `census.mark`, except the known leaks.
    ///
    /// A known leak makes the bytes of the heap rise, so they cannot show a second leak of strings or numbers. The
    /// verdict is *rising*, because a cache that is still filling looks the same in two readings.
    private static func memory(
        beside leaks: [ExplainedGroup], _ groups: GrowthGroups, _ census: HeapCensus
    ) -> [GrowthGroup] {
        guard let bytes = groups.heapBytes, let mark = census.mark, leaks.contains(where: { $0.metric != .heapBytes })
        else { return [] }
        let runs = bytes.counts.count - mark.run
        return census.gains.filter { $0.bytes >= runs }.prefix(HeapCensus.layoutLimit).compactMap { gain in
            let group = GrowthGroup(metric: .heapBytes, counts: bytes.counts, verdict: .rising(by: gain.bytes))
            let objects = HeapCensus.Objects(all: [gain.address], suspects: [gain.address])
            guard let explained = ExplainedGroup(group, objects, census), explained.isInCollection,
                !leaks.contains(where: { explained.isExplained(by: $0) || $0.isKept(by: explained, census) })
            else { return nil }
            return ExplainedGroup.causes(of: [explained]).first?.group
        }
    }
}

extension GrowthMetric {
    /// Contexts of closures and boxes of captured variables. They have no type that distinguishes them.
    static let closures = GrowthMetric.objects(nameOfClosures)
    package static let nameOfClosures = "closures and captured variables"

    /// The module of the counted class; `nil` if the metric doesn't count a class.
    private var module: String? {
        guard case .objects(let name) = self else { return nil }
        return name.split(separator: ".").first.map(String.init)
    }

    /// Whether the metric counts objects of a class of the standard library, Foundation or Dispatch.
    var isOfSystem: Bool { module.map { CodeOrigin.of(module: $0, near: 0) == .system } ?? false }

    /// Whether the metric counts the elements of one collection.
    var isCollection: Bool { if case .elements = self { true } else { false } }

    var isObjects: Bool { if case .objects = self { true } else { false } }

    /// Whether the metric counts objects of a class of this module.
    var isObjectsOfTracer: Bool { module == "HeapTrace" }

    /// Whether the metric counts objects of a class of `Rx`.
    var isObjectsOfOurs: Bool { module == "Rx" }
}
