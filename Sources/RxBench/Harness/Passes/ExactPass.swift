import Foundation

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
        // As the exact pass does, so that the same state is counted.
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
    package static func unavailable(_ reason: String) -> WorkerReply {
        WorkerReply(exact: [ExactSeries(definition: .instructions, readings: [.unavailable(reason)])])
    }
}

/// Whether threads beside the calling one work while it does something.
///
/// The process's processor time less the thread's own. Both stand still while others have the processor, so that load
/// plays no part; an interrupt or a page fault between the readings of the two clocks is the thread's own time, as that
/// is read before and after.
struct OtherThreads {
    /// The least time of others that counts as work, in nanoseconds.
    private static let tolerance: Int64 = 20_000
    private let begin = Reading()

    /// Whether others have had more than 20 µs and a hundredth of this thread's time since.
    var haveWorked: Bool {
        let end = Reading()
        let ownTime = end.ownAfter - begin.ownBefore
        return end.all - begin.all - ownTime > max(Self.tolerance, ownTime / 100)
    }

    /// The processor time of all threads at one moment, and this thread's shortly before and after it.
    private struct Reading {
        let ownBefore = Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        let all = Self.nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
        let ownAfter = Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)

        private static func nanoseconds(of clock: clockid_t) -> Int64 { Int64(MonotonicClock.nanoseconds(of: clock)) }
    }
}
