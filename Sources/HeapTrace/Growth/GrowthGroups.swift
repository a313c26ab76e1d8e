import CRx
import CRxTrace

/// Sorts the counts of a detection into groups, by the place where the growing things were made.
struct GrowthGroups {
    let table: GrowthTable
    /// The collections whose elements the table counts; `nil` where they cannot be read.
    let collections: CollectionWatch?
    let rule: GrowthRule
    /// The blocks of the heap that the runs have left, if blocks were followed.
    let blocks: [rxtrace_watched_block]
    /// Whether the runs have left memory that is still allocated: see `HeapWatch.hasKept(_:)`.
    let hasKeptBytes: Bool
    /// The time in seconds between the last run and the last reading of the counts.
    let lateSeconds: Double
    /// Whether the bytes rise no faster than they do while no run is under way.
    let isDrift: Bool
    /// Whether they do, but calls that only runs make have left some of the bytes.
    let isDriftOverruled: Bool
    /// Whether the counts had settled after the last run.
    let wasSteady: Bool
    /// The pending work that schedulers did not have at the beginning.
    let pending: PendingWork
    /// The first run whose resources were registered.
    let firstRegisteredRun: Int?
    /// The mark of resources that a run makes, minus the run's number.
    let markBase: UInt32
    /// Whether the bytes of the heap were counted, and describe the runs.
    let countsHeap: Bool

    /// A group, and the addresses of its members, the latest first. There are no addresses if they are not known, or if
    /// they must be requested from the counter.
    struct Found {
        let group: GrowthGroup
        var addresses: [UInt] = []

        /// Whether it counts the elements of a collection.
        var isCollection: Bool { group.metric.isCollection }
    }

    /// Returns all groups: for each kind of resources the types whose verdict is not *clean*, or the kind as a whole if
    /// these types do not explain its verdict; then the other metrics, the collections and the bytes of the heap.
    func found() -> [Found] {
        let series = table.series
        var found: [Found] = []
        for kind in TracedKind.allCases { found += groups(of: kind, in: series) }
        for (metric, series) in series where isOther(metric) && metric != .heapBytes {
            let verdict = verdict(on: series, of: metric)
            // A search keeps a few readings of the heap, so objects of the tracer may be counted without a leak.
            if isReported(verdict, series.counts), verdict.isGrowing || !metric.isObjectsOfTracer {
                found.append(Found(group: GrowthGroup(metric: metric, counts: series.counts, verdict: verdict)))
            }
        }
        // All growing things take memory of the heap, so if another group grows, the bytes have the same cause. If no
        // other group grows, the bytes show memory that nothing else has counted.
        let knowsCause = found.contains {
            $0.group.verdict.isGrowing || $0.group.verdict.isOpen || $0.group.verdict.isLate
        }
        let bytes = countsHeap ? series.first { $0.metric == .heapBytes }?.series : nil
        let verdictOnBytes = bytes.map { verdict(on: $0, of: .heapBytes) } ?? .clean
        // Collections are listed even if another cause is known, because an allowance may cover that cause.
        found += collectionGroups
        if let bytes, !knowsCause, verdictOnBytes.isGrowing {
            found += heapGroups(of: bytes)
        } else if let bytes {
            let isShown =
                !knowsCause && isReported(verdictOnBytes, bytes.counts)
                && !(verdictOnBytes.mayGrow && areOfOthers(bytes))
            found.append(
                Found(
                    group: GrowthGroup(
                        metric: .heapBytes, counts: bytes.counts, verdict: isShown ? verdictOnBytes : .clean)))
        }
        return found
    }

    /// Whether a report contains a count of objects, elements or bytes. Not all counts are of interest: all types of
    /// the process are counted, and the first runs make many things once.
    private func isReported(_ verdict: GrowthVerdict, _ counts: [Int]) -> Bool {
        switch verdict {
        case .growing, .late, .pending, .rising: true
        // Only a count that would have been called a leak after the first runs.
        case .bounded: rule.growth(of: counts.dropFirst(rule.warmUpRuns).prefix(rule.firstRuns)) != nil
        case .clean, .lazy, .unsteady: false
        }
    }

    /// The collections whose elements grow.
    private var collectionGroups: [Found] {
        table.collections.compactMap { metric, address, series in
            let verdict = verdict(on: series, of: metric)
            guard isReported(verdict, series.counts) else { return nil }
            return Found(
                group: GrowthGroup(metric: metric, counts: series.counts, verdict: verdict),
                addresses: [collections?.address(of: address) ?? address])
        }
    }

    private func isOther(_ metric: GrowthMetric) -> Bool {
        switch metric {
        case .kind, .type, .elements: false
        case .heapBytes, .objects: true
        }
    }

    // MARK: Verdicts

    func verdict(on series: GrowthTable.Series, of metric: GrowthMetric) -> GrowthVerdict {
        let counts = series.counts
        if metric == .heapBytes, isDrift { return .clean }
        guard
            case .decided(let verdict) = rule.step(after: series, growsInSteps: metric.growsInSteps)
        else { return .pending }
        if verdict == .clean { return verdict }
        // Work that piles up releases its objects later. Whether any remain after that is not known yet.
        if pending.pilesUp(over: counts.count) { return .pending }
        // If blocks of the runs are kept, other code has freed its own memory, and not the memory that the runs left.
        let isKept = metric == .heapBytes && hasKeptBytes
        if verdict.mayGrow, !isKept, let last = counts.last, let confirmed = series.confirmed, confirmed < last / 2 {
            // The things are released without help, but later than the detection waits after a run.
            return confirmed <= max(counts.prefix(rule.warmUpRuns).max() ?? 0, last / 10)
                ? .late(afterSeconds: lateSeconds) : .pending
        }
        return !wasSteady && !verdict.isGrowing ? .pending : verdict
    }

    private func groups(
        of kind: TracedKind, in series: [(metric: GrowthMetric, series: GrowthTable.Series)]
    ) -> [Found] {
        var types: [Found] = []
        var whole: GrowthTable.Series?
        for (metric, series) in series {
            if metric == .kind(kind) { whole = series }
            guard case .type(_, kind) = metric else { continue }
            let verdict = verdict(on: series, of: metric)
            if verdict != .clean { types += places(of: metric, counts: series.counts, verdict: verdict) }
        }
        guard let whole else { return [] }
        let verdict = verdict(on: whole, of: .kind(kind))
        let isExplained =
            verdict == .clean ? !types.isEmpty : types.contains { $0.group.verdict.severity >= verdict.severity }
        if isExplained { return types }
        return types + [Found(group: GrowthGroup(metric: .kind(kind), counts: whole.counts, verdict: verdict))]
    }

    // MARK: Places

    /// The group of a type, or several groups if the type grows at several places.
    private func places(of metric: GrowthMetric, counts: [Int], verdict: GrowthVerdict) -> [Found] {
        let whole = Found(group: GrowthGroup(metric: metric, counts: counts, verdict: verdict))
        guard verdict.isGrowing, let first = firstRegisteredRun else { return [whole] }
        var survivors: [UInt32: [rx_resource]] = [:]
        TracedResources.forEachRegistered { resource in
            guard run(of: resource).map({ $0 >= first }) ?? false,
                case .type(
                    TracedResources.name(ofType: resource.type), TracedResources.kind(ofType: resource.type)) =
                    metric
            else { return }
            survivors[resource.stack, default: []].append(resource)
        }
        let rising = survivors.compactMap { stack, resources in
            place(metric, stack, resources, runs: counts.count, from: first)
        }
        .sorted { ($0.group.signature ?? "") < ($1.group.signature ?? "") }
        switch rising.count {
        case 0: return [whole]
        // Everything was made at that place, so the counts of all runs are used, which have more information.
        case 1:
            let group = GrowthGroup(
                metric: metric, counts: counts, verdict: verdict, creationStack: rising[0].group.creationStack)
            return [Found(group: group, addresses: rising[0].addresses)]
        default: return rising
        }
    }

    /// Returns the sums of the survivors up to each run, and the slope of the sums from the run `first` on, if they
    /// grow.
    func survivors(
        _ left: [(run: Int, count: Int)], runs: Int, from first: Int
    ) -> (counts: [Int], growth: GrowthSlope?) {
        var counts = [Int](repeating: 0, count: runs)
        for (run, count) in left { counts[run - 1] += count }
        for run in 1..<runs { counts[run] += counts[run - 1] }
        let recorded = counts[(first - 1)...]
        return (counts, recorded.count >= 16 ? rule.growth(of: recorded) : nil)
    }

    /// Returns the number of the run that made a resource, from 1; `nil` if no run of this detection made it.
    func run(of resource: rx_resource) -> Int? {
        let run = Int(resource.mark) - Int(markBase)
        return (1..<table.rows).contains(run) ? run : nil
    }

    /// Returns the group of the resources that were made at one place, if the survivors of the runs grow.
    private func place(
        _ metric: GrowthMetric, _ stack: UInt32, _ resources: [rx_resource], runs: Int, from first: Int
    ) -> Found? {
        let (counts, growth) = survivors(
            resources.compactMap { resource in run(of: resource).map { ($0, 1) } }, runs: runs, from: first)
        guard let growth else { return nil }
        let group = GrowthGroup(
            metric: metric, counts: counts, verdict: .growing(growth),
            creationStack: TracedResources.callStack(stack))
        // The latest resources come first, because the resources of the first recorded runs may have other holders
        // than the resources of later runs.
        return Found(group: group, addresses: resources.sorted { $0.mark > $1.mark }.map { UInt($0.address) })
    }
}

extension GrowthGroups {
    /// Returns the groups of growing bytes: one for each function that allocates them, or one for each size of blocks
    /// if calls were not recorded.
    func heapGroups(of whole: GrowthTable.Series) -> [Found] {
        let runs = whole.counts.count
        let recorded = recordedBlocks(ofRuns: runs)
        let byMaker = Dictionary(grouping: recorded) { origin, _ in Self.maker(origin) }
        let groups = byMaker.values.compactMap { group(of: $0, runs: runs, from: firstRegisteredRun ?? runs) }
        let ofUsers = groups.filter { !($0.group.creationStack?.framesOfYours.isEmpty ?? false) }
        if !ofUsers.isEmpty { return ofUsers.sorted { ($0.group.signature ?? "") < ($1.group.signature ?? "") } }
        // Blocks of others in several runs outweigh a few of the user's.
        let inSeveralRuns = Dictionary(grouping: recorded.values.joined(), by: \.stack)
        if areMostlyOfOthers(inSeveralRuns, whole) || areOfOthers(whole) {
            return [Found(group: GrowthGroup(metric: .heapBytes, counts: whole.counts, verdict: .clean))]
        }
        if isDriftOverruled {
            let verdict = GrowthVerdict.rising(by: bytesOfRuns)
            return [Found(group: GrowthGroup(metric: .heapBytes, counts: whole.counts, verdict: verdict))]
        }
        return heapBytes.map { [Found(group: $0)] } ?? []
    }

    /// Whether at least half of the bytes that were added since blocks are followed are in blocks that runs have left
    /// without any of the user's functions, and none of the user's functions has left blocks in several runs. For
    /// example, the runtime keeps the memory of a cancelled sleep until the sleep would have ended. On a busy machine,
    /// few of the sleeps may begin, and by different calls.
    private func areOfOthers(_ whole: GrowthTable.Series) -> Bool {
        let blocks = blocksByStack(ofRuns: whole.counts.count)
        return areMostlyOfOthers(blocks, whole) && Self.inSeveralRuns(blocks).keys.allSatisfy(Self.isOfOthers)
    }

    /// Whether at least half of the bytes that were added since blocks are followed are in those of these blocks that
    /// runs have left without any of the user's functions.
    private func areMostlyOfOthers(
        _ blocks: [rx_stack: [rxtrace_watched_block]], _ whole: GrowthTable.Series
    ) -> Bool {
        let ofOthers = blocks.filter { Self.isOfOthers($0.key) }.values.joined().reduce(0) { $0 + $1.size }
        return ofOthers > 0 && ofOthers * 2 >= rise(of: whole)
    }

    /// The bytes in blocks that the user's functions have left in several runs since blocks are followed, by calls that
    /// left nothing while no run was under way.
    var bytesOfRuns: Int {
        let idle = Set(blocks.lazy.filter { $0.run == HeapWatch.noRun }.map(\.stack))
        let ofRuns = Self.inSeveralRuns(blocksByStack(ofRuns: table.rows - 1))
            .filter { !idle.contains($0.key) && !(Self.callStack($0.key)?.framesOfYours.isEmpty ?? true) }
        return ofRuns.values.joined().reduce(0) { $0 + $1.size }
    }

    /// The bytes that were added since blocks are followed.
    private func rise(of whole: GrowthTable.Series) -> Int {
        let first = firstRegisteredRun ?? whole.counts.count
        return (whole.counts.last ?? 0) - (first > 1 ? whole.counts[first - 2] : 0)
    }

    private static func isOfOthers(_ stack: rx_stack) -> Bool { callStack(stack)?.framesOfYours.isEmpty ?? false }

    /// The blocks that the runs have left since blocks are followed, by their origin.
    private func recordedBlocks(ofRuns runs: Int) -> [Origin: [rxtrace_watched_block]] {
        Self.inSeveralRuns(
            Dictionary(grouping: followedBlocks(ofRuns: runs)) { Origin(stack: $0.stack, size: $0.size) })
    }

    private func followedBlocks(ofRuns runs: Int) -> [rxtrace_watched_block] {
        blocks.filter { $0.run >= firstRegisteredRun ?? runs && $0.run <= runs }
    }

    private func blocksByStack(ofRuns runs: Int) -> [rx_stack: [rxtrace_watched_block]] {
        Dictionary(grouping: followedBlocks(ofRuns: runs), by: \.stack)
    }

    /// Removes the blocks that only a few runs have made. They do not grow, so their calls need no names.
    private static func inSeveralRuns<Key>(
        _ blocks: [Key: [rxtrace_watched_block]]
    ) -> [Key: [rxtrace_watched_block]] {
        blocks.filter { Set($0.value.map(\.run)).count >= 4 }
    }

    /// All bytes of the heap as one group; `nil` if they were not counted.
    var heapBytes: GrowthGroup? {
        table.series.first { $0.metric == .heapBytes }.map {
            GrowthGroup(metric: .heapBytes, counts: $0.series.counts, verdict: verdict(on: $0.series, of: .heapBytes))
        }
    }

    /// Blocks of one size that the same calls allocate.
    private struct Origin: Hashable {
        let stack: rx_stack
        let size: Int
    }

    private func group(
        of origins: [(key: Origin, value: [rxtrace_watched_block])], runs: Int, from first: Int
    ) -> Found? {
        let blocks = origins.flatMap(\.value)
        let (counts, growth) = survivors(
            blocks.map { (Int($0.run), Int($0.size)) }, runs: runs, from: first)
        guard let growth,
            let usual = origins.max(by: { ($0.value.count, $0.key.stack) < ($1.value.count, $1.key.stack) })
        else { return nil }
        let group = GrowthGroup(
            metric: .heapBytes, counts: counts, verdict: .growing(growth),
            creationStack: Self.callStack(usual.key.stack), blockSizes: Set(blocks.map { Int($0.size) }).sorted())
        // The latest block first.
        return Found(group: group, addresses: blocks.sorted { $0.run > $1.run }.map { UInt($0.address) })
    }

    /// The user's function that makes the allocated things: the innermost function that is not an initialiser, because
    /// other functions call initialisers. The size of the block, if calls were not recorded.
    private static func maker(_ origin: Origin) -> String {
        let frames = callStack(origin.stack)?.framesOfYours ?? []
        return (frames.first { !$0.function.contains(#/\binit\(|__allocating_init/#) } ?? frames.first)?.function
            ?? "\(origin.size)"
    }

    /// The calls without the innermost calls that are internal or in unknown images, because libraries that allocate
    /// for the user may have no names.
    private static func callStack(_ stack: rx_stack) -> CallStack? {
        guard let whole = TracedResources.callStack(stack) else { return nil }
        let frames = whole.frames.drop { $0.isInternal || $0.image.isEmpty }
        return frames.isEmpty ? whole : CallStack(frames: Array(frames))
    }
}
