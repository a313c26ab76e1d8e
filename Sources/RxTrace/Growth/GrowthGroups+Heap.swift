import CRx
import CRxTrace
import Rx

extension GrowthGroups {
    /// The groups of the heap's bytes, which grow: by the function that allocates them, or by the size of the blocks
    /// where calls were not recorded.
    func heapGroups(of whole: GrowthTable.Series) -> [Found] {
        let runs = whole.counts.count
        let first = firstRegisteredRun ?? runs
        // What is made once, and kept, grows nowhere: names are looked up for what several runs have left.
        let recorded = Dictionary(grouping: (blocks ?? []).filter { $0.run >= first && $0.run <= runs }) {
            Origin(stack: $0.stack, size: $0.size)
        }
        .filter { Set($0.value.map(\.run)).count >= 4 }
        let byMaker = Dictionary(grouping: recorded) { origin, _ in Self.maker(origin) }
        let groups = byMaker.values.compactMap { group(of: $0, runs: runs, from: first) }
        if !groups.isEmpty { return groups.sorted { $0.group.signature < $1.group.signature } }
        return [
            Found(
                group: GrowthGroup(subject: .heapBytes, counts: whole.counts, verdict: verdict(on: whole)),
                addresses: [])
        ]
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
            blocks.map { (Int($0.run), Int($0.size)) }, runs: runs, from: first, without: spoiltRuns)
        guard let growth,
            let usual = origins.max(by: { ($0.value.count, $0.key.stack) < ($1.value.count, $1.key.stack) })
        else { return nil }
        let group = GrowthGroup(
            subject: .heapBytes, counts: counts, verdict: .growing(growth),
            creationStack: Self.callStack(usual.key.stack),
            blockSizes: Set(blocks.map { Int($0.size) }).sorted())
        // The latest first.
        return Found(group: group, addresses: blocks.sorted { $0.run > $1.run }.map { UInt($0.address) })
    }

    /// The function that makes what it allocates: not an initialiser, which others call. Without calls, the size.
    private static func maker(_ origin: Origin) -> String {
        let frames = callStack(origin.stack)?.framesOfYours ?? []
        return (frames.first { !$0.function.contains(#/\binit\(|__allocating_init/#) } ?? frames.first)?.function
            ?? "\(origin.size)"
    }

    /// The calls from the user's on: libraries that allocate for them may have no names.
    private static func callStack(_ stack: rx_stack) -> CallStack? {
        #if TRACE_RESOURCES
            guard let whole = TracedResources.callStack(stack) else { return nil }
            let frames = whole.frames.drop { $0.isInternal || $0.image.isEmpty }
            return frames.isEmpty ? whole : CallStack(frames: Array(frames))
        #else
            nil
        #endif
    }
}
