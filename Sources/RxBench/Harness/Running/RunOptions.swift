/// How thorough a run is.
package struct RunOptions: Sendable, Equatable {
    /// How long the whole run may take, in seconds; few benchmarks take less.
    package var totalSeconds: Double
    /// How many processes measure the time of each benchmark.
    package var processes: Int
    /// Fixes the order in which processes run.
    package var seed: UInt64
    /// A worker that takes longer is killed, and its benchmark has failed.
    package var timeoutSeconds: Double
    /// By what means instructions are counted.
    package var instructions: InstructionCounting
    /// Whether exact metrics alone are measured; `processes` and `totalSeconds` mean nothing then.
    package var isExactOnly: Bool

    /// The allocator of the processes that measure time.
    package var allocator: TimeAllocator

    /// How far the interval of a benchmark's time may reach from it, relative to it, for its measurement to stop before
    /// `processes`; `nil` to go on.
    package var precision: Double?

    /// Options with their defaults. Of fifteen processes, the 95 % interval of the median leaves out the three extremes
    /// at either end, so that a neighbour's burst of work does not widen it; nine leave out one.
    package init(
        totalSeconds: Double = 110, processes: Int = 15, seed: UInt64 = 1, timeoutSeconds: Double = 60,
        instructions: InstructionCounting = .unavailable("nothing was asked to count them"), isExactOnly: Bool = false,
        precision: Double? = nil, allocator: TimeAllocator = .system
    ) {
        self.totalSeconds = totalSeconds
        self.processes = isExactOnly ? 0 : processes
        self.instructions = instructions
        self.isExactOnly = isExactOnly
        self.precision = precision
        self.allocator = allocator
        self.seed = seed
        self.timeoutSeconds = timeoutSeconds
    }
}

/// How far a run has come.
package struct RunProgress: Sendable, Equatable {
    /// The benchmark that is being measured.
    package let id: String
    /// Processes that have ended.
    package let completed: Int
    /// Processes that the run needs.
    package let total: Int
    /// An estimate of the time left, in seconds.
    package let remainingSeconds: Double

    /// A state of a run.
    package init(id: String, completed: Int, total: Int, remainingSeconds: Double) {
        self.id = id
        self.completed = completed
        self.total = total
        self.remainingSeconds = remainingSeconds
    }
}
