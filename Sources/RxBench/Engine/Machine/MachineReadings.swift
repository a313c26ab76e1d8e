import CRxBench
import Foundation
import RxBench

/// The readings of a machine that `rxbench doctor` judges. They contain no host name and no user name.
package struct MachineReadings: Codable, Sendable, Equatable {
    /// The number of logical cores that are online.
    package var onlineCores: Int
    /// The number of logical cores on which this process may run.
    package var allowedCores: Reading<Int>
    /// The processor time that a control group grants.
    package var quota: Reading<ProcessorQuota>
    /// The average number of runnable processes in the last minute.
    package var loadAverage: Reading<Double>
    /// The work of the processors during a second in which this tool slept.
    package var idle: Reading<ProcessorWindow>
    /// The work of the processors while the noise was measured. It is unavailable if the noise was not measured.
    package var busy: Reading<ProcessorWindow>
    /// The frequency governors in use, without duplicates.
    package var governors: Reading<[String]>
    /// Whether the processor may temporarily exceed its base frequency.
    package var isBoosting: Reading<Bool>
    /// Whether the machine is virtual.
    package var isVirtual: Reading<Bool>
    /// The properties of the clock.
    package var timer: TimerReading
    /// The mode of transparent huge pages: `always`, `madvise` or `never`.
    package var hugePages: Reading<String>
    /// Whether a new process has a random memory layout.
    package var layout: Reading<LayoutReading>
    /// Memory and swap space.
    package var memory: Reading<MemoryReading>
    /// The version of jemalloc.
    package var jemalloc: Reading<String>
    /// The value of `MALLOC_CONF` in the environment, which the workers of the time pass inherit, or `nil`.
    package var allocatorOptions: String?
    /// The version of valgrind.
    package var valgrind: Reading<String>
    /// `available` if instructions can be counted.
    package var instructionCounter: Reading<String>
    /// Whether this process could count instructions if the kernel's setting `perf_event_paranoid` were lower.
    package var isCounterForbidden: Bool
    /// `release` or `debug`.
    package var configuration: String
    /// Whether the measured code counts its resources.
    package var isTracing: Bool
    /// The noise of workloads that were measured against themselves.
    package var noise: [NoiseReading]
}

/// The processor time that a control group grants.
package struct ProcessorQuota: Codable, Sendable, Equatable {
    /// The limit in cores, or `nil` if there is no limit.
    package let cores: Double?
}

/// The work of all processors between two readings of their counters.
package struct ProcessorWindow: Codable, Sendable, Equatable {
    /// The number of ticks of all processors together.
    package var ticks: Int
    /// The ticks that the host gave to other machines while this machine wanted to run.
    package var stolenTicks: Int
    /// The ticks in which a processor worked.
    package var workingTicks: Int
    /// The length of the window.
    package var seconds: Double
    /// The number of pages that were moved to or from swap space.
    package var swappedPages: Int
    /// The ten other processes that used the most processor time, with the busiest first.
    package var others: [ProcessorUser]

    /// Returns the average number of busy cores.
    package func workingCores(of cores: Int) -> Double {
        ticks == 0 ? 0 : Double(workingTicks) / Double(ticks) * Double(cores)
    }
}

/// A process that used processor time.
package struct ProcessorUser: Codable, Sendable, Equatable {
    /// The process's identifier.
    package let process: Int
    /// The name of its program.
    package let name: String
    /// The average number of cores that the process kept busy.
    package let cores: Double
}

/// The cost of reading the clock, and the clock's resolution.
package struct TimerReading: Codable, Sendable, Equatable {
    /// The smallest difference between two readings that are not equal.
    package var resolutionNanoseconds: Double
    /// The cost of a reading, as the median of several batches.
    package var costNanoseconds: Double
    /// The kernel's clock source.
    package var source: Reading<String>
}

/// Whether a new process has a random memory layout.
package struct LayoutReading: Codable, Sendable, Equatable {
    /// The kernel's setting: 0 is off, 1 randomises everything except the heap, and 2 randomises everything.
    package var level: Int
    /// Whether this process was started without randomisation, as debuggers do.
    package var isOffForProcess: Bool
}

/// Memory and swap space, in bytes.
package struct MemoryReading: Codable, Sendable, Equatable {
    /// The size of the physical memory.
    package var total: UInt64
    /// The size of the memory that is available without swapping.
    package var available: UInt64
    /// The size of the swap space.
    package var swapTotal: UInt64
    /// The size of the used swap space.
    package var swapUsed: UInt64
}

/// The result of measuring a workload against itself in new processes, in turns.
package struct NoiseReading: Codable, Sendable, Equatable {
    /// A short name of the workload's kind.
    package let workload: String
    /// The process medians of both sides, in nanoseconds per operation.
    package let sides: Reading<NoiseSides>

    /// Creates a reading with the given process medians.
    package init(workload: String, sides: Reading<NoiseSides>) {
        self.workload = workload
        self.sides = sides
    }
}

/// The process medians of one workload under two names.
package struct NoiseSides: Codable, Sendable, Equatable {
    /// The process medians, in nanoseconds per operation.
    package let first, second: [Double]
}

extension MachineReadings {
    /// Returns the current readings of the machine. The caller measures the windows and the noise. Takes a few
    /// hundredths of a second.
    package static func current(
        idle: Reading<ProcessorWindow>, busy: Reading<ProcessorWindow>, noise: [NoiseReading], isTracing: Bool
    ) -> MachineReadings {
        let environment = Environment.current(isTracing: isTracing)
        let counter = counterNow
        return MachineReadings(
            onlineCores: SystemFile.read("/sys/devices/system/cpu/online") { ProcFormat.count(ofList: $0) }.value
                ?? ProcessInfo.processInfo.activeProcessorCount,
            allowedCores: SystemFile.read("/proc/self/status") { text in
                ProcFormat.field("Cpus_allowed_list", in: text).flatMap { ProcFormat.count(ofList: $0) }
            },
            quota: quotaNow, loadAverage: environment.loadAverage, idle: idle, busy: busy, governors: governorsNow,
            isBoosting: boostNow,
            isVirtual: virtualNow, timer: TimerReading.measure(),
            hugePages: SystemFile.read("/sys/kernel/mm/transparent_hugepage/enabled", ProcFormat.choice),
            layout: layoutNow,
            memory: SystemFile.read("/proc/meminfo", ProcFormat.memory), jemalloc: environment.jemalloc,
            allocatorOptions: ProcessInfo.processInfo.environment["MALLOC_CONF"].flatMap { $0.isEmpty ? nil : $0 },
            valgrind: version(of: "valgrind"),
            instructionCounter: counter.reading, isCounterForbidden: counter.isForbidden,
            configuration: Compiler.configuration,
            isTracing: isTracing, noise: noise)
    }

    /// The lowest limit of this process's control groups of version 2. Without such groups, the limit of version 1.
    private static var quotaNow: Reading<ProcessorQuota> {
        let folders = ProcFormat.groupFolders(SystemFile.read("/proc/self/cgroup").value ?? "")
        let quotas = folders.compactMap { SystemFile.read("\($0)/cpu.max", ProcFormat.quota).value }
        if !quotas.isEmpty { return .value(ProcessorQuota(cores: quotas.compactMap(\.cores).min())) }
        func microseconds(_ name: String) -> Double? {
            SystemFile.read("/sys/fs/cgroup/cpu/cpu.cfs_\(name)_us").value.flatMap {
                Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        guard let quota = microseconds("quota"), let period = microseconds("period"), period > 0 else {
            return .unavailable("no control group of this process shows a limit")
        }
        return .value(ProcessorQuota(cores: quota > 0 ? quota / period : nil))
    }

    private static var governorsNow: Reading<[String]> {
        let folder = "/sys/devices/system/cpu"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let governors = names.compactMap { SystemFile.read("\(folder)/\($0)/cpufreq/scaling_governor").value }
        guard !governors.isEmpty else { return .unavailable("the kernel shows no frequency scaling") }
        return .value(Set(governors.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }).sorted())
    }

    private static var boostNow: Reading<Bool> {
        if let text = SystemFile.read("/sys/devices/system/cpu/intel_pstate/no_turbo").value {
            return .value(text.hasPrefix("0"))
        }
        if let text = SystemFile.read("/sys/devices/system/cpu/cpufreq/boost").value {
            return .value(text.hasPrefix("1"))
        }
        return .unavailable("the kernel shows no switch for it")
    }

    private static var virtualNow: Reading<Bool> {
        #if canImport(Darwin)
            var present: Int32 = 0
            var size = MemoryLayout<Int32>.size
            guard sysctlbyname("kern.hv_vmm_present", &present, &size, nil, 0) == 0 else {
                return .unavailable("the system does not report it")
            }
            return .value(present != 0)
        #else
            if case .value = SystemFile.read("/sys/hypervisor/type") { return .value(true) }
            return SystemFile.read("/proc/cpuinfo") { text in
                // Only x86 has these flags. On other architectures the answer is unknown.
                ProcFormat.field("flags", in: text).map { $0.split(separator: " ").contains("hypervisor") }
            }
        #endif
    }

    private static var layoutNow: Reading<LayoutReading> {
        let personality = SystemFile.read("/proc/self/personality").value.flatMap {
            Int($0.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16)
        }
        return SystemFile.read("/proc/sys/kernel/randomize_va_space") { text in
            Int(text.trimmingCharacters(in: .whitespacesAndNewlines)).map {
                // ADDR_NO_RANDOMIZE, personality(2).
                LayoutReading(level: $0, isOffForProcess: (personality ?? 0) & 0x0040000 != 0)
            }
        }
    }

    /// Returns the version that a program in `PATH` prints, such as `valgrind-3.19.0`.
    private static func version(of program: String) -> Reading<String> {
        guard let path = ChildProcess.find(program) else { return .unavailable("\(program) is not installed") }
        guard let output = ChildProcess.output(of: path, ["--version"], timeoutSeconds: 10) else {
            return .unavailable("'\(path) --version' does not work")
        }
        let text = output.trimmingCharacters(in: .whitespacesAndNewlines)
        let prefix = ["\(program)-", "\(program) version "].first { text.hasPrefix($0) } ?? ""
        return .value(String(text.dropFirst(prefix.count)))
    }

    /// Whether this process can count its instructions.
    static var instructionCounterNow: Reading<String> { counterNow.reading }

    /// Opens a counter of instructions. If that fails, the kernel's setting `perf_event_paranoid` may be the reason.
    private static var counterNow: (reading: Reading<String>, isForbidden: Bool) {
        #if os(Linux)
            let error = rxbench_try_instruction_counter()
            let paranoia = SystemFile.read("/proc/sys/kernel/perf_event_paranoid").value.flatMap {
                Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            return (
                instructionCounter(error: error, paranoia: paranoia), isForbidden(error: error, paranoia: paranoia)
            )
        #else
            return (.unavailable("only Linux has perf events"), false)
        #endif
    }

    /// Returns whether `perf_event_paranoid` is the reason why a counter could not be opened.
    static func isForbidden(error: Int32, paranoia: Int?) -> Bool {
        (error == EACCES || error == EPERM) && (paranoia ?? 0) > 2
    }

    /// Interprets the result of opening a counter. `paranoia` is the value of the kernel's setting
    /// `perf_event_paranoid`.
    static func instructionCounter(error: Int32, paranoia: Int?) -> Reading<String> {
        switch error {
        case 0: return .value("available")
        case ENOENT, EOPNOTSUPP, ENODEV:
            return .unavailable(
                "the processor shows no counter of instructions (no PMU), as is usual in a virtual machine")
        case EACCES, EPERM:
            guard let paranoia, isForbidden(error: error, paranoia: paranoia) else {
                return .unavailable("the kernel or a container's seccomp profile forbids it")
            }
            return .unavailable(
                "the kernel forbids it: perf_event_paranoid is \(paranoia), and 2 is the most that allows it")
        case ENOSYS: return .unavailable("the kernel was built without perf events")
        default: return .unavailable("the kernel refuses it: \(String(cString: strerror(error)))")
        }
    }
}

extension TimerReading {
    /// Measures the clock that the time pass uses. Takes about ten milliseconds.
    static func measure() -> TimerReading {
        var smallest = UInt64.max
        var last = MonotonicClock.nanoseconds
        for _ in 0..<10_000 {
            let now = MonotonicClock.nanoseconds
            if now > last { smallest = min(smallest, now - last) }
            last = now
        }
        let reads = 1_000
        let costs = (0..<21).map { _ in
            let start = MonotonicClock.nanoseconds
            for _ in 0..<reads { blackHole(MonotonicClock.nanoseconds) }
            return Double(MonotonicClock.nanoseconds - start) / Double(reads)
        }
        return TimerReading(
            resolutionNanoseconds: Double(smallest), costNanoseconds: Quantiles.median(of: costs) ?? 0,
            source: SystemFile.read("/sys/devices/system/clocksource/clocksource0/current_clocksource") {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            })
    }
}
