import Foundation
import RxBench

/// Measures benchmarks. It first counts the events of every benchmark, and then runs rounds of time processes in random
/// order.
package struct Runner {
    private let options: RunOptions
    private let launcher: any WorkerLauncher
    private let progress: (RunProgress) -> Void
    /// The number of raw samples of each process. They are enough to show a distribution.
    private static let sampleLimit = 16
    /// The number of processes that count the events of a benchmark in which several threads work. Together, the
    /// iterations of these processes give as many readings as there are time processes by default. Formats with one
    /// line for each process therefore contain all readings.
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

    /// The measurements of a run.
    package struct Measurements: Sendable {
        /// The results in the given order, one for each benchmark. They include failures.
        package let results: [BenchmarkResult]
        /// The times of the control loop in all processes.
        package let control: Metric
        /// The allocator of the processes that measured time, or `nil` if no process measured time.
        package let allocator: String?
    }

    /// Measures `benchmarks`. A benchmark that fails does not stop the others.
    ///
    /// - Throws: ``Interrupted`` if a signal arrived. No process is left running.
    package func run(_ benchmarks: [Benchmark]) throws(Interrupted) -> Measurements {
        var session = Session(benchmarks, options: options)
        for index in benchmarks.indices {
            try measure(index, .exact, &session)
            // The order of the threads, and therefore the amount of memory that is reused, may be the same in all
            // iterations of a process. For this reason, the counts are taken in several processes.
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
        // A benchmark that has failed is not run again: a crash rarely happens only once, and a hang takes the whole
        // time limit.
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
        /// The number of processes that will count instructions, the number of processes that have done so, and the
        /// total time of the latter.
        private let counting: Int
        private var counted = 0
        private var countingNanoseconds: UInt64 = 0

        init(_ benchmarks: [Benchmark], options: RunOptions) {
            collected = benchmarks.map {
                CollectedReplies($0, hasTimePass: !options.isExactOnly, keepsSamples: options.keepsSamples)
            }
            if case .unavailable = options.instructions { counting = 0 } else { counting = benchmarks.count }
            total = benchmarks.count * (options.processes + 1) + counting
            budget = TimeBudget(now: MonotonicClock.nanoseconds, totalSeconds: options.totalSeconds)
        }

        /// Looks at the times after each quarter of the processes, if a precision was requested. The error is divided
        /// among the four looks in advance, so that the interval keeps its confidence if the measurement stops at any
        /// look.
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
                // Counting under callgrind takes longer than everything else. The requested time is intended for
                // measuring, so the time for counting is added to it.
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
    /// The estimated remaining time in seconds.
    package let remainingSeconds: Double
    /// Whether the work may end sooner, because its results decide when it ends.
    package var mayEndSooner = false
}

extension RunProgress {
    /// Creates the progress of work with a fixed duration. Thousandths of a second are counted instead of processes.
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
    /// The longest time slice of a process, even if there are few benchmarks. Longer processes add iterations, but only
    /// more processes make the interval narrower.
    static let longestSliceNanoseconds = 250_000_000.0
    /// The shortest time slice. It is enough for calibration and a few batches.
    static let shortestSliceNanoseconds = 8_000_000.0

    private var deadline: UInt64
    /// The time that a process needs in addition to its slice for its start, set-up and calibration. The initial value
    /// is an estimate that is updated with observed times.
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

    /// Extends the deadline by `nanoseconds` that were spent on other work.
    mutating func extend(nanoseconds: UInt64) { deadline += nanoseconds }

    /// Updates the estimate with a process that took `nanoseconds` in total.
    mutating func record(_ nanoseconds: UInt64, slice: UInt64) {
        let overhead = max(0, Double(nanoseconds) - Double(slice))
        overheadNanoseconds = isFirst ? overhead : overheadNanoseconds * 0.9 + overhead * 0.1
        isFirst = false
    }
}

/// The options of a run.
package struct RunOptions: Sendable, Equatable {
    /// The time that the whole run may take, in seconds. A run with few benchmarks takes less time.
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

    /// The largest relative distance between a benchmark's time and the ends of its interval at which its measurement
    /// stops before `processes` is reached. If it is `nil`, all processes measure.
    package var precision: Double?

    /// Whether the results contain the raw samples of times and all buckets of latencies. Such a result takes several
    /// times the space, and only its reports show the samples.
    package var keepsSamples: Bool

    /// Creates options with the default values. With fifteen processes, the 95 % interval of the median excludes the
    /// three extreme values at each end, so that a burst of work by another program does not widen it. With nine
    /// processes, it excludes one value at each end.
    package init(
        totalSeconds: Double = 110, processes: Int = 15, seed: UInt64 = 1, timeoutSeconds: Double = 60,
        instructions: InstructionCounting = .unavailable("nothing was asked to count them"), isExactOnly: Bool = false,
        precision: Double? = nil, allocator: TimeAllocator = .system, keepsSamples: Bool = false
    ) {
        self.totalSeconds = totalSeconds
        self.processes = isExactOnly ? 0 : processes
        self.instructions = instructions
        self.isExactOnly = isExactOnly
        self.precision = precision
        self.keepsSamples = keepsSamples
        self.allocator = allocator
        self.seed = seed
        self.timeoutSeconds = timeoutSeconds
    }
}
