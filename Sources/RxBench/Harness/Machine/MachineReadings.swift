/// The readings of a machine that `rxbench doctor` judges. Holds no host name and no user.
package struct MachineReadings: Codable, Sendable, Equatable {
    /// Logical cores that are online.
    package var onlineCores: Int
    /// Logical cores on which this process may run.
    package var allowedCores: Reading<Int>
    /// How much processor time a control group grants.
    package var quota: Reading<ProcessorQuota>
    /// Average number of runnable processes over the last minute.
    package var loadAverage: Reading<Double>
    /// The processors' work in a second in which this tool slept.
    package var idle: Reading<ProcessorWindow>
    /// Their work while the noise was measured; unavailable without noise.
    package var busy: Reading<ProcessorWindow>
    /// The frequency governors in use, each once.
    package var governors: Reading<[String]>
    /// Whether the processor may exceed its base frequency for a while.
    package var isBoosting: Reading<Bool>
    /// Whether the machine is a virtual one.
    package var isVirtual: Reading<Bool>
    /// The clock.
    package var timer: TimerReading
    /// The mode of transparent huge pages: `always`, `madvise` or `never`.
    package var hugePages: Reading<String>
    /// Whether a new process gets a memory layout of its own.
    package var layout: Reading<LayoutReading>
    /// Memory and swap space.
    package var memory: Reading<MemoryReading>
    /// The version of jemalloc.
    package var jemalloc: Reading<String>
    /// `MALLOC_CONF` in the environment, which workers of the time pass inherit, or `nil`.
    package var allocatorOptions: String?
    /// The version of valgrind.
    package var valgrind: Reading<String>
    /// The version of Linux's perf, the program.
    package var perf: Reading<String>
    /// Whether instructions can be counted: `available`.
    package var instructionCounter: Reading<String>
    /// `release` or `debug`.
    package var configuration: String
    /// Whether the measured code counts its resources.
    package var isTracing: Bool
    /// Identical workloads, measured against themselves.
    package var noise: [NoiseReading]
}

/// How much processor time a control group grants.
package struct ProcessorQuota: Codable, Sendable, Equatable {
    /// In cores, or `nil` for no limit.
    package let cores: Double?
}

/// The work of all processors between two readings of their counters.
package struct ProcessorWindow: Codable, Sendable, Equatable {
    /// Ticks of all processors together.
    package var ticks: Int
    /// Ticks that the host gave to somebody else while this machine wanted to run.
    package var stolenTicks: Int
    /// Ticks in which a processor worked.
    package var workingTicks: Int
    /// How long the window was.
    package var seconds: Double
    /// Pages moved to or from swap space.
    package var swappedPages: Int
    /// Other processes that used processor time, the ten busiest, the busiest first.
    package var others: [ProcessorUser]

    /// Cores that were at work, on average.
    package func workingCores(of cores: Int) -> Double {
        ticks == 0 ? 0 : Double(workingTicks) / Double(ticks) * Double(cores)
    }
}

/// A process that used processor time.
package struct ProcessorUser: Codable, Sendable, Equatable {
    /// The system's number of the process.
    package let process: Int
    /// The name of its program.
    package let name: String
    /// Cores that it kept busy, on average.
    package let cores: Double
}

/// The cost of reading the clock, and how finely it divides time.
package struct TimerReading: Codable, Sendable, Equatable {
    /// The smallest step between two readings that differ.
    package var resolutionNanoseconds: Double
    /// The cost of a reading: the median of batches.
    package var costNanoseconds: Double
    /// The kernel's source of time.
    package var source: Reading<String>
}

/// Whether a new process gets a memory layout of its own.
package struct LayoutReading: Codable, Sendable, Equatable {
    /// The kernel's setting: 0 off, 1 without the heap, 2 all.
    package var level: Int
    /// Whether this process was started without, as debuggers do.
    package var isOffForProcess: Bool
}

/// Memory and swap space, in bytes.
package struct MemoryReading: Codable, Sendable, Equatable {
    /// Physical memory.
    package var total: UInt64
    /// Memory that could be had without swapping.
    package var available: UInt64
    /// Swap space.
    package var swapTotal: UInt64
    /// Swap space in use.
    package var swapUsed: UInt64
}

/// A workload that was measured against itself in fresh processes, in turns.
package struct NoiseReading: Codable, Sendable, Equatable {
    /// The workload's kind, in a word or two.
    package let workload: String
    /// The process medians of both sides, in nanoseconds per operation.
    package let sides: Reading<NoiseSides>

    /// A reading.
    package init(workload: String, sides: Reading<NoiseSides>) {
        self.workload = workload
        self.sides = sides
    }
}

/// The process medians of one workload under two names.
package struct NoiseSides: Codable, Sendable, Equatable {
    /// In nanoseconds per operation.
    package let first, second: [Double]

    /// Two sides.
    package init(first: [Double], second: [Double]) {
        self.first = first
        self.second = second
    }
}
