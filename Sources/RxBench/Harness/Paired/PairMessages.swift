/// What a process that compares two images is asked.
struct PairRequest: Codable, Sendable, Equatable {
    /// Whether both images are loaded into this process, or each into one of its own.
    enum Arrangement: String, Codable { case oneProcess, twoProcesses }

    /// The paths of the two images.
    let base, head: String
    let id: String
    /// How long to measure, warm-up included.
    let budgetNanoseconds: UInt64
    /// Fixes what differs from process to process: which image is loaded and measured first, and how much is allocated before.
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
}

/// What one process measured of two sides.
struct PairSeries: Codable, Sendable, Equatable {
    /// The logarithm of head's time over base's, of the lower quintiles of batches.
    let logRatio: Double
    /// How many quadruples of batches that is taken from.
    let quadruples: Int
    /// Nanoseconds of an iteration.
    let base, head: Double
}
