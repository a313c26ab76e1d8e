import RxBench

/// Measures two identical workloads in turns as if they were two versions. Any difference is noise of the machine.
package enum NoiseTrial {
    private struct Twin {
        let name: String
        let workload: String
        let body: @Sendable () throws -> Workload

        func benchmark(_ side: String) -> Benchmark {
            Benchmark(
                "rxbench-noise/\(name)?side=\(side)", decides: "How small a change can be seen here.",
                operations: 1_000, setUp: body)
        }
    }

    // Both kinds of code are measured because their noise differs: code that allocates has more noise.
    private static let twins = [
        Twin(name: "arithmetic", workload: "arithmetic") {
            Workload {
                var value: UInt64 = 1
                for _ in 0..<1_000 { value = opaque(value &* 6_364_136_223_846_793_005 &+ 1) }
                blackHole(value)
            }
        },
        Twin(name: "allocating", workload: "allocation") {
            Workload { for number in 0..<1_000 { blackHole(Block(number)) } }
        },
    ]

    private final class Block {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private static let benchmarks = twins.flatMap { [$0.benchmark("a"), $0.benchmark("b")] }

    /// Returns the trial's benchmark with the ID `id`, for the worker.
    static func benchmark(_ id: BenchmarkID) -> Benchmark? { benchmarks.first { $0.id == id } }

    /// Measures for about `seconds`. Each round runs one process for each side of each workload, in an order that
    /// `seed` determines.
    ///
    /// - Parameter executable: The path of the running tool, whose workers know the trial's workloads.
    /// - Throws: ``Interrupted`` if a signal arrived. No process is left running.
    package static func run(
        executable: String, seconds: Double, seed: UInt64, progress: (RunProgress) -> Void = { _ in }
    ) throws(Interrupted) -> [NoiseReading] {
        try run(
            launcher: ProcessLauncher(executable: executable, timeoutSeconds: 20), seconds: seconds, seed: seed,
            progress: progress)
    }

    /// The limits of the number of rounds. Even a very slow machine gets an estimate. A fast machine does not need more
    /// rounds than the maximum.
    static let fewestRounds = 5
    static let mostRounds = 60
    /// Returns approximately the time for which a process of a complete run measures. In a short trial, the number of
    /// rounds is more important than the time of a process.
    private static func slice(seconds: Double) -> UInt64 { UInt64(min(0.05, seconds / 100) * 1e9) }

    static func run(
        launcher: any WorkerLauncher, seconds: Double, seed: UInt64, progress: (RunProgress) -> Void
    ) throws(Interrupted) -> [NoiseReading] {
        var medians: [BenchmarkID: [Double]] = [:]
        var failure: String?
        var generator = SeededGenerator(seed: seed)
        let start = MonotonicClock.nanoseconds
        for round in 0..<mostRounds {
            for benchmark in benchmarks.shuffled(using: &generator) {
                let elapsed = Double(MonotonicClock.nanoseconds - start) / 1e9
                progress(
                    RunProgress(
                        id: benchmark.id.text, elapsedSeconds: elapsed, remainingSeconds: seconds - elapsed))
                let request = WorkerRequest(
                    pass: .time, id: benchmark.id.text, budgetNanoseconds: slice(seconds: seconds), sampleLimit: 0)
                let reply = try launcher.reply(to: request)
                if let series = reply.time { medians[benchmark.id, default: []].append(series.median) }
                failure = failure ?? reply.failure
            }
            if failure != nil
                || (round + 1 >= fewestRounds && MonotonicClock.nanoseconds - start > UInt64(seconds * 1e9))
            {
                break
            }
        }
        return twins.map { twin in
            let sides = ["a", "b"].map { medians[twin.benchmark($0).id] ?? [] }
            if let failure {
                // A failure is a complete sentence, but a reason is the end of a sentence.
                let reason = failure.hasSuffix(".") ? failure.dropLast() : failure[...]
                return NoiseReading(workload: twin.workload, sides: .unavailable("a process failed: \(reason)"))
            }
            return NoiseReading(
                workload: twin.workload, sides: .value(NoiseSides(first: sides[0], second: sides[1])))
        }
    }
}
