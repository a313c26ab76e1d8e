import Foundation
import RxBench

/// A request to a process that compares two images.
struct PairRequest: Codable, Sendable, Equatable {
    /// Whether both images are loaded into this process, or each into one of its own.
    enum Arrangement: String, Codable { case oneProcess, twoProcesses }

    /// The paths of the two images.
    let base, head: String
    let id: String
    /// How long to measure, warm-up included.
    let budgetNanoseconds: UInt64
    /// Fixes what differs from process to process: which image is loaded and measured first, and how much is allocated
    /// before.
    let seed: UInt64
    let arrangement: Arrangement
    /// Where the process notes what it is doing, see ``Whereabouts``.
    var whereabouts: Int32?
}

/// The findings of such a process.
struct PairReply: Codable, Sendable, Equatable {
    /// Why nothing was measured, and on which side; the side is missing when neither is at fault.
    var failure: PairedFailure?
    var failedSide: PairedSide?
    var series: PairSeries?
}

/// The figures that one process measured of two sides.
struct PairSeries: Codable, Sendable, Equatable {
    /// One for each quantity of the benchmark.
    let figures: [PairFigure]
    /// How many quadruples of batches they are taken from.
    let quadruples: Int
    /// The allocator of the process, see ``TimeAllocator/current``.
    var allocator = TimeAllocator.current
}

/// One quantity on two sides.
struct PairFigure: Codable, Sendable, Equatable {
    let quantity: PairedQuantity
    /// The logarithm of head over base.
    let logRatio: Double
    /// In nanoseconds.
    let base, head: Double

    /// A figure of two durations.
    init(_ quantity: PairedQuantity, base: Double, head: Double) {
        self.quantity = quantity
        // A clock that saw no time pass says 0, which has no logarithm.
        logRatio = log(max(1, head) / max(1, base))
        self.base = base
        self.head = head
    }

    /// A figure per iteration, from the ratio, and from the geometric mean of both sides for so many iterations.
    init(_ quantity: PairedQuantity, middle: Double, logRatio: Double, iterations: Int) {
        self.quantity = quantity
        self.logRatio = logRatio
        base = middle / Double(iterations) / exp(logRatio / 2)
        head = middle / Double(iterations) * exp(logRatio / 2)
    }
}

/// A compared quantity of a benchmark, named as the metric of a run.
///
/// A workload that records durations of its own is compared by their quantiles: its iterations wait for other threads,
/// and the mean of what they take says little.
package enum PairedQuantity: String, Codable, Sendable, CaseIterable {
    /// How long an iteration takes: the middle ratio of neighbouring batches.
    case time
    /// The duration that half of all recorded ones do not exceed, and 99 in a hundred.
    case latencyP50, latencyP99

    /// The share of durations that do not exceed the quantity; `nil` for ``time``.
    var probability: Double? { LatencyDistribution.reported.first { $0.name == rawValue }?.probability }

    /// The compared quantities of a workload.
    static func all(recordsLatencies: Bool) -> [PairedQuantity] {
        allCases.filter { ($0.probability != nil) == recordsLatencies }
    }
}

/// A benchmark of one of two sides, wherever it runs.
protocol PairedWorkload {
    /// Nanoseconds that so many iterations take.
    func time(_ iterations: Int) throws(PairedFailure) -> UInt64
    /// Checks what the latest iteration left behind.
    func check() throws(PairedFailure)
    /// The durations that were recorded since this was asked last; `nil` for a workload that records none.
    func takeLatencies() throws(PairedFailure) -> [LatencyBucket]?
    /// Tears the benchmark down; nothing is timed after it.
    func end()
}

/// Why a side's benchmark gives no time.
enum PairedFailure: Error, Codable, Equatable {
    /// The side has no benchmark of that name.
    case unknownBenchmark
    /// One sentence.
    case refused(String)
    /// The machine could start no process for it: the system's error number. No fault of the side's.
    case shortage(Int32)
}

extension [LatencyBucket] {
    /// The durations that a side sent.
    init(sent text: Data) throws(PairedFailure) {
        do { self = try JSONDecoder().decode(Self.self, from: text) } catch {
            throw .refused("Its recorded latencies cannot be read.")
        }
    }
}

/// One of the two things that are compared.
enum PairedSide: String, Codable, Sendable, CaseIterable {
    case base, head
}
