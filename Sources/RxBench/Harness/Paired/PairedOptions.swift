/// How two sides are compared.
public struct PairedOptions: Sendable, Equatable {
    /// How long the measuring may take, in seconds; comparisons that are settled earlier end it earlier.
    public var totalSeconds: Double
    /// The relative difference that does not matter: 0.005 for half a per cent.
    public var margin: Double
    /// How far an interval may reach from its estimate for the comparison to stop; `nil` to stop at a verdict.
    public var precision: Double?
    /// The relative slowdown below which each comparison has to be shown, or above which, for it to stop; `nil` for
    /// none.
    public var noSlowerThan: Double?
    /// Whether sides of identical machine code are measured all the same: to see what the measuring itself does.
    public var measuresIdenticalCode: Bool
    /// Fixes the order of processes and which side is first in each.
    public var seed: UInt64
    /// How many link orders of each side are measured; `nil` for as many as the number of comparisons asks for.
    public var layouts: Int?
    /// Whether each side has processes of its own, for code with state outside its own image.
    public var isInTwoProcesses: Bool
    /// What allocates in the processes that measure time.
    public var allocator: TimeAllocator
    /// A process that takes longer is killed, and its benchmark has failed.
    public var timeoutSeconds: Double

    /// Options with their defaults.
    public init(
        totalSeconds: Double, margin: Double = 0.005, precision: Double? = nil, noSlowerThan: Double? = nil,
        seed: UInt64,
        layouts: Int? = nil, isInTwoProcesses: Bool = false, measuresIdenticalCode: Bool = false,
        allocator: TimeAllocator = .system, timeoutSeconds: Double = 60
    ) {
        self.totalSeconds = totalSeconds
        self.margin = margin
        self.precision = precision
        self.noSlowerThan = noSlowerThan
        self.measuresIdenticalCode = measuresIdenticalCode
        self.seed = seed
        self.layouts = layouts
        self.isInTwoProcesses = isInTwoProcesses
        self.allocator = allocator
        self.timeoutSeconds = timeoutSeconds
    }

    /// The probability of calling any unchanged benchmark of a run changed.
    public static let significance = 0.01
}
