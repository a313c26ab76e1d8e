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
