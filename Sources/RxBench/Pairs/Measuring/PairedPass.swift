import Foundation
import RxBench
import RxBenchStatistics

/// Times two sides in turns: short batches in the order ABBA, then BAAB, so that a drift of the machine's speed falls
/// on both alike.
enum PairedPass {
    /// How long a batch takes: less than a neighbour of the machine's keeps the processor, so that most quadruples are
    /// made at one speed.
    static let batchNanoseconds: UInt64 = 150_000
    /// The share of the budget that is spent before the first batch counts.
    static let warmUpShare = 0.15
    static let fewestQuadruples = 3
    static let mostQuadruples = 20_000
    /// The middle of fewer is moved far by what happens once, so that a process with a shorter budget goes on for them,
    /// but not for longer than this.
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
        // Both sides do the same work, whatever it takes them.
        let iterations = try Batch.iterations(target: batchNanoseconds, sides[0].time)
        while MonotonicClock.nanoseconds - start < UInt64(Double(budgetNanoseconds) * warmUpShare) {
            for side in sides { _ = try side.time(iterations) }
        }
        let ofWarmUp = (base: try sides[0].takeLatencies(), head: try sides[1].takeLatencies())
        var latencies = ofWarmUp.base == nil || ofWarmUp.head == nil ? nil : PairedLatencies()
        // The orders of batches, as places in `sides`: each begins with either side equally often.
        let orders = isHeadFirst ? [[1, 0, 0, 1], [0, 1, 1, 0]] : [[0, 1, 1, 0], [1, 0, 0, 1]]
        var times: [[Double]] = [[], []]
        var quadruples = 0
        while !isEnough(quadruples, after: MonotonicClock.nanoseconds - start, budget: budgetNanoseconds) {
            for place in orders[quadruples % 2] { times[place].append(Double(try sides[place].time(iterations))) }
            quadruples += 1
            // Not asked of others: each question wakes a side that has a process of its own.
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

    /// Whether so many quadruples, made in so many nanoseconds, end a process.
    static func isEnough(_ quadruples: Int, after nanoseconds: UInt64, budget: UInt64) -> Bool {
        if quadruples < fewestQuadruples { return false }
        let end = quadruples < enoughQuadruples ? max(budget, longestNanoseconds) : budget
        return nanoseconds >= end || quadruples >= mostQuadruples
    }

    /// The quantile of the batches that stands for how long one takes.
    private static let quantile = 0.2

    /// The ratio of `times`, the batches of both sides, two of each in a quadruple: the middle of all quadruples.
    ///
    /// Disturbances make a batch longer, so that each side's shorter one is taken. A quadruple of short batches takes
    /// less than a millisecond: whatever speed the machine has then, it has for both sides.
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

/// A side's benchmark stopped giving times.
struct PairedPassFailure: Error {
    let side: PairedSide
    let failure: PairedFailure
}
