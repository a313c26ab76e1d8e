/// A unit of work to measure: a stable ID, the decision that its figures inform, and a closure that sets up the work.
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
    /// A sentence that states the decision that this benchmark's figures inform.
    public let decides: String
    /// Words by which the benchmark can be selected, as in `rxbench run tag:stateless`. The tag `unsteady` marks a
    /// benchmark whose times differ between processes by more than the changes that a comparison of two commits can
    /// detect. An example is a benchmark in which threads contend for a resource. `rxbench ab` leaves out such
    /// benchmarks unless they are selected.
    public let tags: [String]
    /// The number of operations (events, subscriptions, rounds) that one iteration performs. Times are reported per
    /// operation.
    public let operations: Int
    /// The baseline of this benchmark, or `nil`. Both benchmarks are measured in turns, batch by batch, in the same
    /// process.
    public let baseline: BenchmarkID?
    /// The limits on the benchmark's cost: budgets for counts, and limits on times. Without a limit for live resources,
    /// an iteration may not leave any resources behind.
    public let limits: [Limit]
    /// The stages in which the measured chain grows, from its source to the complete chain. The array is empty if the
    /// benchmark does not support `rxbench explain`.
    public let stages: [Stage]
    /// Builds the work. This closure is called once per process, outside the measurement.
    public let setUp: @Sendable () throws -> Workload
    /// The tag of benchmarks that a comparison of two commits leaves out unless they are selected.
    package static let unsteadyTag = "unsteady"
    /// The race that this benchmark repeats. Tools can search it.
    package var race: Race?

    /// Defines a benchmark.
    ///
    /// - Parameters:
    ///   - id: The stable name in the form `prefix/name?parameter=value`. If the text is not a valid ID, the program
    ///     stops and prints the reason.
    ///   - decides: A sentence that states the decision that the figures inform.
    ///   - tags: Words by which the benchmark can be selected. See ``tags`` for `unsteady`.
    ///   - operations: The number of operations per iteration, at least 1.
    ///   - baseline: The ID of a benchmark of the same run that serves as the baseline of a ratio. Both benchmarks are
    ///     then measured in turns in one process.
    ///   - limits: The limits on the benchmark's cost, with at most one limit for each quantity. If the limits
    ///     contradict each other, the program stops and prints the reason.
    ///   - stages: The stages of the measured chain for `rxbench explain`. The first stage is the source, and the last
    ///     stage is the complete chain.
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

/// The largest permitted value of a quantity of a benchmark. Limits are declared in the benchmark's definition.
///
/// ```swift
/// let free = Benchmark("array/sum", decides: "Whether to add by hand.", limits: [.allocations(atMost: 0)]) {
///     Workload { blackHole(opaque([1, 2, 3]).reduce(0, +)) }
/// }
/// print(free.limits.count)  // 1
/// ```
/// Limits on counts are budgets: if a release build exceeds a budget, the run ends with exit code 1. A file of budgets
/// overrides them. Limits on a time or a ratio are reported, and judged by the interval of the figure. They never
/// decide the exit code, because two runs of the same code differ by more than most changes do.
public struct Limit: Codable, Sendable, Hashable {
    /// The limited quantity.
    public enum Quantity: String, Codable, Sendable, CaseIterable {
        /// Allocations of all threads, per operation.
        case allocationsPerOperation
        /// Allocations of all threads, per iteration.
        case allocationsPerIteration
        /// Swift objects that are allocated, per iteration.
        case objectsPerIteration
        /// Executed instructions, per iteration.
        case instructionsPerIteration
        /// Live resources that an iteration leaves behind.
        case liveResources
        /// The time per operation as a multiple of the baseline's time.
        case ratioToBaseline
        /// The time per operation in nanoseconds.
        case time
    }

    /// The limited quantity.
    public let quantity: Quantity
    /// The largest permitted value, at least 0, or `nil` to lift a default limit.
    public let maximum: Double?

    /// Returns a budget for allocations per operation. Allocations that an iteration makes only once, such as a
    /// subscription for all its events, count too. Use ``allocationsPerIteration(atMost:)`` to limit those.
    public static func allocations(atMost maximum: Double) -> Limit { Limit(.allocationsPerOperation, maximum) }

    /// Returns a budget for allocations per iteration, regardless of the number of operations. If the budget equals the
    /// number of allocations of one subscription, it states that events do not allocate.
    public static func allocationsPerIteration(atMost maximum: Int) -> Limit {
        Limit(.allocationsPerIteration, Double(maximum))
    }

    /// Returns a budget for the Swift objects that an iteration allocates. They are counted if the program links
    /// `RxTraceObjects`.
    public static func objectsPerIteration(atMost maximum: Int) -> Limit {
        Limit(.objectsPerIteration, Double(maximum))
    }

    /// Returns a budget for the instructions that an iteration executes. They are counted by `run --instructions`.
    /// Another compiler or another system changes them.
    public static func instructionsPerIteration(atMost maximum: Int) -> Limit {
        Limit(.instructionsPerIteration, Double(maximum))
    }

    /// Returns a budget for live resources that an iteration leaves behind. Without this budget, the limit of every
    /// benchmark is 0 if resources are counted.
    public static func liveResources(atMost maximum: Int) -> Limit { Limit(.liveResources, Double(maximum)) }

    /// Lifts the default limit of no live resources. Use it for work that keeps its resources until tear-down.
    public static let anyLiveResources = Limit(.liveResources, nil)

    /// Returns a limit on the time per operation as a multiple of the time of the baseline, which the parameter
    /// `relativeTo:` names. It never decides the exit code.
    public static func ratio(atMost maximum: Double) -> Limit { Limit(.ratioToBaseline, maximum) }

    /// Returns a limit on the time per operation. It never decides the exit code.
    public static func time(atMostNanoseconds maximum: Double) -> Limit { Limit(.time, maximum) }

    private init(_ quantity: Quantity, _ maximum: Double?) {
        self.quantity = quantity
        self.maximum = maximum
    }

    /// Creates a limit on a quantity that is known by its name alone, as in a file.
    package init(_ quantity: Quantity, atMost maximum: Double) {
        self.init(quantity, maximum)
    }

    /// Returns the reason why a benchmark cannot have `limits`, as the end of a sentence, or `nil` if it can.
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
