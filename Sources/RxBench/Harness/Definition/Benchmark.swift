/// One thing to measure: a stable ID, the decision it informs, and how to set the work up.
///
/// ```swift
/// let append = Benchmark("array/append?count=1000", decides: "Whether to reserve capacity.", operations: 1_000) {
///     let count = opaque(1_000)
///     return Workload { var array: [Int] = []; for n in 0..<count { array.append(n) }; blackHole(array) }
/// }
/// ```
public struct Benchmark: Sendable {
    /// The stable name, under which results of different commits are matched.
    public let id: BenchmarkID
    /// The decision that this benchmark's figures inform, in one sentence.
    public let decides: String
    /// Words to select by, as in `rxbench run tag:stateless`. `unsteady` marks what differs from process to process by
    /// more than a comparison of two commits decides about, such as threads that contend for something: `rxbench ab`
    /// leaves it out unless it is selected.
    public let tags: [String]
    /// How many operations (events, subscriptions, rounds) one iteration performs; times are reported per operation.
    public let operations: Int
    /// The benchmark that this one is measured against, batch by batch in the same process, or `nil`.
    public let baseline: BenchmarkID?
    /// The most that the benchmark may cost: budgets of counts, bars for times. Without one for live resources, none
    /// may be left behind.
    public let limits: [Limit]
    /// How the chain that is measured grows, from its source to all of it; empty when `rxbench explain` has nothing to
    /// tell.
    public let stages: [Stage]
    /// Builds the work; called once per process, outside the measurement.
    public let setUp: @Sendable () throws -> Workload
    /// The tag of benchmarks that a comparison of two commits leaves out unless they are selected.
    package static let unsteadyTag = "unsteady"
    /// The race that this repeats, for who can search it.
    package var race: (any Sendable)?

    /// Defines a benchmark.
    ///
    /// - Parameters:
    ///   - id: The stable name in the form `prefix/name?parameter=value`. A text that is no ID stops the program with
    ///     the reason.
    ///   - decides: One sentence: the decision that the figures inform.
    ///   - tags: Words to select by; see ``tags`` for `unsteady`.
    ///   - operations: Operations per iteration, at least 1.
    ///   - baseline: The ID of a benchmark of the same run to report a ratio against. Both are then measured in turns
    ///     in one process.
    ///   - limits: What the benchmark may cost at most, each quantity once. Limits that contradict themselves stop the
    ///     program with the reason.
    ///   - stages: How the chain that is measured grows, for `rxbench explain`: its source first, all of it last.
    ///   - setUp: Builds the work, outside the measurement. Called on the main thread of a worker process.
    public init(
        _ id: String, decides: String, tags: [String] = [], operations: Int = 1, relativeTo baseline: String? = nil,
        limits: [Limit] = [], stages: [Stage] = [], setUp: @escaping @Sendable () throws -> Workload
    ) {
        precondition(operations > 0, "'\(id)' performs \(operations) operations an iteration; it must be at least 1.")
        if let problem = Limit.problem(with: limits, hasBaseline: baseline != nil) {
            preconditionFailure("'\(id)' \(problem)")
        }
        self.id = Self.checked(id)
        self.decides = decides
        self.tags = tags
        self.operations = operations
        self.baseline = baseline.map(Self.checked)
        self.limits = limits
        self.stages = stages
        self.setUp = setUp
    }

    private static func checked(_ text: String) -> BenchmarkID {
        do { return try BenchmarkID(text) } catch { preconditionFailure(error.description) }
    }
}

/// The most that a benchmark may show of a quantity, declared in its definition.
///
/// ```swift
/// let free = Benchmark("array/sum", decides: "Whether to add by hand.", limits: [.allocations(atMost: 0)]) {
///     Workload { blackHole(opaque([1, 2, 3]).reduce(0, +)) }
/// }
/// print(free.limits.count)  // 1
/// ```
/// Counts are budgets: a release build above one ends the run with exit code 1. Times and ratios are stated and judged
/// by their interval, but never decide the exit code: two runs of the same code differ by more than most changes do.
public struct Limit: Codable, Sendable, Hashable {
    /// The limited quantity.
    public enum Quantity: String, Codable, Sendable, CaseIterable {
        /// Allocations of all threads, per operation.
        case allocationsPerOperation
        /// Allocations of all threads, per iteration.
        case allocationsPerIteration
        /// Live resources that an iteration leaves behind.
        case liveResources
        /// Time per operation as a multiple of the baseline's.
        case ratioToBaseline
        /// Nanoseconds per operation.
        case time
    }

    /// The limited quantity.
    public let quantity: Quantity
    /// The most that is allowed, at least 0; `nil` lifts a limit that holds by default.
    public let maximum: Double?

    /// A budget of allocations per operation. Allocations that an iteration makes once, such as one subscription for
    /// all its events, counts too: state it with ``allocationsPerIteration(atMost:)``.
    public static func allocations(atMost maximum: Double) -> Limit { Limit(.allocationsPerOperation, maximum) }

    /// A budget of allocations per iteration, however many operations it performs: with as many as one subscription
    /// takes, this says that an event takes none.
    public static func allocationsPerIteration(atMost maximum: Int) -> Limit {
        Limit(.allocationsPerIteration, Double(maximum))
    }

    /// A budget of live resources that an iteration leaves behind. Without it, every benchmark is held to 0 where
    /// resources are counted.
    public static func liveResources(atMost maximum: Int) -> Limit { Limit(.liveResources, Double(maximum)) }

    /// Lifts the default of no live resources, for work that keeps what it takes until tear-down.
    public static let anyLiveResources = Limit(.liveResources, nil)

    /// A bar for the time per operation as a multiple of the baseline's, which `relativeTo:` names. Never decides the
    /// exit code.
    public static func ratio(atMost maximum: Double) -> Limit { Limit(.ratioToBaseline, maximum) }

    /// A bar for the time per operation. Never decides the exit code.
    public static func time(atMostNanoseconds maximum: Double) -> Limit { Limit(.time, maximum) }

    private init(_ quantity: Quantity, _ maximum: Double?) {
        self.quantity = quantity
        self.maximum = maximum
    }

    /// Why `limits` cannot be those of a benchmark, as the end of a sentence; `nil` when they can.
    static func problem(with limits: [Limit], hasBaseline: Bool) -> String? {
        for limit in limits {
            if let maximum = limit.maximum, !(maximum >= 0 && maximum.isFinite) {
                return "limits '\(limit.quantity)' to \(maximum); it must be a number of at least 0."
            }
        }
        if Set(limits.map(\.quantity)).count < limits.count { return "limits one quantity twice." }
        if !hasBaseline, limits.contains(where: { $0.quantity == .ratioToBaseline }) {
            return "limits its ratio to a baseline, and has none. Name one with 'relativeTo:'."
        }
        return nil
    }
}
