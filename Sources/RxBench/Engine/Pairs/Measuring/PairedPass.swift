import Foundation
import RxBench

/// Times two sides in turns. The short batches run in the order ABBA and then BAAB, so that a drift of the machine's
/// speed affects both sides equally.
enum PairedPass {
    /// The duration of a batch. It is shorter than the time for which another program typically occupies the processor,
    /// so most quadruples run at a constant speed.
    static let batchNanoseconds: UInt64 = 150_000
    /// The share of the budget that is spent before the first batch counts.
    static let warmUpShare = 0.15
    static let fewestQuadruples = 3
    static let mostQuadruples = 20_000
    /// The number of quadruples that gives a robust median. With fewer quadruples, a single disturbance moves the
    /// median far. A process with a shorter budget therefore continues until it has this number of quadruples, but not
    /// for longer than ``longestNanoseconds``.
    static let enoughQuadruples = 16
    static let longestNanoseconds: UInt64 = 120_000_000

    static func run(
        base: any PairedWorkload, head: any PairedWorkload, budgetNanoseconds: UInt64, isHeadFirst: Bool,
        whereabouts: Whereabouts? = nil
    ) throws(PairedPassFailure) -> PairSeries {
        let sides = [(base, PairedSide.base), (head, .head)].map { workload, side in
            Side(workload: workload, side: side, whereabouts: whereabouts)
        }
        let start = MonotonicClock.nanoseconds
        // Both sides run the same number of iterations, regardless of their times.
        let iterations = try Batch.iterations(target: batchNanoseconds, sides[0].time)
        while MonotonicClock.nanoseconds - start < UInt64(Double(budgetNanoseconds) * warmUpShare) {
            for side in sides { _ = try side.time(iterations) }
        }
        let ofWarmUp = (base: try sides[0].takeLatencies(), head: try sides[1].takeLatencies())
        var latencies = ofWarmUp.base == nil || ofWarmUp.head == nil ? nil : PairedLatencies()
        // The orders of batches, as indices in `sides`. The two orders alternate, so that each side begins equally
        // often.
        let orders = isHeadFirst ? [[1, 0, 0, 1], [0, 1, 1, 0]] : [[0, 1, 1, 0], [1, 0, 0, 1]]
        var times: [[Double]] = [[], []]
        var quadruples = 0
        while !isEnough(quadruples, after: MonotonicClock.nanoseconds - start, budget: budgetNanoseconds) {
            for place in orders[quadruples % 2] { times[place].append(Double(try sides[place].time(iterations))) }
            quadruples += 1
            // Workloads without latencies are not asked, because each request wakes a side that runs in a separate
            // process.
            if latencies != nil, let base = try sides[0].takeLatencies(), let head = try sides[1].takeLatencies() {
                latencies?.add(base: base, head: head)
            }
        }
        for side in sides { try side.check() }
        if let latencies {
            if let silent = latencies.silentSide {
                throw PairedPassFailure(side: silent, failure: .refused(PreparedWorkload.Refusal.noLatencyRecorded))
            }
            return PairSeries(figures: latencies.figures, quadruples: quadruples)
        }
        return PairSeries(figures: [figure(times, iterations: iterations)], quadruples: quadruples)
    }

    /// Returns whether `quadruples` quadruples that took `nanoseconds` are enough to end a process.
    static func isEnough(_ quadruples: Int, after nanoseconds: UInt64, budget: UInt64) -> Bool {
        if quadruples < fewestQuadruples { return false }
        let end = quadruples < enoughQuadruples ? max(budget, longestNanoseconds) : budget
        return nanoseconds >= end || quadruples >= mostQuadruples
    }

    /// The quantile of the batches' times that is reported as the time of a batch.
    private static let quantile = 0.2

    /// Returns the figure of `times`, the batch times of both sides. Each quadruple contains two batches of each side.
    /// The ratio is the median over all quadruples.
    ///
    /// Disturbances make a batch longer, so each side's shorter batch is used. A quadruple of short batches takes less
    /// than a millisecond, so the machine has the same speed for both sides.
    static func figure(_ times: [[Double]], iterations: Int) -> PairFigure {
        let shorter = times.map { batches in
            stride(from: 0, to: batches.count - 1, by: 2).map { max(1, min(batches[$0], batches[$0 + 1])) }
        }
        let logRatio = Quantiles.median(of: zip(shorter[0], shorter[1]).map { log($1 / $0) }) ?? 0
        let levels = shorter.map { Quantiles.quantile(quantile, of: $0) ?? 1 }
        return PairFigure(
            .time, middle: (levels[0] * levels[1]).squareRoot(), logRatio: logRatio, iterations: iterations)
    }

    private struct Side {
        let workload: any PairedWorkload
        let side: PairedSide
        let whereabouts: Whereabouts?

        func time(_ iterations: Int) throws(PairedPassFailure) -> UInt64 {
            whereabouts?.note(.timing, side)
            do throws(PairedFailure) { return try workload.time(iterations) } catch {
                throw PairedPassFailure(side: side, failure: error)
            }
        }

        func takeLatencies() throws(PairedPassFailure) -> [LatencyBucket]? {
            do throws(PairedFailure) { return try workload.takeLatencies() } catch {
                throw PairedPassFailure(side: side, failure: error)
            }
        }

        func check() throws(PairedPassFailure) {
            whereabouts?.note(.checking, side)
            do throws(PairedFailure) { try workload.check() } catch {
                throw PairedPassFailure(side: side, failure: error)
            }
        }
    }
}

/// Reports that a side's benchmark can no longer be timed.
struct PairedPassFailure: Error {
    let side: PairedSide
    let failure: PairedFailure
}
