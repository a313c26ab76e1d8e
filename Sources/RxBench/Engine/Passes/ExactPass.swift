import Foundation
import RxBench

/// Counts the events of an iteration. Each probe measures separate iterations, and the wall clock is not read.
enum ExactPass {
    /// The number of iterations for each probe. It is large enough to show whether the iterations agree.
    static let repetitions = 5
    /// The time after which fewer repetitions suffice.
    static let patienceNanoseconds: UInt64 = 1_500_000_000

    static func run(_ benchmark: Benchmark, probes: [any MetricProbe]) throws(PreparedWorkload.Refusal) -> WorkerReply {
        let workload = try PreparedWorkload(benchmark)
        defer { workload.tearDown() }
        // This is a second unmeasured iteration. After it, caches are filled and lazy globals are initialised.
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

    /// Returns the readings of `repetitions` iterations. If `deadline` passes, returns fewer readings, but at least
    /// two.
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

/// Counts the instructions of an iteration. This pass runs in a separate process, because everything else also takes
/// far longer under callgrind.
enum InstructionPass {
    /// The number of counted iterations. It is constant, so that corresponding iterations of two runs have equal
    /// counts.
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
        // The exact pass also runs a second iteration before counting, so both passes count in the same state.
        try workload.perform()
        // The first reading includes the one-time work of the probe itself, so it is dropped.
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
    /// Returns the reply of an instruction pass that was unable to count.
    package static func unavailable(_ reason: String) -> WorkerReply {
        WorkerReply(exact: [ExactSeries(definition: .instructions, readings: [.unavailable(reason)])])
    }
}

/// Detects whether other threads work while the calling thread runs some code.
///
/// Subtracts the thread's processor time from the process's processor time. Neither advances while other processes
/// occupy the processor, so load has no effect. The thread's clock is read before and after the process's clock. An
/// interrupt or a page fault between the readings of the two clocks therefore counts as the thread's own time.
struct OtherThreads {
    /// The smallest time of other threads, in nanoseconds, that counts as work.
    private static let tolerance: Int64 = 20_000
    private let begin = Reading()

    /// Whether other threads have used more than 20 µs and more than a hundredth of this thread's time since this value
    /// was created.
    var haveWorked: Bool {
        let end = Reading()
        let ownTime = end.ownAfter - begin.ownBefore
        return end.all - begin.all - ownTime > max(Self.tolerance, ownTime / 100)
    }

    /// The processor time of all threads at one moment, and the processor time of this thread shortly before and after
    /// that moment.
    private struct Reading {
        let ownBefore = Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
        let all = Self.nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID)
        let ownAfter = Self.nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)

        private static func nanoseconds(of clock: clockid_t) -> Int64 { Int64(MonotonicClock.nanoseconds(of: clock)) }
    }
}
