#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a process that compares two images is asked.
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

/// What such a process found.
struct PairReply: Codable, Sendable, Equatable {
    /// Why nothing was measured, and on which side; the side is missing when neither is at fault.
    var failure: PairedFailure?
    var failedSide: PairedSide?
    var series: PairSeries?
}

/// A benchmark that a side has.
public struct ListedBenchmark: Codable, Sendable, Equatable {
    /// The stable name.
    public let id: String
    /// Words to select by.
    public let tags: [String]
    /// Operations of an iteration.
    public let operations: Int
}

/// What one process measured of two sides.
struct PairSeries: Codable, Sendable, Equatable {
    /// One for each quantity of the benchmark.
    let figures: [PairFigure]
    /// How many quadruples of batches they are taken from.
    let quadruples: Int
    /// What served the process, see ``TimeAllocator/current``.
    var allocator = TimeAllocator.current
}

/// One quantity on two sides.
struct PairFigure: Codable, Sendable, Equatable {
    let quantity: PairedQuantity
    /// The logarithm of head over base.
    let logRatio: Double
    /// In nanoseconds.
    let base, head: Double

    init(_ quantity: PairedQuantity, base: Double, head: Double) {
        self.quantity = quantity
        // A clock that saw no time pass says 0, which has no logarithm.
        logRatio = log(max(1, head) / max(1, base))
        self.base = base
        self.head = head
    }

    /// The same ratio of smaller figures: those of an iteration, from those of a batch.
    func divided(by count: Double) -> PairFigure { PairFigure(quantity, logRatio, base / count, head / count) }

    private init(_ quantity: PairedQuantity, _ logRatio: Double, _ base: Double, _ head: Double) {
        (self.quantity, self.logRatio, self.base, self.head) = (quantity, logRatio, base, head)
    }
}

/// What is compared of a benchmark, named as the metric of a run.
///
/// A workload that records durations of its own is compared by their quantiles: its iterations wait for other threads,
/// and the mean of what they take says little.
public enum PairedQuantity: String, Codable, Sendable, CaseIterable {
    /// How long an iteration takes: the lower quintile of batches.
    case time
    /// The duration that half of all recorded ones do not exceed, and 99 in a hundred.
    case latencyP50, latencyP99

    /// The share of durations that do not exceed the quantity; `nil` for ``time``.
    var probability: Double? { LatencyDistribution.reported.first { $0.name == rawValue }?.probability }

    /// What is compared of a workload.
    static func all(recordsLatencies: Bool) -> [PairedQuantity] {
        allCases.filter { ($0.probability != nil) == recordsLatencies }
    }
}
