import ArgumentParser
import Foundation
import RxBench
import RxBenchPairs
import RxBenchReport

struct ABCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ab",
        abstract: "Compares two commits, or a commit with the working tree, with a stated confidence.",
        discussion: """
            Examples:
              rxbench ab main                        the working tree against main
              rxbench ab v1.2 v1.3 merge             two commits, benchmarks with 'merge' in their ID
              rxbench ab main --time 60 operator/map one benchmark, as precisely as a minute allows
              rxbench ab main --precision 0.3        until each interval reaches no further than 0.3 %
              rxbench ab main --no-slower-than 5     until each is shown to be slower by less than 5 %, or by more
              rxbench ab main --processes            for code with state outside its own process image

            Both sides have head's harness and benchmarks; only what is compared ('--subject') is base's in base. They \
            are compiled below '.build/rxbench-ab', linked in many orders and loaded into one process, which times \
            them in turns; many short processes do so, and the unit of the statistics is the link order. The second \
            comparison of a commit starts at once.

            slower, faster   head differs from base, with 1 % probability of saying so of any unchanged benchmark \
            (Holm's correction)
            same             the 99 % interval lies within the margin
            inconclusive     neither: give it more time, or a wider margin
            layout-suspect   the time changed while instructions and allocations are equal: its place in memory may be \
            all; no regression by itself

            The last line names the slowdown that none exceeds, as far as was shown. '--no-slower-than' decides by \
            that bound and ends as soon as it is decided for all: what is settled takes no more time from what is \
            open. Sides whose machine code is identical are not measured.

            Benchmarks that record latencies are compared by their quantiles, a row for p50 and one for p99. Those \
            tagged 'unsteady', whose threads contend, are compared only where words select them: unchanged code \
            differs there from process to process.

            'sees' is the change that this comparison would have found in 80 % of cases. A control, base against \
            itself in other link orders, runs beside; when it differs, nothing is concluded.

            More allocations, bytes or allocations left behind are a regression, as in 'compare'. Each iteration's \
            result is checked first and last.

            Exit codes: 0 nothing slower, or by no more than was asked for; 1 slower, or counts that rose; 3 a \
            benchmark or a build failed; 4 inconclusive, slower but layout-suspect, a benchmark or a count that head \
            lacks, or nothing to compare; 64 wrong usage.
            """)

    @Argument(help: "The commit to compare with: a hash, a branch, a tag.")
    var base: String
    @Argument(
        help:
            "The changed commit, or '.' for the working tree; further words select benchmarks as in 'run'. (default: .)"
    )
    var rest: [String] = []
    @Option(
        help: ArgumentHelp(
            """
            The changed commit, where its name could be taken for a part of an ID; all words behind BASE select \
            benchmarks then.
            """,
            valueName: "commit"))
    var head: String?
    @Option(
        help: ArgumentHelp(
            "How long to measure at most, in seconds. (default: 60, more for many benchmarks)", valueName: "seconds"))
    var time: Double?
    @Option(help: ArgumentHelp("The difference that does not matter, in per cent.", valueName: "percent"))
    var margin = 0.5
    @Option(
        help: ArgumentHelp("Measure until intervals reach no further than this, in per cent.", valueName: "percent"))
    var precision: Double?
    @Option(
        help: ArgumentHelp("The slowdown that decides, in per cent: less passes, more does not.", valueName: "percent"))
    var noSlowerThan: Double?
    @Flag(help: "Measure sides of identical machine code too: to see what the measuring itself does.")
    var measureIdentical = false
    @Option(help: ArgumentHelp("Fixes the order of the processes. (default: random)", valueName: "number"))
    var seed: UInt32?
    @Option(
        help: ArgumentHelp(
            "How many link orders of each side. (default: 16, more for many benchmarks)", valueName: "count"))
    var layouts: Int?
    @Option(
        help: ArgumentHelp(
            "What allocates where time is measured: system or jemalloc, which counts always use. (default: system)",
            valueName: "name"))
    var allocator = TimeAllocator.system
    @Flag(help: "Run each side in a process of its own.")
    var processes = false
    @Option(
        help: ArgumentHelp("A path that is compared, from the repository's root; may be repeated.", valueName: "path"))
    var subject: [String] = []
    @Option(
        help: ArgumentHelp("The package with the suite. (default: that of the current folder)", valueName: "folder"))
    var packagePath: String?
    @Option(help: ArgumentHelp("A process that takes longer has failed, in seconds.", valueName: "seconds"))
    var timeout = 60.0
    @Flag(help: "Write JSON.")
    var json = false
    @Flag(help: "Write Markdown, headed by the verdict: for a comment on a pull request.")
    var markdown = false

    func validate() throws {
        if let time, !(time > 0 && time <= 86_400) {
            throw ValidationError("'--time \(time)' is not between 0 and 86400 seconds.")
        }
        if !(margin >= 0 && margin < 1000) {
            throw ValidationError("'--margin \(margin)' is not between 0 and 1000 per cent.")
        }
        if let precision, !(precision > 0 && precision < 1000) {
            throw ValidationError("'--precision \(precision)' is not between 0 and 1000 per cent.")
        }
        if let noSlowerThan, !(noSlowerThan > 0 && noSlowerThan < 1000) {
            throw ValidationError("'--no-slower-than \(noSlowerThan)' is not between 0 and 1000 per cent.")
        }
        if precision != nil, noSlowerThan != nil {
            throw ValidationError("'--precision' and '--no-slower-than' both say when to stop. Give one of them.")
        }
        if let layouts, !(10...500).contains(layouts) {
            throw ValidationError("'--layouts \(layouts)' is not between 10 and 500; fewer cannot convince.")
        }
        if !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("'--timeout \(timeout)' is not between 0 and 86400 seconds.")
        }
    }

    func run() throws {
        guard let executable = Bundle.main.executablePath else {
            throw CommandFailure(code: .failed, message: "The tool cannot find its own executable to start workers.")
        }
        Interruption.install()
        do {
            try compare(executable)
        } catch let failure as BuildFailure {
            throw CommandFailure(code: failure.isPassing ? .inconclusive : .failed, message: failure.description)
        } catch let interrupted as Interrupted {
            Console.note("Interrupted: the workers have ended, and no temporary file is left.")
            throw ExitCode(128 + interrupted.signal)
        }
    }

    private func compare(_ executable: String) throws {
        let begin = MonotonicClock.nanoseconds
        let package = try PackageFolder.find(packagePath)
        let builder = try ImageBuilder(
            package: package, product: (executable as NSString).lastPathComponent, comparing: subject,
            recipe: RxBenchMain.current.recipe, announce: Console.note)
        let (old, new, filters) = try revisions(builder)
        // The working tree's benchmarks are this tool's, so that a wrong word is refused before anything is built.
        if new.revision == .workingTree { _ = try Selection.benchmarks(filters, in: RxBenchMain.current.catalog) }
        for warning in RunCommand.warnings(Environment.current(isTracing: false)) where !warning.contains("debug build")
        { Console.warn(warning) }
        let built = try builder.build(base: old.revision, head: new.revision)
        for omission in built.base.omissions { Console.note("not in \(old.name): \(omission)") }
        if !built.uncompared.isEmpty { try refuse(built.uncompared, old, new) }
        let catalog = try PairedCatalog(
            of: built.base.image, built.head.image, retiring: built.retired, executable: executable,
            timeoutSeconds: timeout)
        let (selected, leftOut) = try Selection.ids(filters, among: catalog.all)
        let seed = UInt64(seed ?? UInt32.random(in: 0 ... .max))
        let options = PairedOptions(
            totalSeconds: time
                ?? Self.seconds(
                    forBenchmarks: selected.count, isBounded: noSlowerThan != nil,
                    spent: Double(MonotonicClock.nanoseconds - begin) / 1e9),
            margin: margin / 100,
            precision: precision.map { $0 / 100 }, noSlowerThan: noSlowerThan.map { $0 / 100 }, seed: seed,
            layouts: layouts,
            isInTwoProcesses: processes, measuresIdenticalCode: measureIdentical,
            allocator: allocator, timeoutSeconds: timeout)
        Console.note(
            """
            Comparing \(Figures.counted(selected.count, "benchmark")) for up to \(Int(options.totalSeconds)) s, \
            seed \(seed).
            """
        )
        let line = ProgressLine()
        defer { line.finish() }
        var measurements = try PairedRunner(
            executable: executable, options: options, base: built.base.image, head: built.head.image,
            progress: line.show
        ).run(selected, in: catalog)
        measurements.leftOut = leftOut
        line.finish()
        try show(measurements, old, new, options)
    }

    /// Ends a comparison of sides whose compared files are equal, while others differ that both take from head.
    private func refuse(_ files: [String], _ old: Side, _ new: Side) throws {
        let named =
            files.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
            + (files.count > 5 ? " and \(files.count - 5) more" : "")
        let folder = (files[0] as NSString).deletingLastPathComponent
        let verdict = """
            Nothing was compared: what differs between \(old.name) and \
            \(new.revision == .workingTree ? "the working tree" : new.name) lies with the benchmarks, which are head's \
            on both sides: \(named). Name the code that is compared, as in '--subject \
            \(folder.isEmpty ? files[0] : folder)', or move it to a target of its own.
            """
        if json {
            try Console.print(json: Uncompared(base: old.name, head: new.name, uncompared: files, verdict: verdict))
        }
        Console.verdict(verdict, outcome: .inconclusive, toErrors: json)
        throw ExitCode(Outcome.inconclusive.rawValue)
    }

    /// Base, head, and the words that select benchmarks. Without '--head', the first further word is head when it names
    /// a commit.
    private func revisions(_ builder: ImageBuilder) throws -> (Side, Side, [String]) {
        func side(_ name: String) throws -> Side {
            do { return Side(name, try builder.revision(name)) } catch let failure as BuildFailure {
                throw CommandFailure(code: .usage, message: failure.description)
            }
        }
        let old = try side(base)
        if let head { return (old, try side(head), rest) }
        guard let first = rest.first, let new = try? builder.revision(first) else {
            return (old, Side(".", .workingTree), rest)
        }
        guard BenchmarkFilter.select([first], from: RxBenchMain.current.catalog.benchmarks).isEmpty || first == "."
        else {
            throw CommandFailure(
                code: .usage,
                message:
                    """
                    '\(first)' names a commit and selects benchmarks. Write '--head \(first)' for the commit, or \
                    add '--head .' to select benchmarks.
                    """
            )
        }
        return (old, Side(first, new), Array(rest.dropFirst()))
    }

    /// A compared revision, and how reports call it: as it was typed, with the beginning of its hash.
    private struct Side {
        let revision: Revision
        let name: String

        init(_ typed: String, _ revision: Revision) {
            self.revision = revision
            name =
                if case .commit(let hash) = revision, !hash.hasPrefix(typed) { "\(typed) (\(hash.prefix(8)))" } else {
                    revision.name
                }
        }
    }

    private func show(_ measurements: PairedMeasurements, _ old: Side, _ new: Side, _ options: PairedOptions) throws {
        let report = PairedReport(measurements, base: old.name, head: new.name)
        let outcome = Self.outcome(report.conclusion)
        if json {
            let summary = Summary(
                base: old.name, head: new.name, seed: options.seed, marginPercent: margin, measurements: measurements,
                verdict: report.verdict)
            try Console.print(json: summary)
        } else if markdown {
            Console.print(report.markdown)
        } else {
            if !report.table.rows.isEmpty { Console.print(report.table.text + "\n") }
            for note in report.notes { Console.print(note) }
        }
        Console.verdict(report.verdict, outcome: outcome, toErrors: json || markdown)
        if outcome != .fine { throw ExitCode(outcome.rawValue) }
    }

    private struct Uncompared: Encodable {
        let schemaVersion = 1
        let base, head: String
        let uncompared: [String]
        let verdict: String
    }

    private struct Summary: Encodable {
        let schemaVersion = 1
        let base, head: String
        let seed: UInt64
        let marginPercent: Double
        let measurements: PairedMeasurements
        let verdict: String
    }

    /// How long so many benchmarks are measured at most where nobody says, when compiling has taken `spent` seconds.
    /// Where a bound decides, a whole suite ends within ten minutes, its compiling and linking included.
    static func seconds(forBenchmarks count: Int, isBounded: Bool, spent: Double) -> Double {
        max(60, min(3 * Double(count), isBounded ? max(360, 540 - spent) : .infinity))
    }

    private static func outcome(_ conclusion: PairedReport.Conclusion) -> Outcome {
        switch conclusion {
        case .fine: .fine
        case .regression: .regression
        case .failed: .failed
        case .inconclusive: .inconclusive
        }
    }
}

/// Where the package with the suite lies.
enum PackageFolder {
    /// The folder at `path`, or the nearest one with a manifest from the current folder upwards, or from the
    /// executable.
    static func find(_ path: String?) throws(CommandFailure) -> String {
        func isPackage(_ folder: URL) -> Bool {
            FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        }
        if let path {
            guard isPackage(URL(fileURLWithPath: path)) else {
                throw CommandFailure(
                    code: .usage,
                    message: "'\(path)' holds no Package.swift. Name the folder of the package with the suite.")
            }
            return URL(fileURLWithPath: path).standardizedFileURL.path
        }
        let executable = URL(fileURLWithPath: Bundle.main.executablePath ?? "/").deletingLastPathComponent()
        for start in [URL(fileURLWithPath: FileManager.default.currentDirectoryPath), executable] {
            var folder = start.standardizedFileURL
            while folder.path != "/" {
                if isPackage(folder) { return folder.path }
                folder = folder.deletingLastPathComponent()
            }
        }
        throw CommandFailure(
            code: .usage,
            message: "There is no Package.swift here or above. Name the package with the suite with '--package-path'.")
    }
}
