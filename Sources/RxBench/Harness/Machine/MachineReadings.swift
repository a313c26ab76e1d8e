/// What `rxbench doctor` reads of a machine before it judges it. Holds no host name and no user.
public struct MachineReadings: Codable, Sendable, Equatable {
    /// Logical cores that are online.
    public var onlineCores: Int
    /// Logical cores on which this process may run.
    public var allowedCores: Reading<Int>
    /// How much processor time a control group grants.
    public var quota: Reading<ProcessorQuota>
    /// Average number of runnable processes over the last minute.
    public var loadAverage: Reading<Double>
    /// What the processors did for a second in which this tool slept.
    public var idle: Reading<ProcessorWindow>
    /// What they did while the noise was measured; unavailable without noise.
    public var busy: Reading<ProcessorWindow>
    /// The frequency governors in use, each once.
    public var governors: Reading<[String]>
    /// Whether the processor may exceed its base frequency for a while.
    public var isBoosting: Reading<Bool>
    /// Whether the machine is a virtual one.
    public var isVirtual: Reading<Bool>
    /// The clock.
    public var timer: TimerReading
    /// The mode of transparent huge pages: `always`, `madvise` or `never`.
    public var hugePages: Reading<String>
    /// Whether a new process gets a memory layout of its own.
    public var layout: Reading<LayoutReading>
    /// Memory and swap space.
    public var memory: Reading<MemoryReading>
    /// The version of jemalloc.
    public var jemalloc: Reading<String>
    /// `MALLOC_CONF` in the environment, which workers of the time pass inherit, or `nil`.
    public var allocatorOptions: String?
    /// The version of valgrind.
    public var valgrind: Reading<String>
    /// The version of Linux's perf, the program.
    public var perf: Reading<String>
    /// Whether instructions can be counted: `available`.
    public var instructionCounter: Reading<String>
    /// `release` or `debug`.
    public var configuration: String
    /// Whether the measured code counts its resources.
    public var isTracing: Bool
    /// Identical workloads, measured against themselves.
    public var noise: [NoiseReading]
}

/// How much processor time a control group grants.
public struct ProcessorQuota: Codable, Sendable, Equatable {
    /// In cores, or `nil` for no limit.
    public let cores: Double?
}

/// What all processors did between two readings of their counters.
public struct ProcessorWindow: Codable, Sendable, Equatable {
    /// Ticks of all processors together.
    public var ticks: Int
    /// Ticks that the host gave to somebody else while this machine wanted to run.
    public var stolenTicks: Int
    /// Ticks in which a processor worked.
    public var workingTicks: Int
    /// How long the window was.
    public var seconds: Double
    /// Pages moved to or from swap space.
    public var swappedPages: Int
    /// Other processes that used processor time, the ten busiest, the busiest first.
    public var others: [ProcessorUser]

    /// Cores that were at work, on average.
    public func workingCores(of cores: Int) -> Double {
        ticks == 0 ? 0 : Double(workingTicks) / Double(ticks) * Double(cores)
    }
}

/// A process that used processor time.
public struct ProcessorUser: Codable, Sendable, Equatable {
    /// The system's number of the process.
    public let process: Int
    /// The name of its program.
    public let name: String
    /// Cores that it kept busy, on average.
    public let cores: Double
}

/// What reading the clock costs and how finely it divides time.
public struct TimerReading: Codable, Sendable, Equatable {
    /// The smallest step between two readings that differ.
    public var resolutionNanoseconds: Double
    /// What a reading costs: the median of batches.
    public var costNanoseconds: Double
    /// What the kernel reads time from.
    public var source: Reading<String>
}

/// Whether a new process gets a memory layout of its own.
public struct LayoutReading: Codable, Sendable, Equatable {
    /// The kernel's setting: 0 off, 1 without the heap, 2 all.
    public var level: Int
    /// Whether this process was started without, as debuggers do.
    public var isOffForProcess: Bool
}

/// Memory and swap space, in bytes.
public struct MemoryReading: Codable, Sendable, Equatable {
    /// Physical memory.
    public var total: UInt64
    /// What could be had without swapping.
    public var available: UInt64
    /// Swap space.
    public var swapTotal: UInt64
    /// Swap space in use.
    public var swapUsed: UInt64
}

/// A workload that was measured against itself in fresh processes, in turns.
public struct NoiseReading: Codable, Sendable, Equatable {
    /// What the workload does, in a word or two.
    public let workload: String
    /// The process medians of both sides, in nanoseconds per operation.
    public let sides: Reading<NoiseSides>

    /// A reading.
    public init(workload: String, sides: Reading<NoiseSides>) {
        self.workload = workload
        self.sides = sides
    }
}

/// The process medians of one workload under two names.
public struct NoiseSides: Codable, Sendable, Equatable {
    /// In nanoseconds per operation.
    public let first, second: [Double]

    /// Two sides.
    public init(first: [Double], second: [Double]) {
        self.first = first
        self.second = second
    }
}
