/// A stage in the growth of a chain. It contains the chain up to and including one part, so that `rxbench explain` can
/// report the cost of that part.
///
/// ```swift
/// let stages = [
///     Stage("loop") { Workload { for n in 0..<1_000 { blackHole(n) } } },
///     Stage("array") { Workload { blackHole((0..<1_000).map { $0 + 1 }) } },
/// ]
/// print(stages.map(\.name))  // ["loop", "array"]
/// ```
public struct Stage: Sendable {
    /// The name of the part that this stage adds to the chain, such as `map`.
    public let name: String
    /// Sets up work that sends the benchmark's number of operations through the chain up to this stage. This closure is
    /// called once per process, outside the measurement.
    public let setUp: @Sendable () throws -> Workload
    /// Sets up work that subscribes to the chain up to this stage and disposes of the subscription, `subscriptions`
    /// times per iteration. If it is `nil`, this is not measured.
    public let subscribing: (@Sendable () throws -> Workload)?
    /// The number of subscriptions that an iteration of `subscribing` makes.
    public let subscriptions: Int

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - name: The name of the part that this stage adds to the chain.
    ///   - subscribing: Sets up work that subscribes to the chain up to this stage and disposes of the subscription.
    ///   - subscriptions: The number of subscriptions that an iteration of `subscribing` makes, at least 1.
    ///   - setUp: Sets up work that sends the benchmark's operations through the chain up to this stage.
    public init(
        _ name: String, subscribing: (@Sendable () throws -> Workload)? = nil, subscriptions: Int = 1,
        setUp: @escaping @Sendable () throws -> Workload
    ) {
        precondition(
            subscriptions > 0,
            "The stage '\(name)' subscribes \(subscriptions) times an iteration; it must be at least 1.")
        self.name = name
        self.setUp = setUp
        self.subscribing = subscribing
        self.subscriptions = subscriptions
    }
}
