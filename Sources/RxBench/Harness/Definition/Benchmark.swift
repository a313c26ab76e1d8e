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
