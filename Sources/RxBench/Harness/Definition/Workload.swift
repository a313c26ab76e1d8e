/// The work of a benchmark after set-up: what one iteration does, how its result is checked, and how it is torn down.
///
/// Three kinds: plain (`Workload { … }`) is timed from outside; ``latencies(check:tearDown:iteration:)`` records durations of its own;
/// ``outcomes(check:tearDown:iteration:)`` counts graded outcomes and is timed from outside too.
/// All closures are called on the main thread of a worker process, one at a time.
public struct Workload {
    /// What an iteration receives.
    enum Iteration {
        case plain(() throws -> Void)
        case latencies((LatencyRecorder) throws -> Void)
        case outcomes((OutcomeRecorder) throws -> Void)
    }

    let iteration: Iteration
    let check: () throws -> Bool
    let tearDown: () -> Void

    private init(_ iteration: Iteration, check: @escaping () throws -> Bool, tearDown: @escaping () -> Void) {
        self.iteration = iteration
        self.check = check
        self.tearDown = tearDown
    }

    /// Work that is timed from outside.
    ///
    /// - Parameters:
    ///   - check: Called once after the first iteration; `false` or an error marks the benchmark as failed.
    ///   - tearDown: Called once after the last iteration.
    ///   - iteration: One iteration: performs as many operations as the benchmark states. An error marks the benchmark as failed.
    public init(
        check: @escaping () throws -> Bool = { true }, tearDown: @escaping () -> Void = {}, iteration: @escaping () throws -> Void
    ) {
        self.init(.plain(iteration), check: check, tearDown: tearDown)
    }

    /// Work whose product is a distribution of durations.
    ///
    /// ```swift
    /// Workload.latencies { recorder in
    ///     let start = MonotonicClock.nanoseconds
    ///     runAndWait()
    ///     recorder.record(nanoseconds: MonotonicClock.nanoseconds - start)
    /// }
    /// ```
    /// - Parameters:
    ///   - check: Called once after the first iteration; `false` or an error marks the benchmark as failed.
    ///   - tearDown: Called once after the last iteration.
    ///   - iteration: One iteration: records any number of durations.
    public static func latencies(
        check: @escaping () throws -> Bool = { true }, tearDown: @escaping () -> Void = {},
        iteration: @escaping (LatencyRecorder) throws -> Void
    ) -> Workload {
        Workload(.latencies(iteration), check: check, tearDown: tearDown)
    }

    /// Work whose product is how often each outcome was seen; time per operation is time per round.
    ///
    /// - Parameters:
    ///   - check: Called once after the first iteration; `false` or an error marks the benchmark as failed.
    ///   - tearDown: Called once after the last iteration.
    ///   - iteration: One iteration: records one outcome per round, as many rounds as the benchmark states operations.
    public static func outcomes(
        check: @escaping () throws -> Bool = { true }, tearDown: @escaping () -> Void = {},
        iteration: @escaping (OutcomeRecorder) throws -> Void
    ) -> Workload {
        Workload(.outcomes(iteration), check: check, tearDown: tearDown)
    }
}
