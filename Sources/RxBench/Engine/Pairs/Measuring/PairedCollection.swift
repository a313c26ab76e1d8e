import Foundation
import RxBench

/// The figures that the processes of one comparison have reported so far.
struct PairedCollection {
    let id: String
    let quantity: PairedQuantity
    let operations: Int
    /// The logarithms of the ratio, grouped by layout.
    private(set) var logRatios: [[Double]]
    /// All logarithms in the order of measurement.
    private var sequence: [Double] = []
    private var base: [Double] = []
    private var head: [Double] = []
    private(set) var failure: String?
    /// The side that does not have the benchmark.
    private(set) var missingSide: PairedSide?
    var exact: [ExactComparison] = []

    init(
        id: String, quantity: PairedQuantity = .time, operations: Int = 1, layouts: Int, missingSide: PairedSide? = nil
    ) {
        self.id = id
        self.quantity = quantity
        self.operations = operations
        self.missingSide = missingSide
        logRatios = Array(repeating: [], count: layouts)
    }

    /// Whether the benchmark has failed, so that further processes would be useless.
    var hasFailed: Bool { failure != nil || missingSide != nil }

    mutating func add(layouts: Int) { logRatios += Array(repeating: [], count: layouts) }

    /// Stores the reason why a side reports no figures, unless a reason is already stored.
    mutating func fail(_ sentence: String, in side: PairedSide?) {
        guard failure == nil else { return }
        failure = sentence.dropLast() + (side.map { " (in \($0.rawValue))" } ?? "") + "."
    }

    mutating func add(_ reply: PairReply, layout: Int) {
        if let figure = reply.series?.figures.first(where: { $0.quantity == quantity }) {
            logRatios[layout].append(figure.logRatio)
            sequence.append(figure.logRatio)
            base.append(figure.base)
            head.append(figure.head)
        } else {
            switch reply.failure {
            case .unknownBenchmark: fail("No benchmark has this name.", in: reply.failedSide)
            case .refused(let sentence): fail(sentence, in: reply.failedSide)
            // In this case the launcher has already ended the comparison.
            case .shortage: break
            case nil: fail("Its process sent no reply.", in: nil)
            }
        }
    }

    /// One value for each visited layout. The layouts are independent of each other, but the processes of one layout
    /// are not.
    var units: [Double] { hasFailed ? [] : logRatios.compactMap { Quantiles.median(of: $0) } }

    private var remarks: [String] {
        var remarks: [String] = []
        // The limit is a thousandth, because a suite has hundreds of series.
        if Drift.probability(of: sequence) < 0.001 {
            remarks.append("its ratio drifted while it was measured; something other than the code changed.")
        }
        return remarks
    }

    /// - Parameter margin: The relative difference that does not matter.
    func result(_ finding: PairedFamily.Finding?, margin: Double) -> PairedResult {
        var result = PairedResult(
            id: id, quantity: quantity, operations: operations, failure: failure, isMissingInBase: missingSide == .base,
            isMissingInHead: missingSide == .head,
            baseNanoseconds: missingSide == nil ? Quantiles.median(of: base) : nil,
            headNanoseconds: Quantiles.median(of: head), processes: sequence.count,
            outliers: Outliers.count(in: sequence),
            logRatios: logRatios.map { $0.map { $0.rounded(toSignificantDigits: 5) } }, exact: exact, remarks: remarks)
        if finding?.verdict.isChange == true {
            result.isLayoutSuspect = isLayoutSuspect
        }
        guard !hasFailed else { return result }
        result.levels = PairedLevels(base: base, head: head, logRatios: sequence, margin: margin)
        guard let finding else { return result }
        result.verdict = finding.verdict
        result.bound = finding.bound
        result.ratio = finding.ratio
        result.detectable = finding.detectable
        if finding.interval.low > 0, finding.interval.high.isFinite { result.interval = finding.interval }
        return result
    }

    /// Whether the counts are equal, so that only the position of the code in memory may have changed the time. It is
    /// `nil` if the counts cannot decide this.
    private var isLayoutSuspect: Bool? {
        func difference(_ name: String) -> ExactDifference? { exact.first { $0.name == name }?.difference }
        let counts = [difference(Metric.allocations), difference(Metric.instructions)]
        if (counts + [difference(Metric.allocatedBytes)]).contains(where: { $0 == .more || $0 == .fewer }) {
            return false
        }
        return counts.allSatisfy { $0 == .equal } ? true : nil
    }
}

/// The durations that both sides of a process record. They are compared by the median ratio of neighbouring blocks.
///
/// Another program that occupies the processor for some milliseconds changes a high quantile of all durations, and
/// changes it more on one side than on the other. If each block has its own quantiles, only the quantiles of one block
/// change.
struct PairedLatencies {
    /// The smallest number of durations that each side must record in a block of quadruples. With fewer durations, the
    /// highest quantile would be the longest duration.
    static let fewestInBlock: UInt64 = 100

    private typealias Sides = (base: LatencyDistribution, head: LatencyDistribution)
    private var blocks: [Sides] = []
    private var current: (base: [LatencyBucket], head: [LatencyBucket]) = ([], [])

    /// Adds the durations that both sides recorded in a quadruple.
    mutating func add(base: [LatencyBucket], head: [LatencyBucket]) {
        current.base += base
        current.head += head
        let block = (base: LatencyDistribution(current.base), head: LatencyDistribution(current.head))
        guard min(block.base.count, block.head.count) >= Self.fewestInBlock else { return }
        blocks.append(block)
        current = ([], [])
    }

    /// The side that has recorded no duration, if any.
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

    /// The figures of each compared quantile: its value over all durations, and its median ratio over the blocks. If
    /// the durations do not fill a block, the ratio is computed over all durations.
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
