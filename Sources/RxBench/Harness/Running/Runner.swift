import Foundation
import RxBenchStatistics

/// Measures benchmarks: first every benchmark's counts, then rounds of time processes in random order.
package struct Runner {
    private let options: RunOptions
    private let launcher: any WorkerLauncher
    private let progress: (RunProgress) -> Void
    /// The number of raw samples that are stored for each process. It is enough to show a distribution, and small
    /// enough for a file of a few hundred kilobytes.
    private static let sampleLimit = 16
    /// The number of processes that count a benchmark in which several threads work. With the iterations of each
    /// process, they give the same number of readings as there are time processes by default, so that formats with a
    /// line for each process hold all readings.
    static let threadedProcesses = 3

    /// Creates a runner that starts `executable` (the running tool) again as its workers.
    ///
    /// - Parameter progress: Called on the caller's thread before each process.
    package init(executable: String, options: RunOptions, progress: @escaping (RunProgress) -> Void = { _ in }) {
        let launcher = ProcessLauncher(
            executable: executable, timeoutSeconds: options.timeoutSeconds, instructions: options.instructions,
            allocator: options.allocator)
        self.init(launcher: launcher, options: options, progress: progress)
    }

    init(launcher: any WorkerLauncher, options: RunOptions, progress: @escaping (RunProgress) -> Void = { _ in }) {
        self.launcher = launcher
        self.options = options
        self.progress = progress
    }

    /// The measurements.
    package struct Measurements: Sendable {
        /// One result for each benchmark, in the given order, including failures.
        package let results: [BenchmarkResult]
        /// The control loop over all processes.
        package let control: Metric
        /// The allocator of the processes that measured time; `nil` if there were no such processes.
        package let allocator: String?
    }

    /// Measures `benchmarks`. A benchmark that fails does not stop the others.
    ///
    /// - Throws: ``Interrupted`` if a signal arrived. No process is left running.
    package func run(_ benchmarks: [Benchmark]) throws(Interrupted) -> Measurements {
        var session = Session(benchmarks, options: options)
        for index in benchmarks.indices {
            try measure(index, .exact, &session)
            // The order of the threads, and so the amount of memory that is reused, may be the same for all iterations
            // of a process. So the counts are taken in several processes.
            for _ in 1..<Self.threadedProcesses where session.collected[index].isThreaded {
                session.total += 1
                try measure(index, .exact, &session)
            }
        }
        if case .unavailable(let reason) = options.instructions {
            for index in benchmarks.indices { session.collected[index].add(.unavailable(reason)) }
        } else {
            for index in benchmarks.indices { try measure(index, .instructions, &session) }
        }
        var generator = SeededGenerator(seed: options.seed)
        for round in 0..<options.processes {
            for index in benchmarks.indices.shuffled(using: &generator) { try measure(index, .time, &session) }
            session.look(after: round + 1, options)
        }
        return Measurements(
            results: session.collected.map { $0.result() }, control: session.control,
            allocator: session.collected.lazy.compactMap { $0.time.first?.allocator }.first)
    }

    private func measure(_ index: Int, _ pass: WorkerRequest.Pass, _ session: inout Session) throws(Interrupted) {
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        let benchmark = session.collected[index].benchmark
        let start = MonotonicClock.nanoseconds
        let slice = session.budget.slice(now: start, remaining: session.total - session.completed)
        progress(session.progress(benchmark, slice: slice))
        defer { session.completed += 1 }
        // A benchmark that has failed is not run again, because a crash rarely happens only once, and a hang costs its
        // whole timeout.
        guard session.collected[index].failure == nil, !session.collected[index].isSettled else { return }
        let request = WorkerRequest(
            pass: pass, id: benchmark.id.text, budgetNanoseconds: slice, sampleLimit: Self.sampleLimit)
        let reply = try launcher.reply(to: request)
        session.collected[index].add(pass == .instructions ? reply.withoutFailure : reply)
        session.record(pass, nanoseconds: MonotonicClock.nanoseconds - start, slice: slice)
    }

    /// The state of one run.
    private struct Session {
        var collected: [CollectedReplies]
        private(set) var budget: TimeBudget
        var completed = 0
        var total: Int
        private var spending = AlphaSpending()
        /// The number of processes that will count instructions, the number that have done so, and the total time of
        /// the latter.
        private let counting: Int
        private var counted = 0
        private var countingNanoseconds: UInt64 = 0

        init(_ benchmarks: [Benchmark], options: RunOptions) {
            collected = benchmarks.map { CollectedReplies($0, hasTimePass: !options.isExactOnly) }
            if case .unavailable = options.instructions { counting = 0 } else { counting = benchmarks.count }
            total = benchmarks.count * (options.processes + 1) + counting
            budget = TimeBudget(now: MonotonicClock.nanoseconds, totalSeconds: options.totalSeconds)
        }

        /// Looks at the times after each quarter of the processes, if a precision was requested. The error is divided
        /// among the four looks in advance, so that stopping at any look keeps the interval's confidence.
        mutating func look(after rounds: Int, _ options: RunOptions) {
            guard let precision = options.precision,
                (1...4).contains(where: { (options.processes * $0 + 3) / 4 == rounds })
            else { return }
            let share = spending.look(at: Double(rounds) / Double(options.processes))
            for index in collected.indices { collected[index].look(share: share, precision: precision) }
        }

        mutating func record(_ pass: WorkerRequest.Pass, nanoseconds: UInt64, slice: UInt64) {
            switch pass {
            case .exact: break
            case .time: budget.record(nanoseconds, slice: slice)
            case .instructions:
                counted += 1
                countingNanoseconds += nanoseconds
                // Under callgrind, counting takes longer than everything else. The requested time is for measuring, so
                // the counting is added.
                budget.extend(nanoseconds: nanoseconds)
            }
        }

        func progress(_ benchmark: Benchmark, slice: UInt64) -> RunProgress {
            let each = Double(slice) + budget.overheadNanoseconds
            let eachCounting = counted > 0 ? Double(countingNanoseconds) / Double(counted) : 1.5e9
            let leftCounting = Double(counting - counted)
            return RunProgress(
                id: benchmark.id.text, completed: completed, total: total,
                remainingSeconds: ((Double(total - completed) - leftCounting) * each + leftCounting * eachCounting)
                    / 1e9)
        }

        var control: Metric {
            let definition = MetricDefinition(name: "control", unit: "ns/step")
            let values = collected.flatMap { $0.time.map(\.control) }.map { $0.rounded(toSignificantDigits: 4) }
            return values.isEmpty
                ? .unavailable(definition, .sampled, because: CollectedReplies.noTime) : .sampled(definition, values)
        }
    }
}

/// The progress of a run.
package struct RunProgress: Sendable, Equatable {
    /// The benchmark that is being measured.
    package let id: String
    /// The number of processes that have ended.
    package let completed: Int
    /// The number of processes that the run needs.
    package let total: Int
    /// An estimate of the time left, in seconds.
    package let remainingSeconds: Double
    /// Whether the work may end sooner, because its results decide when it ends.
    package var mayEndSooner = false
}

extension RunProgress {
    /// Creates the progress of work with a fixed duration. It counts thousandths of a second instead of processes.
    package init(id: String, elapsedSeconds: Double, remainingSeconds: Double, mayEndSooner: Bool = false) {
        let (elapsed, remaining) = (max(0, elapsedSeconds), max(0, remainingSeconds))
        self.init(
            id: id, completed: Int(elapsed * 1e3), total: Int((elapsed + remaining) * 1e3),
            remainingSeconds: remaining, mayEndSooner: mayEndSooner)
    }
}

/// Divides the time of a run among its processes, and adjusts the division if processes are slower or faster than
/// expected.
struct TimeBudget {
    /// The longest slice of a process, even if there are few benchmarks. Longer processes add iterations, not
    /// processes, and only more processes narrow the interval.
    static let longestSliceNanoseconds = 250_000_000.0
    /// The shortest slice, enough for calibration and a few batches.
    static let shortestSliceNanoseconds = 8_000_000.0

    private var deadline: UInt64
    /// The time of a process in addition to its slice: its start, set-up and calibration. The initial value is an
    /// estimate that is updated with the observed times.
    private(set) var overheadNanoseconds = 40_000_000.0
    private var isFirst = true

    init(now: UInt64, totalSeconds: Double) {
        deadline = now + UInt64(totalSeconds * 1e9)
    }

    /// Returns the time for which the next of `remaining` processes may measure.
    func slice(now: UInt64, remaining: Int) -> UInt64 {
        let left = deadline > now ? Double(deadline - now) : 0
        let share = left / Double(max(remaining, 1)) - overheadNanoseconds
        return UInt64(min(max(share, Self.shortestSliceNanoseconds), Self.longestSliceNanoseconds))
    }

    /// Extends the deadline by `nanoseconds`, which were spent on other work.
    mutating func extend(nanoseconds: UInt64) { deadline += nanoseconds }

    /// Updates the estimate from a process that took `nanoseconds` in total.
    mutating func record(_ nanoseconds: UInt64, slice: UInt64) {
        let overhead = max(0, Double(nanoseconds) - Double(slice))
        overheadNanoseconds = isFirst ? overhead : overheadNanoseconds * 0.9 + overhead * 0.1
        isFirst = false
    }
}

/// The options of a run.
package struct RunOptions: Sendable, Equatable {
    /// The time that the whole run may take, in seconds. A run of few benchmarks takes less.
    package var totalSeconds: Double
    /// The number of processes that measure the time of each benchmark.
    package var processes: Int
    /// The seed of the order in which processes run.
    package var seed: UInt64
    /// The time limit of a worker. A worker that takes longer is killed, and its benchmark fails.
    package var timeoutSeconds: Double
    /// The way in which instructions are counted.
    package var instructions: InstructionCounting
    /// Whether only exact metrics are measured. In this case `processes` and `totalSeconds` are ignored.
    package var isExactOnly: Bool

    /// The allocator of the processes that measure time.
    package var allocator: TimeAllocator

    /// The greatest relative distance between a benchmark's time and the ends of its interval at which its measurement
    /// stops before `processes` is reached; `nil` to measure in all processes.
    package var precision: Double?

    /// Creates options with defaults. With fifteen processes, the 95 % interval of the median leaves out the three
    /// extreme values at either end, so that a burst of work by another program does not widen it. With nine processes
    /// it leaves out one value at either end.
    package init(
        totalSeconds: Double = 110, processes: Int = 15, seed: UInt64 = 1, timeoutSeconds: Double = 60,
        instructions: InstructionCounting = .unavailable("nothing was asked to count them"), isExactOnly: Bool = false,
        precision: Double? = nil, allocator: TimeAllocator = .system
    ) {
        self.totalSeconds = totalSeconds
        self.processes = isExactOnly ? 0 : processes
        self.instructions = instructions
        self.isExactOnly = isExactOnly
        self.precision = precision
        self.allocator = allocator
        self.seed = seed
        self.timeoutSeconds = timeoutSeconds
    }
}
