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

/// One of the two things that are compared.
enum PairedSide: String, Codable, Sendable, CaseIterable {
    case base, head
}
