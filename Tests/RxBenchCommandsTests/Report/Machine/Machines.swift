@testable import RxBenchEngine

/// Invented machines for tests.
enum Machines {
    static let clean = MachineReadings(
        onlineCores: 8, allowedCores: .value(8), quota: .value(ProcessorQuota(cores: nil)), loadAverage: .value(0.1),
        idle: .value(window(ticks: 800, seconds: 1)), busy: .value(window()), governors: .value(["performance"]),
        isBoosting: .value(false),
        isVirtual: .value(false),
        timer: TimerReading(resolutionNanoseconds: 20, costNanoseconds: 25, source: .value("tsc")),
        hugePages: .value("madvise"), layout: .value(layout(2, false)), memory: .value(memory(available: 12 << 30)),
        jemalloc: .value("5.3.0"),
        allocatorOptions: nil, valgrind: .value("3.19.0"),
        instructionCounter: .value("available"), isCounterForbidden: false, configuration: "release", isTracing: false,
        noise: [noise(spread: 0.01), NoiseReading(workload: "allocation", sides: noise(spread: 0.02).sides)])

    /// A machine with another system, without valgrind and jemalloc.
    static var unreadable: MachineReadings {
        var readings = clean
        let reason = "only Linux reports it"
        readings.allowedCores = .unavailable(reason)
        readings.quota = .unavailable(reason)
        readings.loadAverage = .unavailable("the system keeps no load average")
        readings.idle = .unavailable(reason)
        readings.busy = .unavailable(reason)
        readings.governors = .unavailable(reason)
        readings.isBoosting = .unavailable(reason)
        readings.isVirtual = .unavailable("the system does not report it")
        readings.timer.source = .unavailable(reason)
        readings.hugePages = .unavailable(reason)
        readings.layout = .unavailable(reason)
        readings.memory = .unavailable(reason)
        readings.jemalloc = .unavailable("built without the Jemalloc trait")
        readings.valgrind = .unavailable("valgrind is not installed")
        readings.instructionCounter = .unavailable(
            "the kernel forbids it: perf_event_paranoid is 3, and 2 is the most that allows it")
        readings.isCounterForbidden = true
        readings.noise = [
            NoiseReading(workload: "arithmetic", sides: .unavailable("a process failed: Planted")),
            NoiseReading(workload: "allocation", sides: .value(NoiseSides(first: [1, 2], second: [1, 2]))),
        ]
        return readings
    }

    static func window(
        ticks: Int = 2_000, stolen: Int = 0, working: Int = 0, seconds: Double = 10, swapped: Int = 0,
        others: [ProcessorUser] = []
    ) -> ProcessorWindow {
        ProcessorWindow(
            ticks: ticks, stolenTicks: stolen, workingTicks: working, seconds: seconds, swappedPages: swapped,
            others: others)
    }

    static func user(_ process: Int, _ name: String, _ cores: Double) -> ProcessorUser {
        ProcessorUser(process: process, name: name, cores: cores)
    }
    static func quota(_ cores: Double) -> ProcessorQuota { ProcessorQuota(cores: cores) }
    static func layout(_ level: Int, _ isOff: Bool) -> LayoutReading {
        LayoutReading(level: level, isOffForProcess: isOff)
    }

    static func memory(available: UInt64) -> MemoryReading {
        MemoryReading(total: 16 << 30, available: available, swapTotal: 2 << 30, swapUsed: 64 << 20)
    }

    /// Two sides with medians evenly spread from 1 − `spread` to 1 + `spread`. The second side is scaled by `shift`.
    static func noise(spread: Double, shift: Double = 1, sides count: Int = 9) -> NoiseReading {
        let side = (0..<count).map { 1 + spread * (2 * Double($0) / Double(count - 1) - 1) }
        return NoiseReading(
            workload: "arithmetic", sides: .value(NoiseSides(first: side, second: side.map { $0 * shift })))
    }
}
