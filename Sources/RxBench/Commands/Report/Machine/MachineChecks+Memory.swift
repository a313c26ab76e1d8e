import RxBenchEngine

/// The checks of memory, of the measuring instruments, and of the noise.
extension MachineChecks {
    static func hugePages(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("huge pages", readings.hugePages) { mode in
            guard mode == "always" else { return .fine("huge pages", "transparent huge pages '\(mode)'") }
            return .attention(
                "huge pages",
                "transparent huge pages 'always': the kernel swaps a heap's pages for large ones while it is measured",
                "'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled'.")
        }
    }

    /// Checks that each process gets a new memory layout. The median over processes then does not depend on a single
    /// layout.
    static func layout(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("layout", readings.layout) { layout in
            if layout.isOffForProcess {
                return .attention(
                    "layout", "this process was started without random addresses",
                    """
                    All workers share one layout, whose luck passes for speed: start the tool without a debugger \
                    and without 'setarch -R'.
                    """
                )
            }
            guard layout.level < 2 else {
                return .fine("layout", "addresses are random (ASLR 2): every process has its own layout")
            }
            return .attention(
                "layout", "addresses are \(layout.level == 1 ? "random in part" : "not random") (ASLR \(layout.level))",
                "All workers share one layout, whose luck passes for speed: 'sysctl kernel.randomize_va_space=2'.")
        }
    }

    static func memory(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("memory", readings.memory) { memory in
            let text = "\(Figures.bytes(Double(memory.available))) of \(Figures.bytes(Double(memory.total))) available"
            guard memory.available < max(512 << 20, memory.total / 20) else { return .fine("memory", text) }
            return .attention(
                "memory", text, "Soon the kernel reclaims pages while it is measured: end what holds memory.")
        }
    }

    /// Checks whether pages are being swapped. Used swap space does no harm by itself, but pages that move do.
    static func swap(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("swap", readings.memory) { memory in
            let windows = [readings.idle.value, readings.busy.value].compactMap { $0 }
            let moved = windows.reduce(0) { $0 + $1.swappedPages }
            let text =
                memory.swapTotal == 0
                ? "no swap space"
                : "\(Figures.bytes(Double(memory.swapUsed))) of \(Figures.bytes(Double(memory.swapTotal))) in use"
            guard !windows.isEmpty else { return .fine("swap", "\(text); whether pages move is not known") }
            guard moved > 0 else { return .fine("swap", "\(text), and no page moved") }
            return .attention(
                "swap", "\(text), and \(Figures.counted(moved, "page")) moved while it was watched",
                "End what holds memory, or 'swapoff -a'.")
        }
    }

    static func jemalloc(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of(
            "jemalloc", readings.jemalloc,
            otherwise: "Allocations are then not counted: install libjemalloc-dev and build with '--traits default'."
        ) { version in
            guard let options = readings.allocatorOptions else {
                return .fine("jemalloc", "version \(version) is linked; allocations are counted")
            }
            return .attention(
                "jemalloc", "version \(version) is linked, and MALLOC_CONF is '\(options)'",
                "Times are measured with these options, and differ from those without: 'unset MALLOC_CONF'.")
        }
    }

    static func valgrind(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of(
            "valgrind", readings.valgrind,
            otherwise: "Callgrind counts instructions on any machine: 'apt-get install valgrind'."
        ) {
            .fine("valgrind", "version \($0) is installed")
        }
    }

    static func instructionCounter(_ readings: MachineReadings) -> MachineFinding {
        let remedy =
            readings.isCounterForbidden
            ? "'sysctl kernel.perf_event_paranoid=2' allows it." : "Callgrind counts instructions on any machine."
        return MachineFinding.of("perf events", readings.instructionCounter, otherwise: remedy) { _ in
            .fine("perf events", "the processor counts instructions for this process")
        }
    }

    /// Compares the noise with the default margin of 'compare'.
    static func noise(_ reading: NoiseReading) -> MachineFinding {
        let name = "noise: \(reading.workload)"
        return MachineFinding.of(name, reading.sides) { sides in
            let usual = RunOptions().processes
            guard let floor = NoiseFloor(first: sides.first, second: sides.second, processes: usual) else {
                let count = min(sides.first.count, sides.second.count)
                return .unavailable(
                    name,
                    because:
                        "\(Figures.counted(count, "process", "processes")) a side \(count == 1 ? "is" : "are") too few",
                    "Run it without '--quick' and when less else runs.")
            }
            let ratio = floor.comparison
            let text = """
                two runs of \(usual) processes see a change of \(percent(floor.detectable)) \
                [\(percent(floor.interval.low)) \(percent(floor.interval.high))]; identical sides came out \
                \(Figures.change(ratio: ratio.ratio)) apart [\(Figures.change(ratio: ratio.interval.low)) \
                \(Figures.change(ratio: ratio.interval.high))], \(sides.first.count) processes each
                """
            if floor.sidesDiffer {
                return .attention(
                    name, text,
                    """
                    Identical code was told apart: the machine changed meanwhile. Run it again; if it stays, trust \
                    counts alone.
                    """
                )
            }
            guard floor.interval.high > margin else { return .fine(name, text) }
            guard floor.detectable > margin else {
                let doubt = "So few processes leave open whether \(percent(margin)) can be seen"
                return .attention(name, text, "\(doubt): run it again without '--quick', or when less else runs.")
            }
            let needed = floor.processes(toSee: margin)
            let remedy =
                needed <= 1000
                ? "'--processes \(needed)' would bring it to \(percent(margin)), or a quieter machine."
                : "Trust counts alone here."
            return .attention(name, text, remedy)
        }
    }

    private static let margin = 0.05
}
