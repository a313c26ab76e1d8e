import Foundation
import RxBenchStatistics

/// Measures benchmarks: first every benchmark's counts, then rounds of time processes in random order.
package struct Runner {
    private let options: RunOptions
    private let launcher: any WorkerLauncher
    private let progress: (RunProgress) -> Void
    /// Raw samples stored for each process: enough to see a distribution, few enough for a file of a few hundred
    /// kilobytes.
    private static let sampleLimit = 16
    /// How many processes count a benchmark in which several threads work: as many readings as processes measure its
    /// time, so that formats with a line for each process hold them all.
    static let threadedProcesses = 3

    /// A runner that starts `executable` (the running tool) again as its workers.
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
        /// One result for each benchmark, in the order given; failures are among them.
        package let results: [BenchmarkResult]
        /// The control loop over all processes.
        package let control: Metric
        /// The allocator of the processes that measured time; `nil` when there were none.
        package let allocator: String?
    }

    /// Measures `benchmarks`. A benchmark that fails does not stop the others.
    ///
    /// - Throws: ``Interrupted`` when a signal arrived; nothing is left running then.
    package func run(_ benchmarks: [Benchmark]) throws(Interrupted) -> Measurements {
        var session = Session(benchmarks, options: options)
        for index in benchmarks.indices {
            try measure(index, .exact, &session)
            // Which thread is first, and so how much is used again, may stay the same for all iterations of a process.
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
        // A benchmark that has failed is not run again: a crash rarely happens once, and a hang costs its whole
        // timeout.
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
        /// Processes that count instructions, that have done so, and how long these took.
        private let counting: Int
        private var counted = 0
        private var countingNanoseconds: UInt64 = 0

        init(_ benchmarks: [Benchmark], options: RunOptions) {
            collected = benchmarks.map { CollectedReplies($0, hasTimePass: !options.isExactOnly) }
            if case .unavailable = options.instructions { counting = 0 } else { counting = benchmarks.count }
            total = benchmarks.count * (options.processes + 1) + counting
            budget = TimeBudget(now: MonotonicClock.nanoseconds, totalSeconds: options.totalSeconds)
        }

        /// After each quarter of the processes, when a precision was asked for. The error is divided among the four
        /// looks beforehand, so that stopping at any of them keeps the interval's confidence.
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
                // Under callgrind, counting takes longer than all the rest; what was asked for is time to measure.
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

/// How far a run has come.
package struct RunProgress: Sendable, Equatable {
    /// The benchmark that is being measured.
    package let id: String
    /// Processes that have ended.
    package let completed: Int
    /// Processes that the run needs.
    package let total: Int
    /// An estimate of the time left, in seconds.
    package let remainingSeconds: Double
    /// Whether the work may end sooner, because a result decides when it ends.
    package var mayEndSooner = false
}

extension RunProgress {
    /// The state of work that takes a time, in thousandths of a second instead of processes.
    package init(id: String, elapsedSeconds: Double, remainingSeconds: Double, mayEndSooner: Bool = false) {
        let (elapsed, remaining) = (max(0, elapsedSeconds), max(0, remainingSeconds))
        self.init(
            id: id, completed: Int(elapsed * 1e3), total: Int((elapsed + remaining) * 1e3),
            remainingSeconds: remaining, mayEndSooner: mayEndSooner)
    }
}

/// Divides the time of a run among its processes, and corrects itself as processes turn out slower or faster than
/// thought.
struct TimeBudget {
    /// Fewer benchmarks get no more than this each: longer processes add iterations, not processes, and only the latter
    /// narrow the interval.
    static let longestSliceNanoseconds = 250_000_000.0
    /// Enough for calibration and a few batches.
    static let shortestSliceNanoseconds = 8_000_000.0

    private var deadline: UInt64
    /// The time of a process beyond its slice: its start, set-up and calibration. Begins as a guess, then follows what
    /// was seen.
    private(set) var overheadNanoseconds = 40_000_000.0
    private var isFirst = true

    init(now: UInt64, totalSeconds: Double) {
        deadline = now + UInt64(totalSeconds * 1e9)
    }

    /// How long the next of `remaining` processes may measure.
    func slice(now: UInt64, remaining: Int) -> UInt64 {
        let left = deadline > now ? Double(deadline - now) : 0
        let share = left / Double(max(remaining, 1)) - overheadNanoseconds
        return UInt64(min(max(share, Self.shortestSliceNanoseconds), Self.longestSliceNanoseconds))
    }

    /// Ends later by `nanoseconds`, which went to something else.
    mutating func extend(nanoseconds: UInt64) { deadline += nanoseconds }

    /// Learns from a process that took `nanoseconds` in all.
    mutating func record(_ nanoseconds: UInt64, slice: UInt64) {
        let overhead = max(0, Double(nanoseconds) - Double(slice))
        overheadNanoseconds = isFirst ? overhead : overheadNanoseconds * 0.9 + overhead * 0.1
        isFirst = false
    }
}

/// How thorough a run is.
package struct RunOptions: Sendable, Equatable {
    /// How long the whole run may take, in seconds; few benchmarks take less.
    package var totalSeconds: Double
    /// How many processes measure the time of each benchmark.
    package var processes: Int
    /// Fixes the order in which processes run.
    package var seed: UInt64
    /// A worker that takes longer is killed, and its benchmark has failed.
    package var timeoutSeconds: Double
    /// By what means instructions are counted.
    package var instructions: InstructionCounting
    /// Whether exact metrics alone are measured; `processes` and `totalSeconds` mean nothing then.
    package var isExactOnly: Bool

    /// The allocator of the processes that measure time.
    package var allocator: TimeAllocator

    /// How far the interval of a benchmark's time may reach from it, relative to it, for its measurement to stop before
    /// `processes`; `nil` to go on.
    package var precision: Double?

    /// Options with their defaults. Of fifteen processes, the 95 % interval of the median leaves out the three extremes
    /// at either end, so that a neighbour's burst of work does not widen it; nine leave out one.
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
