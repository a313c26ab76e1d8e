/// Counts the instructions of an iteration, in a process of its own: under callgrind everything else takes far longer
/// too.
enum InstructionPass {
    /// Iterations that are counted. Always as many: the same iteration of two runs has the same count.
    static let repetitions = 5

    static func run(_ benchmark: Benchmark, probe: any MetricProbe) throws(PreparedWorkload.Refusal) -> WorkerReply {
        let workload = try PreparedWorkload(settingUp: benchmark)
        defer { workload.tearDown() }
        guard !workload.recordsOutcomes else {
            return .unavailable("how many instructions a race takes depends on how its threads meet")
        }
        guard !workload.recordsLatencies else {
            return .unavailable("a workload that measures latencies waits, and waiting takes instructions")
        }
        try workload.prime()
        // What the exact pass does, so that the same state is counted.
        try workload.perform()
        // The first reading holds what the probe itself does once.
        let others = OtherThreads()
        let rows = try ExactPass.measure(workload, with: probe, repetitions: repetitions + 1).dropFirst()
        let isThreaded = others.haveWorked
        try workload.check(after: .last)
        return WorkerReply(exact: [
            ExactSeries(definition: .instructions, readings: rows.map { $0[0] }, isThreaded: isThreaded)
        ])
    }
}

extension WorkerReply {
    /// The reply of an instruction pass that could not count.
    static func unavailable(_ reason: String) -> WorkerReply {
        WorkerReply(exact: [ExactSeries(definition: .instructions, readings: [.unavailable(reason)])])
    }
}
