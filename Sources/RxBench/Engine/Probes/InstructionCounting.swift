import CRxBench
import RxBench
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The methods of counting the instructions of an iteration.
package enum InstructionCounting: Sendable, Equatable {
    /// The processor counts the instructions without any cost.
    case perfEvents
    /// Callgrind emulates every instruction and is about eighty times slower. `valgrind` is the path of the program.
    case callgrind(valgrind: String)
    /// Instructions cannot be counted. The value is the reason, as the end of a sentence without a full stop.
    case unavailable(String)

    /// Returns the best method on this machine. This is the processor's own counter or, if that is unavailable,
    /// callgrind, provided that it is wanted and valgrind is installed.
    ///
    /// - Parameter wantsCallgrind: Whether counting may take a second or more for each benchmark.
    package static func available(wantsCallgrind: Bool) -> InstructionCounting {
        choose(
            perfEvents: MachineReadings.instructionCounterNow, valgrind: ChildProcess.find("valgrind"),
            canAskValgrind: canAskValgrind,
            wantsCallgrind: wantsCallgrind)
    }

    static func choose(
        perfEvents: Reading<String>, valgrind: String?, canAskValgrind: Bool, wantsCallgrind: Bool
    ) -> InstructionCounting {
        guard case .unavailable(let reason) = perfEvents else { return .perfEvents }
        guard canAskValgrind else {
            return .unavailable("\(reason), and callgrind counts for Linux on x86_64 and arm64 alone")
        }
        guard let valgrind else {
            return .unavailable(
                """
                \(reason), and valgrind is not installed; install it ('apt-get install valgrind') and run with \
                '--instructions'
                """
            )
        }
        return wantsCallgrind
            ? .callgrind(valgrind: valgrind)
            : .unavailable("\(reason); run with '--instructions' to count them under callgrind")
    }

    /// Whether this build can send requests to callgrind.
    private static var canAskValgrind: Bool {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            true
        #else
            false
        #endif
    }
}

extension MetricDefinition {
    /// The instructions of all threads in one iteration, in user mode.
    static let instructions = MetricDefinition(name: Metric.instructions, unit: "count/iteration")
}

/// Counts instructions with the processor's own counter. It counts the instructions of this thread and of threads that
/// are started after the probe is created.
///
/// Processors also count some interrupts. This adds a few instructions in a million and varies from run to run (Weaver,
/// Terpstra, Moore: "Non-determinism and overcount on modern hardware performance counter implementations", ISPASS
/// 2013).
final class PerfEventProbe: MetricProbe {
    let metrics = [MetricDefinition.instructions]
    private let descriptor: Int32
    private var before: UInt64 = 0
    /// The number of instructions that reading the counter itself takes.
    private var overhead = 0.0

    /// Creates a probe. Returns `nil` if the system provides no counter.
    init?() {
        descriptor = rxbench_open_instruction_counter()
        guard descriptor >= 0 else { return nil }
        for _ in 0..<2 {
            start()
            if case .value(let count) = stop()[0] { overhead += count }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func start() { _ = rxbench_read_instruction_counter(descriptor, &before) }

    func stop() -> [MetricReading] {
        var after: UInt64 = 0
        let error = rxbench_read_instruction_counter(descriptor, &after)
        guard error == 0, after >= before else {
            return [.unavailable("the counter cannot be read: \(String(cString: strerror(error)))")]
        }
        return [.value(max(0, Double(after - before) - overhead))]
    }
}

/// Counts the instructions of all threads in a process that runs under callgrind.
///
/// Equal work gives equal counts in different processes. Within one process, iterations differ by the occasional work
/// of the allocator. The environment below limits that work to a few hundred instructions (decision 13).
final class CallgrindProbe: MetricProbe {
    let metrics = [MetricDefinition.instructions]

    /// The environment in which every allocation costs the same. In this environment, jemalloc does not return memory
    /// after some time, does not collect a thread's cache after a number of bytes, and lets the cache hold the memory
    /// that an iteration frees. Without the environment, iterations differ by some per cent.
    static let environment = [
        "MALLOC_CONF":
            "dirty_decay_ms:-1,muzzy_decay_ms:-1,tcache_gc_incr_bytes:1099511627776,"
            + "tcache_nslots_small_max:4096,lg_tcache_nslots_mul:8"
    ]

    private let output: String
    private var dumps = 0
    /// The number of instructions that a request to callgrind itself takes.
    private var overhead = 0.0

    /// Creates a probe that reads the files whose names callgrind derives from `output`. Returns `nil` if the process
    /// is not running under valgrind.
    init?(output: String) {
        guard rxbench_runs_on_valgrind() != 0 else { return nil }
        self.output = output
        rxbench_callgrind_start()
        // The first reading includes one-time work.
        for _ in 0..<2 {
            start()
            overhead = Self.total(inFile: dump()) ?? 0
        }
    }

    func start() { rxbench_callgrind_zero() }

    func stop() -> [MetricReading] {
        let file = dump()
        guard let total = Self.total(inFile: file) else {
            return [.unavailable("callgrind left no count in '\(file)'")]
        }
        return [.value(total - overhead)]
    }

    /// Makes callgrind write its counts to a file, and returns the path of the file.
    private func dump() -> String {
        rxbench_callgrind_dump()
        dumps += 1
        return "\(output).\(dumps)"
    }

    /// Returns the number after `totals:`, which is the last line of a callgrind file (see "Callgrind Format
    /// Specification" in its manual). Reads only the end of the file, because reading the whole file under callgrind
    /// takes longer than most iterations.
    static func total(inFile path: String) -> Double? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var end = [UInt8](repeating: 0, count: 128)
        lseek(descriptor, max(0, lseek(descriptor, 0, SEEK_END) - off_t(end.count)), SEEK_SET)
        let count = read(descriptor, &end, end.count)
        guard count > 0 else { return nil }
        let lines = String(decoding: end[..<count], as: UTF8.self).split(separator: "\n")
        guard let line = lines.last(where: { $0.hasPrefix("totals: ") }) else { return nil }
        return Double(line.dropFirst("totals: ".count))
    }
}
