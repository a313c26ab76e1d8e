import RxBench
import RxBenchEngine
import Testing

@testable import RxBenchCommands

/// Each check finds its planted fault, and finds nothing on the clean machine.
@Suite("Machine checks") struct MachineChecksTests {
    typealias Planted = (
        check: String, plant: @Sendable (inout MachineReadings) -> Void, reading: String, remedy: String
    )

    private static let planted: [Planted] = [
        (
            "build", { $0.configuration = "debug" }, "debug build, tracing off",
            "Times of a debug build mean nothing: build with '-c release'."
        ),
        (
            "build", { $0.isTracing = true }, "release build, tracing on",
            "Subscribing and disposing cost more than without: build without the trait TRACE_RESOURCES."
        ),
        (
            "cores",
            {
                $0.onlineCores = 1
                $0.allowedCores = .value(1)
            }, "1 of 1 core may be used",
            "Other processes interrupt the benchmark, and races hardly occur: measure on two cores or more."
        ),
        (
            "cores", { $0.allowedCores = .value(1) }, "1 of 8 cores may be used",
            """
            Whatever else runs there interrupts the benchmark, and races hardly occur: widen the affinity, as in \
            'taskset -c 0,1'.
            """
        ),
        (
            "quota", { $0.quota = .value(Machines.quota(1.5)) }, "a control group grants the time of 1.50 cores",
            "Beyond it, processes are stopped for milliseconds: lift the container's CPU limit."
        ),
        (
            "steal", { $0.busy = .value(Machines.window(stolen: 240)) },
            "12.0 % of the processor time went to others on the host (240 of 2000 ticks in 10.0 s)",
            "Measure on a machine with dedicated cores, or at another time."
        ),
        (
            "steal",
            {
                $0.busy = .unavailable("the noise was not measured")
                $0.idle = .value(Machines.window(ticks: 200, stolen: 24, seconds: 1))
            },
            """
            12.0 % of the processor time went to others on the host (24 of 200 ticks in 1.00 s, hardly working: \
            more may show while measuring)
            """,
            "Measure on a machine with dedicated cores, or at another time."
        ),
        (
            "load", { $0.loadAverage = .value(4.5) }, "4.50 runnable processes in the last minute on 8 cores",
            "Wait until other work has ended; the average follows within some minutes."
        ),
        (
            "other work",
            {
                $0.idle = .value(
                    Machines.window(
                        ticks: 800, working: 130, seconds: 1, others: [Machines.user(7, "comp\u{1B}[31m\niler", 1.25)]))
            },
            "1.30 cores at work while this tool slept for 1.00 s; comp?[31m?iler (7): 1.25",
            "End these processes, or measure when they are done."
        ),
        (
            "governor", { $0.governors = .value(["performance", "powersave"]) },
            "frequency governor 'performance', 'powersave'",
            "The frequency follows the load: 'cpupower frequency-set -g performance'."
        ),
        (
            "turbo", { $0.isBoosting = .value(true) },
            "on: the frequency depends on temperature and on the other cores",
            "Write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost."
        ),
        (
            "timer",
            {
                $0.timer.costNanoseconds = 1_400
                $0.timer.source = .value("hpet")
            }, "a reading costs 1.40 µs and steps by 20.0 ns, source 'hpet'",
            "The kernel has no fast clock: look for 'clocksource' in its log, and for a source 'tsc'."
        ),
        (
            "timer", { $0.timer.resolutionNanoseconds = 4_000_000 },
            "a reading costs 25.0 ns and steps by 4.00 ms, source 'tsc'",
            "The kernel has no fast clock: look for 'clocksource' in its log, and for a source 'tsc'."
        ),
        (
            "huge pages", { $0.hugePages = .value("always") },
            "transparent huge pages 'always': the kernel swaps a heap's pages for large ones while it is measured",
            "'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled'."
        ),
        (
            "layout", { $0.layout = .value(Machines.layout(0, false)) }, "addresses are not random (ASLR 0)",
            "All workers share one layout, whose luck passes for speed: 'sysctl kernel.randomize_va_space=2'."
        ),
        (
            "layout", { $0.layout = .value(Machines.layout(2, true)) },
            "this process was started without random addresses",
            """
            All workers share one layout, whose luck passes for speed: start the tool without a debugger and \
            without 'setarch -R'.
            """
        ),
        (
            "memory", { $0.memory = .value(Machines.memory(available: 300 << 20)) }, "300 MiB of 16.0 GiB available",
            "Soon the kernel reclaims pages while it is measured: end what holds memory."
        ),
        (
            "swap", { $0.busy = .value(Machines.window(swapped: 12)) },
            "64.0 MiB of 2.00 GiB in use, and 12 pages moved while it was watched",
            "End what holds memory, or 'swapoff -a'."
        ),
        (
            "jemalloc", { $0.allocatorOptions = "junk:true" },
            "version 5.3.0 is linked, and MALLOC_CONF is 'junk:true'",
            "Times are measured with these options, and differ from those without: 'unset MALLOC_CONF'."
        ),
        (
            "noise: arithmetic", { $0.noise[0] = Machines.noise(spread: 0.15) },
            """
            two runs of 15 processes see a change of 16.9 % [7.88 % 23.6 %]; identical sides came out +0.0 % apart \
            [−14.5 % +16.9 %], 9 processes each
            """,
            "'--processes 172' would bring it to 5.00 %, or a quieter machine."
        ),
        (
            "noise: arithmetic", { $0.noise[0] = Machines.noise(spread: 0.045) },
            """
            two runs of 15 processes see a change of 4.66 % [2.36 % 7.09 %]; identical sides came out +0.0 % apart \
            [−4.4 % +4.7 %], 9 processes each
            """,
            """
            So few processes leave open whether 5.00 % can be seen: run it again without '--quick', or when less \
            else runs.
            """
        ),
        (
            "noise: arithmetic", { $0.noise[0] = Machines.noise(spread: 0.15, sides: 3) },
            """
            two runs of 15 processes see a change of 22.2 % [0 % 31.5 %]; identical sides came out +0.0 % apart \
            [−26.1 % +35.3 %], 3 processes each
            """,
            ""
        ),
        (
            "noise: arithmetic", { $0.noise[0] = Machines.noise(spread: 0.01, shift: 1.1) },
            "",
            """
            Identical code was told apart: the machine changed meanwhile. Run it again; if it stays, trust counts \
            alone.
            """
        ),
    ]

    @Test(arguments: planted.indices) func `a planted fault calls for attention, and nothing else does`(
        index: Int
    ) throws {
        let (check, plant, reading, remedy) = Self.planted[index]
        var readings = Machines.clean
        plant(&readings)
        let findings = MachineChecks.findings(readings).filter { $0.status == .attention }
        #expect(findings.map(\.check) == [check])
        let finding = try #require(findings.first)
        if !reading.isEmpty { #expect(finding.reading == reading) }
        if !remedy.isEmpty { #expect(finding.remedy == remedy) }
        #expect(!MachineReport(findings).isFit)
    }

    @Test func `a clean machine is fit`() {
        let report = MachineReport(MachineChecks.findings(Machines.clean))
        #expect(report.isFit)
        #expect(report.verdict == "Fit to measure: 19 fine, 0 unavailable.")
        #expect(report.findings.allSatisfy { $0.remedy == nil })
    }

    @Test(
        arguments: [
            { $0.loadAverage = .value(3.9) },
            { $0.busy = .value(Machines.window(stolen: 20)) },
            { $0.quota = .value(Machines.quota(8)) },
            { $0.allowedCores = .value(2) },
            { $0.hugePages = .value("never") },
            { $0.isVirtual = .value(true) },
            { $0.memory = .value(Machines.memory(available: 900 << 20)) },
        ] as [@Sendable (inout MachineReadings) -> Void]) func `what lies within bounds is fine`(
            change: @Sendable (inout MachineReadings) -> Void
        )
    {
        var readings = Machines.clean
        change(&readings)
        #expect(MachineReport(MachineChecks.findings(readings)).isFit)
    }

    @Test func `what cannot be read is unavailable, with the reason and what to do, and keeps the machine fit`() {
        let report = MachineReport(MachineChecks.findings(Machines.unreadable))
        #expect(report.isFit)
        #expect(report.verdict == "Fit to measure: 2 fine, 17 unavailable.")
        #expect(
            report.table.text.split(separator: "\n").suffix(7).joined(separator: "\n") == """
                memory             unavailable  because only Linux reports it.
                swap               unavailable  because only Linux reports it.
                jemalloc           unavailable  because built without the Jemalloc trait. Allocations are then not \
                counted: install libjemalloc-dev and build with '--traits default'.
                valgrind           unavailable  because valgrind is not installed. Callgrind counts instructions on \
                any machine: 'apt-get install valgrind'.
                perf events        unavailable  because the kernel forbids it: perf_event_paranoid is 3, and 2 is the \
                most that allows it. 'sysctl kernel.perf_event_paranoid=2' allows it.
                noise: arithmetic  unavailable  because a process failed: Planted.
                noise: allocation  unavailable  because 2 processes a side are too few. Run it without '--quick' and \
                when less else runs.
                """)
    }

    @Test func `counters that stand still give no share`() {
        var readings = Machines.clean
        readings.busy = .value(Machines.window(ticks: 0, working: 0))
        let finding = MachineChecks.findings(readings).first { $0.check == "steal" }
        #expect(finding?.status == .unavailable)
        #expect(finding?.reading == "the processors' counters did not move")
    }

    @Test func `the verdict names what wants attention`() {
        var readings = Machines.clean
        readings.loadAverage = .value(9)
        readings.hugePages = .value("always")
        readings.governors = .unavailable("planted")
        #expect(
            MachineReport(MachineChecks.findings(readings)).verdict
                == "Attention: load, huge pages. The other checks: 16 fine, 1 unavailable.")
    }
}
