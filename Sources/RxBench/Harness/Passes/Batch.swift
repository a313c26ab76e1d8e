/// How many iterations are timed together, so that reading the clock costs nothing by comparison.
struct Batch {
    /// About a millisecond: long against the clock's 25 ns, short against the scheduler's time slice.
    static let targetNanoseconds: UInt64 = 1_000_000

    let workload: PreparedWorkload
    let iterations: Int
    /// What the last calibration run took.
    let estimatedNanoseconds: UInt64

    /// Doubles the number of iterations until they take long enough; this is part of the warm-up.
    init(calibrating workload: PreparedWorkload) throws(PreparedWorkload.Refusal) {
        var iterations = 1
        var elapsed = try workload.time(1)
        while elapsed < Self.targetNanoseconds / 2, iterations < 1 << 24 {
            iterations *= 2
            elapsed = try workload.time(iterations)
        }
        let scale = Double(Self.targetNanoseconds) / Double(max(elapsed, 1))
        self.workload = workload
        self.iterations = max(1, Int((Double(iterations) * min(scale, 2)).rounded()))
        estimatedNanoseconds = max(1, elapsed / UInt64(iterations) * UInt64(self.iterations))
    }

    /// Nanoseconds per operation of one batch.
    func measure() throws(PreparedWorkload.Refusal) -> Double {
        Double(try workload.time(iterations)) / Double(iterations * workload.benchmark.operations)
    }
}
