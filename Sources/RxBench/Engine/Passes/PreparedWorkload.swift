import RxBench

/// A workload that has been set up, run once and checked.
package struct PreparedWorkload {
    let benchmark: Benchmark
    let latencies = LatencyRecorder()
    private(set) var outcomes = OutcomeRecorder()
    private let workload: Workload

    /// The reasons why a workload is not measured.
    package enum Refusal: Error, CustomStringConvertible {
        case setUp(any Error)
        case check(any Error, after: Moment)
        case wrongResult(after: Moment)
        case iteration(any Error)
        case noLatency
        /// The reason applies to the workload of the baseline, not to the benchmark's own workload.
        indirect case baseline(BenchmarkID, Refusal)

        /// The reason why a workload that should have recorded durations has no time.
        package static let noLatencyRecorded = "Its iterations recorded no latency."

        package var description: String {
            switch self {
            case .setUp(let error): "Its set-up threw '\(error)'."
            case .check(let error as WrongResult, let moment):
                "Its check expected \(error.expected) and got \(error.got) after the \(moment.rawValue) iteration."
            case .check(let error, let moment): "Its check threw '\(error)' after the \(moment.rawValue) iteration."
            case .wrongResult(let moment): "Its check found a wrong result after the \(moment.rawValue) iteration."
            case .iteration(let error): "An iteration threw '\(error)'."
            case .noLatency: Self.noLatencyRecorded
            case .baseline(let id, let refusal): "Its baseline '\(id.text)' was refused: \(refusal)"
            }
        }
    }

    /// The iteration after which a result is checked.
    package enum Moment: String {
        case first, last
    }

    init(_ benchmark: Benchmark) throws(Refusal) {
        try self.init(settingUp: benchmark)
        try prime()
    }

    /// Sets up a workload without running it.
    init(settingUp benchmark: Benchmark) throws(Refusal) {
        self.benchmark = benchmark
        do { workload = try benchmark.setUp() } catch { throw .setUp(error) }
    }

    /// Runs the first iteration and checks its result.
    func prime() throws(Refusal) {
        try perform()
        try check(after: .first)
    }

    /// Checks the result of the latest iteration.
    ///
    /// The result is also checked after the last iteration, before the work is torn down. Work that no longer does its
    /// measured task would take less time.
    func check(after moment: Moment) throws(Refusal) {
        let isCorrect: Bool
        do { isCorrect = try workload.check() } catch { throw .check(error, after: moment) }
        guard isCorrect else { throw .wrongResult(after: moment) }
    }

    /// Runs one iteration.
    @inline(__always)
    func perform() throws(Refusal) {
        do {
            switch workload.iteration {
            case .plain(let body): try body()
            case .latencies(let body): try body(latencies)
            case .outcomes(let body): try body(outcomes)
            }
        } catch { throw .iteration(error) }
    }

    /// Returns the time of `count` iterations in nanoseconds.
    func time(_ count: Int) throws(Refusal) -> UInt64 {
        let start = MonotonicClock.nanoseconds
        for _ in 0..<count { try perform() }
        return MonotonicClock.nanoseconds - start
    }

    /// Discards the durations that were recorded during warm-up. Outcomes are kept, because a forbidden outcome counts
    /// at any time.
    func forgetWarmUp() { latencies.reset() }

    var recordsLatencies: Bool { if case .latencies = workload.iteration { true } else { false } }
    var recordsOutcomes: Bool { if case .outcomes = workload.iteration { true } else { false } }

    func tearDown() { workload.tearDown() }
}

/// A benchmark whose iterations are repeated without being measured. It has been set up, run once and checked.
package struct RoundTrips {
    private let workload: PreparedWorkload

    /// A sentence with the reason why iterations cannot be repeated.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// Sets up `benchmark` and runs one iteration.
    package init(_ benchmark: Benchmark) throws(Refusal) {
        do { workload = try PreparedWorkload(benchmark) } catch { throw Refusal(description: error.description) }
    }

    /// Runs one iteration.
    package func perform() throws(Refusal) {
        do { try workload.perform() } catch { throw Refusal(description: error.description) }
        // The recorded durations are never read, and would grow with the number of iterations.
        workload.forgetWarmUp()
    }

    /// Checks the result of the latest iteration.
    package func check() throws(Refusal) {
        do throws(PreparedWorkload.Refusal) { try workload.check(after: .last) } catch {
            throw Refusal(description: error.description)
        }
    }

    /// Tears down the benchmark.
    package func tearDown() { workload.tearDown() }
}
