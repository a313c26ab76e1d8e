import CRxBench
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// By what means the instructions of an iteration are counted.
package enum InstructionCounting: Sendable, Equatable {
    /// The processor counts them, at no cost.
    case perfEvents
    /// Callgrind executes every instruction itself, about eighty times slower; `valgrind` is the path of the program.
    case callgrind(valgrind: String)
    /// Nothing counts them; why, as the end of a sentence without a full stop.
    case unavailable(String)

    /// The best means of this machine: the processor's own counter, else callgrind where it is wanted and valgrind is
    /// installed.
    ///
    /// - Parameter wantsCallgrind: Whether counting may cost a second or more for each benchmark.
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

    /// Whether this build can tell callgrind what to count.
    private static var canAskValgrind: Bool {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            true
        #else
            false
        #endif
    }
}

extension MetricDefinition {
    /// Instructions of all threads in one iteration, in user mode.
    static let instructions = MetricDefinition(name: Metric.instructions, unit: "count/iteration")
}

/// Counts instructions through the processor's own counter: of this thread and of those that are started after the
/// probe is made.
///
/// Processors count some interrupts in: a few instructions in a million, differently from run to run (Weaver, Terpstra,
/// Moore: "Non-determinism and overcount on modern hardware performance counter implementations", ISPASS 2013).
final class PerfEventProbe: MetricProbe {
    let metrics = [MetricDefinition.instructions]
    private let descriptor: Int32
    private var before: UInt64 = 0
    /// The instructions that reading the counter takes itself.
    private var overhead = 0.0

    /// `nil` when the system offers no counter.
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

/// Counts instructions of all threads, in a process that runs under callgrind.
///
/// Equal work gives equal counts from process to process. Within one, iterations differ by what the allocator does now
/// and then, which the environment below keeps to a few hundred instructions (decision 13).
final class CallgrindProbe: MetricProbe {
    let metrics = [MetricDefinition.instructions]

    /// Makes an allocation cost the same each time: jemalloc gives no memory back after some time, does not tidy
    /// up the cache of a thread after so many bytes, and lets that cache hold what an iteration frees. Without it,
    /// iterations differ by per cents.
    static let environment = [
        "MALLOC_CONF":
            "dirty_decay_ms:-1,muzzy_decay_ms:-1,tcache_gc_incr_bytes:1099511627776,"
            + "tcache_nslots_small_max:4096,lg_tcache_nslots_mul:8"
    ]

    private let output: String
    private var dumps = 0
    /// The instructions that asking callgrind takes itself.
    private var overhead = 0.0

    /// A probe that reads the files whose names callgrind forms from `output`; `nil` when the process does not run
    /// under valgrind.
    init?(output: String) {
        guard rxbench_runs_on_valgrind() != 0 else { return nil }
        self.output = output
        rxbench_callgrind_start()
        // The first reading holds what is done once.
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

    /// Has callgrind write what it has counted; returns the file.
    private func dump() -> String {
        rxbench_callgrind_dump()
        dumps += 1
        return "\(output).\(dumps)"
    }

    /// The number behind `totals:`, which ends a file of callgrind's (its manual, "Callgrind Format Specification").
    /// Reads the end of the file alone: under callgrind, reading all of it takes longer than most iterations.
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
