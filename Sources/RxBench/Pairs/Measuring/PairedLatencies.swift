import RxBench
import RxBenchStatistics

/// The durations that both sides of a process record, and how they compare: the middle ratio of neighbouring blocks.
///
/// A neighbour that takes the processor away for some milliseconds moves a high quantile of all durations, and of one
/// side more than of the other. It moves the quantiles of one block alone when each block has its own.
struct PairedLatencies {
    /// A block is so many quadruples that each side has recorded this number of durations at least: of fewer, the
    /// highest quantile is the longest.
    static let fewestInBlock: UInt64 = 100

    private typealias Sides = (base: LatencyDistribution, head: LatencyDistribution)
    private var blocks: [Sides] = []
    private var current: (base: [LatencyBucket], head: [LatencyBucket]) = ([], [])

    /// Adds what both sides recorded in a quadruple.
    mutating func add(base: [LatencyBucket], head: [LatencyBucket]) {
        current.base += base
        current.head += head
        let block = (base: LatencyDistribution(current.base), head: LatencyDistribution(current.head))
        guard min(block.base.count, block.head.count) >= Self.fewestInBlock else { return }
        blocks.append(block)
        current = ([], [])
    }

    /// The side that has recorded nothing.
    var silentSide: PairedSide? {
        guard blocks.isEmpty else { return nil }
        return current.base.isEmpty ? .base : current.head.isEmpty ? .head : nil
    }

    private var all: Sides {
        (
            LatencyDistribution(blocks.flatMap(\.base.buckets) + current.base),
            LatencyDistribution(blocks.flatMap(\.head.buckets) + current.head)
        )
    }

    /// Each compared quantile: how high it is in all durations, and its middle ratio over the blocks, or over all
    /// durations where they fill none.
    var figures: [PairFigure] {
        let all = all
        return PairedQuantity.allCases.compactMap { quantity in
            guard let probability = quantity.probability else { return nil }
            func figure(_ sides: Sides) -> PairFigure? {
                guard let base = sides.base.quantile(probability), let head = sides.head.quantile(probability) else {
                    return nil
                }
                return PairFigure(quantity, base: Double(base), head: Double(head))
            }
            guard let whole = figure(all) else { return nil }
            guard let logRatio = Quantiles.median(of: blocks.compactMap { figure($0)?.logRatio }) else { return whole }
            return PairFigure(
                quantity, middle: (whole.base * whole.head).squareRoot(), logRatio: logRatio, iterations: 1)
        }
    }
}
