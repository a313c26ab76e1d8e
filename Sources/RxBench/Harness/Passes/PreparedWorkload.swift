/// A workload that has been set up, run once and checked.
struct PreparedWorkload {
    let benchmark: Benchmark
    let latencies = LatencyRecorder()
    private(set) var outcomes = OutcomeRecorder()
    private let workload: Workload

    /// Why a workload is not measured.
    enum Refusal: Error, CustomStringConvertible {
        case setUp(any Error)
        case check(any Error)
        case wrongResult
        case iteration(any Error)
        case noLatency

        var description: String {
            switch self {
            case .setUp(let error): "Its set-up threw '\(error)'."
            case .check(let error): "Its check threw '\(error)'."
            case .wrongResult: "Its check found a wrong result after the first iteration."
            case .iteration(let error): "An iteration threw '\(error)'."
            case .noLatency: "Its iterations recorded no latency."
            }
        }
    }

    init(_ benchmark: Benchmark) throws(Refusal) {
        try self.init(settingUp: benchmark)
        try prime()
    }

    /// A workload that has been set up alone.
    init(settingUp benchmark: Benchmark) throws(Refusal) {
        self.benchmark = benchmark
        do { workload = try benchmark.setUp() } catch { throw .setUp(error) }
    }

    /// The first iteration, and the check of its result.
    func prime() throws(Refusal) {
        try perform()
        let isCorrect: Bool
        do { isCorrect = try workload.check() } catch { throw .check(error) }
        guard isCorrect else { throw .wrongResult }
    }

    /// One iteration.
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

    /// Nanoseconds that `count` iterations take.
    func time(_ count: Int) throws(Refusal) -> UInt64 {
        let start = MonotonicClock.nanoseconds
        for _ in 0..<count { try perform() }
        return MonotonicClock.nanoseconds - start
    }

    /// Forgets what warm-up recorded. Outcomes are kept: a forbidden one counts whenever it was seen.
    func forgetWarmUp() { latencies.reset() }

    var recordsLatencies: Bool { if case .latencies = workload.iteration { true } else { false } }
    var recordsOutcomes: Bool { if case .outcomes = workload.iteration { true } else { false } }

    func tearDown() { workload.tearDown() }
}
