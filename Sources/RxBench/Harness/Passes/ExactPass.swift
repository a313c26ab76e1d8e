/// Counts what an iteration does: every probe has iterations of its own, and the wall clock is not read.
enum ExactPass {
    /// Iterations for each probe: enough to see whether they agree.
    static let repetitions = 5
    /// After this long, fewer repetitions do.
    static let patienceNanoseconds: UInt64 = 1_500_000_000

    static func run(_ benchmark: Benchmark, probes: [any MetricProbe]) throws(PreparedWorkload.Refusal) -> WorkerReply {
        let workload = try PreparedWorkload(benchmark)
        defer { workload.tearDown() }
        // A second unmeasured iteration: caches and lazily made globals are filled by then.
        try workload.perform()
        var reply = WorkerReply()
        reply.recordsLatencies = workload.recordsLatencies
        let deadline = MonotonicClock.nanoseconds + patienceNanoseconds
        for probe in probes {
            let others = OtherThreads()
            let rows = try measure(workload, with: probe, repetitions: repetitions, until: deadline)
            let isThreaded = others.haveWorked
            for (index, definition) in probe.metrics.enumerated() {
                reply.exact.append(
                    ExactSeries(definition: definition, readings: rows.map { $0[index] }, isThreaded: isThreaded))
            }
        }
        try workload.check(after: .last)
        return reply
    }

    /// The readings of `repetitions` iterations, or of fewer, but at least two, when `deadline` passes.
    static func measure(
        _ workload: PreparedWorkload, with probe: any MetricProbe, repetitions: Int, until deadline: UInt64 = .max
    ) throws(PreparedWorkload.Refusal) -> [[MetricReading]] {
        var rows: [[MetricReading]] = []
        rows.reserveCapacity(repetitions)
        while rows.count < repetitions, rows.count < 2 || MonotonicClock.nanoseconds < deadline {
            probe.start()
            try workload.perform()
            rows.append(probe.stop())
            precondition(
                rows.last?.count == probe.metrics.count,
                "A probe returned another number of readings than it has metrics.")
        }
        return rows
    }
}
