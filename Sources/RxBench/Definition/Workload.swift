import CRxBench

/// The work of a benchmark after set-up: an iteration, the check of its result, and the tear-down.
///
/// There are three kinds of workloads. A plain workload (`Workload { … }`) is timed from outside.
/// ``latencies(check:tearDown:iteration:)`` records durations itself. ``outcomes(check:tearDown:iteration:)`` counts
/// graded outcomes and is also timed from outside. All closures are called on the main thread of a worker process, one
/// at a time.
public struct Workload {
    /// An iteration and the recorder that it receives.
    package enum Iteration {
        case plain(() throws -> Void)
        case latencies((LatencyRecorder) throws -> Void)
        case outcomes((OutcomeRecorder) throws -> Void)
    }

    package let iteration: Iteration
    package let check: () throws -> Bool
    package let tearDown: () -> Void

    private init(_ iteration: Iteration, check: @escaping () throws -> Bool, tearDown: @escaping () -> Void) {
        self.iteration = iteration
        self.check = check
        self.tearDown = tearDown
    }

    /// Creates work that is timed from outside.
    ///
    /// - Parameters:
    ///   - check: Called after the first iteration and after the last iteration. If it returns `false` or throws an
    ///     error, the benchmark has failed. See ``confirm(_:is:)``.
    ///   - tearDown: Called once after the last iteration.
    ///   - iteration: An iteration, which performs the benchmark's number of operations. If it throws an error, the
    ///     benchmark has failed.
    public init(
        check: @escaping () throws -> Bool = { true }, tearDown: @escaping () -> Void = {},
        iteration: @escaping () throws -> Void
    ) {
        self.init(.plain(iteration), check: check, tearDown: tearDown)
    }

    /// Creates work whose result is a distribution of durations.
    ///
    /// ```swift
    /// let hops = Workload.latencies { recorder in
    ///     let start = MonotonicClock.nanoseconds
    ///     DispatchQueue.global().sync {}
    ///     recorder.record(nanoseconds: MonotonicClock.nanoseconds - start)
    /// }
    /// ```
    /// - Parameters:
    ///   - check: Called after the first iteration and after the last iteration. If it returns `false` or throws an
    ///     error, the benchmark has failed. See ``confirm(_:is:)``.
    ///   - tearDown: Called once after the last iteration.
    ///   - iteration: An iteration, which records any number of durations.
    public static func latencies(
        check: @escaping () throws -> Bool = { true }, tearDown: @escaping () -> Void = {},
        iteration: @escaping (LatencyRecorder) throws -> Void
    ) -> Workload {
        Workload(.latencies(iteration), check: check, tearDown: tearDown)
    }

    /// Creates work whose result is the count of each outcome. Its time per operation is the time per round.
    ///
    /// - Parameters:
    ///   - check: Called after the first iteration and after the last iteration. If it returns `false` or throws an
    ///     error, the benchmark has failed. See ``confirm(_:is:)``.
    ///   - tearDown: Called once after the last iteration.
    ///   - iteration: An iteration, which records one outcome for each of the benchmark's operations.
    public static func outcomes(
        check: @escaping () throws -> Bool = { true }, tearDown: @escaping () -> Void = {},
        iteration: @escaping (OutcomeRecorder) throws -> Void
    ) -> Workload {
        Workload(.outcomes(iteration), check: check, tearDown: tearDown)
    }
}

/// Returns `true` if a check found the expected value. Otherwise throws an error with both values, so that the failure
/// names them.
///
/// ```swift
/// let sum = Benchmark("sum/range", decides: "Whether to add by hand.", operations: 1_000) {
///     var sum = 0
///     return Workload(check: { try confirm(sum, is: 499_500) }) { sum = (0..<1_000).reduce(0, +) }
/// }
/// ```
/// The check runs after the first iteration and after the last iteration. `got` should therefore be the result of a
/// single iteration, regardless of the number of iterations before it.
///
/// - Returns: `true`, so that several checks can be combined with `&&`.
/// - Throws: ``WrongResult`` if `got` differs from `expected`.
public func confirm<Value: Equatable>(_ got: Value, is expected: Value) throws -> Bool {
    guard got == expected else { throw WrongResult(expected: "\(expected)", got: "\(got)") }
    return true
}

/// The error of a check whose iteration did not have the expected result.
public struct WrongResult: Error, Equatable {
    /// The descriptions of the expected value and the actual value.
    public let expected, got: String
}

/// Makes the optimiser treat `value` as used, so that it cannot remove the work that produced the value.
///
/// ```swift
/// let numbers = opaque([1, 2, 3])
/// let sum = Workload { blackHole(numbers.reduce(0, +)) }
/// ```
/// This function does not call any code: the value is written to the stack, and an empty assembly statement claims to
/// read it.
@inlinable @inline(__always)
public func blackHole<Value>(_ value: Value) {
    withUnsafePointer(to: value) { rxbench_use(UnsafeRawPointer($0)) }
}

/// Returns `value`, and makes the optimiser treat the result as unknown.
///
/// ```swift
/// // A loop up to the limit is not folded into its result.
/// let limit = opaque(100_000)
/// ```
@inlinable @inline(__always)
public func opaque<Value>(_ value: Value) -> Value {
    var copy = value
    withUnsafeMutablePointer(to: &copy) { rxbench_use(UnsafeRawPointer($0)) }
    return copy
}
