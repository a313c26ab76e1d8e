import ArgumentParser
import Foundation
import RxBench
import RxBenchEngine

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures benchmarks, shows a table and stores the result.",
        discussion: """
            Examples:
              rxbench run                            everything, some minutes
              rxbench run subject --processes 31     more processes, narrower intervals
              rxbench run --quick --no-store         a first look
              rxbench run --precision 1 --time 300   until intervals reach no further than 1 %
              rxbench run --exact-only               counts alone, in a few seconds
              rxbench run --shard 2/8                the second of eight parts, for another machine
              rxbench run --instructions             instructions too, on any machine with valgrind
              rxbench run --order changed            first what differs most from the run before

            Counts come from separate processes that read no clock. Time comes from several short processes for each \
            benchmark, in random order; the figure is the median of their medians, and '±' is how far the interval of \
            that median reaches. 'MDE' is the smallest change that such a run shows in four of five cases; 'outliers' \
            are processes far from the others, which are kept. Times are those under the system's allocator, which \
            production runs on; '--allocator jemalloc' measures them under the one that counts. Times of several \
            levels, and times that drift, are named below the table. A '~' marks a count that differed between \
            iterations.

            All verbs show times and counts of one operation; 'live' and 'net allocs' are what an iteration leaves \
            behind. Files and JSON hold the counts of an iteration, with the number of its operations.

            Instructions are counted by the processor where it shows its counter. Elsewhere, as in most virtual \
            machines, '--instructions' counts them under valgrind's callgrind, which takes a second or more for each \
            benchmark on top of '--time'.

            'Bars' lists the limits that benchmarks declare. A count is over budget when every iteration is above its \
            limit; that, and live resources left behind, end a run with exit code 1 (allocations: in release builds \
            only). A time or ratio is met, missed or undecided by its interval (undecided below five processes), and \
            never changes the exit code.
            """)

    @Argument(help: "Parts of IDs, globs with '*', or 'tag:<name>'; all benchmarks without any.", completion: .ids)
    var filters: [String] = []
    @Option(help: .value("seconds", "How long the whole run may take, in seconds. (default: 110)")) var time: Double?
    @Option(help: .value("count", "How many processes measure the time of each benchmark. (default: 15)"))
    var processes: Int?
    @Option(
        help: .value(
            "percent", "Stop measuring a benchmark once its interval reaches no further than this, in per cent."))
    var precision: Double?
    @Flag(help: "A first look: 15 seconds, three processes; too few for 'compare' to judge times.") var quick = false
    @OptionGroup var measuring: MeasuringOptions
    @Flag(help: "Count instructions under callgrind where the processor does not show its counter.")
    var instructions = false
    @Option(help: .value("part", "Measure one of several parts, as in '2/8'; 'rxbench merge' puts them together."))
    var shard: String?
    @Flag(help: "Measure counts alone, no times.") var exactOnly = false
    @Flag(help: "Store the raw samples of each process and all latencies, which 'report' then shows.")
    var samples = false
    @OptionGroup var options: ResultOptions
    @Option(help: .value("order", "What stands first: suite, slowest or changed.")) var order = ShownOrder.suite

    func validate() throws {
        try checkSeconds("--time", time)
        try checkPercent("--precision", precision)
        if let processes, !(1...1000).contains(processes) {
            throw ValidationError("'--processes \(processes)' is not between 1 and 1000.")
        }
        if let shard, Shard(shard) == nil {
            throw ValidationError(
                "'--shard \(shard)' is no part: write two numbers, as in '2/8' for the second of eight.")
        }
        if exactOnly,
            let given = time.map({ _ in "--time" }) ?? processes.map({ _ in "--processes" })
                ?? (quick ? "--quick" : nil)
        {
            throw ValidationError("'--exact-only' measures no times, and '\(given)' says how. Give one of them.")
        }
    }

    /// The largest number of processes if a precision ends the run. Such a run may take longer than one without a
    /// precision.
    private static let mostProcesses = 60

    func run() throws {
        let all = try Selection.benchmarks(filters, in: RxBenchMain.current.catalog)
        let part = shard.flatMap { Shard($0) }
        let selected = part?.part(of: all) ?? all
        let environment = Environment.current(isTracing: CoreProbes.isTracing)
        let store = options.stored.store
        if !options.noStore { try store.check(machine: environment.machine) }
        for warning in Self.warnings(environment) { Console.warn(warning) }
        let result = try measure(selected, part, environment)
        let report = RunReport(try order.applied(to: result, in: store))
        let outcome = Self.outcome(report)
        // The result is shown before it is stored: a disk that has filled up in the meantime must not discard minutes
        // of measurements.
        if options.json {
            Console.print(result.encoded())
        } else {
            Console.print(
                report.text(markdown: options.markdown, columns: Console.resultColumns, isGrouped: order == .suite)
                    + "\n")
        }
        if !options.noStore { try store.keep(result) }
        try Console.end(report.verdict, outcome, toErrors: options.json)
    }

    private func measure(
        _ selected: [Benchmark], _ part: Shard?, _ environment: RxBenchEngine.Environment
    ) throws -> RunResult {
        let defaults = RunOptions()
        let options = RunOptions(
            totalSeconds: time ?? (quick ? 15 : defaults.totalSeconds),
            processes: processes ?? (quick ? 3 : precision == nil ? defaults.processes : Self.mostProcesses),
            seed: measuring.order.drawSeed(), timeoutSeconds: measuring.timeout,
            instructions: .available(wantsCallgrind: instructions), isExactOnly: exactOnly,
            precision: precision.map { $0 / 100 }, allocator: measuring.allocator, keepsSamples: samples)
        let place = part.map { ", shard \($0)" } ?? ""
        Console.note("Measuring \(Figures.counted(selected.count, "benchmark"))\(place), seed \(options.seed).")
        let executable = try RxBenchMain.executable
        Interruption.install()
        let date = Date()
        let commit = Commit.current(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
        let start = MonotonicClock.nanoseconds
        let measurements = try ProgressLine.shown(ifInterrupted: "the workers have ended and nothing was stored.") {
            (line) throws(Interrupted) in
            try Runner(executable: executable, options: options, progress: line.show).run(selected)
        }
        let seconds = Double(MonotonicClock.nanoseconds - start) / 1e9
        let information = RunInformation(
            date: date.formatted(.iso8601), arguments: StoredArguments.withoutPaths(RxBenchMain.current.arguments),
            seed: options.seed, processes: options.processes, durationSeconds: (seconds * 10).rounded() / 10,
            filters: filters,
            allocator: measurements.allocator, shard: part)
        return RunResult(
            run: information, environment: environment, commit: commit, control: measurements.control,
            benchmarks: try LeakMarks.marked(measurements.results, selected, timeoutSeconds: measuring.timeout))
    }

    static func outcome(_ report: RunReport) -> Outcome {
        if !report.leaking.isEmpty || !report.overBudget.isEmpty || !report.forbidden.isEmpty { return .regression }
        return report.failures.isEmpty ? .fine : .failed
    }

    /// Returns warnings about conditions that spoil the measurement.
    ///
    /// - Parameter measuresThisBuild: Whether the measured code is the build of this process.
    static func warnings(_ environment: RxBenchEngine.Environment, measuresThisBuild: Bool = true) -> [String] {
        var warnings: [String] = []
        if measuresThisBuild, environment.configuration == "debug" {
            warnings.append("this is a debug build; its times mean nothing. Build with '-c release'.")
        }
        if environment.isTracing {
            warnings.append("resource tracing is on; subscribing and disposing cost more than without it.")
        }
        if let load = environment.loadAverage.value, load > Double(environment.cores) / 2 {
            let cores = Figures.counted(environment.cores, "core")
            warnings.append("the machine is busy (load \(load) on \(cores)); times will be noisy.")
        }
        // A process with a lower priority gets only the processor time that other processes leave.
        if getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) > 0 {
            warnings.append(
                """
                this process runs under 'nice' and yields to others. If the machine has other work, a run takes \
                several times as long. Start it without 'nice'.
                """)
        }
        return warnings
    }
}

/// Prepares the tool's arguments for storing. Paths of folders are removed, because they may contain a user's name.
enum StoredArguments {
    static func withoutPaths(_ arguments: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for argument in arguments {
            if !isValue, !argument.hasPrefix("--output"), !argument.hasPrefix("-o") { kept.append(argument) }
            isValue = argument == "--output" || argument == "-o"
        }
        return kept
    }
}

/// The order in which a run shows benchmarks. The stored result keeps the order of the suites.
enum ShownOrder: String, ExpressibleByArgument {
    case suite, slowest
    /// Benchmarks whose time differs most from the newest result of this machine come first.
    case changed

    func applied(to result: RunResult, in store: ResultStore) throws -> RunResult {
        let rank: (BenchmarkResult) -> Double
        switch self {
        case .suite: return result
        case .slowest: rank = { Self.time(of: $0) ?? 0 }
        case .changed:
            let machine = result.environment.machine
            guard let file = store.files.last(where: { $0.machine == machine && !$0.isShard }),
                let data = FileManager.default.contents(atPath: file.path)
            else {
                Console.note("No earlier result of this machine is stored: nothing is known to have changed.")
                return result
            }
            let earlier = try RunResult.decoded(from: Array(data), name: file.stem)
            let times = Dictionary(
                earlier.benchmarks.compactMap { each in Self.time(of: each).map { (each.id, $0) } },
                uniquingKeysWith: { first, _ in first })
            rank = { each in
                guard let before = times[each.id], let now = Self.time(of: each) else { return 0 }
                return abs(log(now / before))
            }
        }
        return RunResult(
            run: result.run, environment: result.environment, commit: result.commit, control: result.control,
            benchmarks: result.benchmarks.sorted { rank($0) > rank($1) })
    }

    /// Returns the time of an operation in nanoseconds, or `nil` if it is unknown or not positive.
    private static func time(of benchmark: BenchmarkResult) -> Double? {
        benchmark.metric(Metric.time)?.reading.value.flatMap { $0 > 0 ? $0 : nil }
    }
}
