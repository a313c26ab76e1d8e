import ArgumentParser
import Foundation
import RxBench
import RxBenchEngine

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

            Both sides have head's harness and benchmarks. The compared folders ('--subject'), the manifests and the \
            resolved versions are each side's own. The first line names every other file that differs. Both sides are \
            compiled in '.build/rxbench-ab', linked in many orders and loaded into one process, which times them in \
            turns. Many short processes repeat this, and the unit of the statistics is the link order. The second \
            comparison of a commit starts at once.

            slower, faster   head differs from base, with 1 % probability of saying so of any unchanged benchmark \
            (Holm's correction)
            same             the 99 % interval lies within the margin
            within 5 %       no change was shown, and a slowdown of 5 % or more is ruled out
            inconclusive     none of these: give it more time
            not judged       the comparison has not looked at it; the first line says why, and what to add
            layout-suspect   the time changed while instructions and allocations are equal: the layout in memory may \
            be the only reason; not a regression by itself

            The last line is the finding in a sentence, the worse benchmarks first. '--no-slower-than' decides by its \
            limit alone, and the comparison ends as soon as every benchmark is decided. Benchmarks that are decided \
            take no time from the others. Sides whose machine code is identical are not measured.

            Benchmarks that record latencies are compared by their quantiles, a row for p50 and one for p99. Those \
            tagged 'unsteady', whose threads contend, are compared only where words select them: unchanged code \
            differs there from process to process.

            'sees' is the smallest change that this comparison finds with 80 % power. A control, base against itself \
            in other link orders, is measured too; when it differs, no time is judged.

            More allocations, bytes or allocations left behind are a regression, as in 'compare'. Each iteration's \
            result is checked first and last.

            Exit codes: 0 nothing slower, or within the limit; 1 slower, or counts that rose; 3 a \
            benchmark or a build failed; 4 inconclusive, slower but layout-suspect, or not judged; 64 wrong usage.
            """)

    @Argument(help: "The commit to compare with: a hash, a branch, a tag.") var base: String
    @Argument(
        help:
            "The changed commit, or '.' for the working tree; further words select benchmarks as in 'run' (default: .)",
        completion: .ids)
    var rest: [String] = []
    @Option(
        help: .value(
            "commit",
            """
            The changed commit, where its name could be taken for a part of an ID; all words behind BASE select \
            benchmarks then.
            """))
    var head: String?
    @Option(help: .value("seconds", "How long to measure at most, in seconds. (default: 60, more for many benchmarks)"))
    var time: Double?
    @Option(help: .value("percent", "The difference that does not matter, in per cent.")) var margin = 0.5
    @Option(help: .value("percent", "Measure until intervals reach no further than this, in per cent."))
    var precision: Double?
    @Option(help: .value("percent", "The slowdown that decides, in per cent: less passes, more does not."))
    var noSlowerThan: Double?
    @Flag(help: "Measure sides of identical machine code too: to see what the measuring itself does.")
    var measureIdentical = false
    @OptionGroup var measuring: MeasuringOptions
    @Option(help: .value("count", "How many link orders of each side. (default: 16, more for many benchmarks)"))
    var layouts: Int?
    @Flag(help: "Run each side in its own process.") var processes = false
    @Flag(help: "Run each side as its own program, which measures a change outside a loaded image.")
    var programs = false
    @Option(help: .value("path", "A path that is compared, from the repository's root; may be repeated."))
    var subject: [String] = []
    @Option(help: .value("folder", "The package with the suite. (default: the package of the current folder)"))
    var packagePath: String?
    @Flag(help: "Write JSON.") var json = false
    @Flag(help: "Write Markdown, headed by the verdict: for a comment on a pull request.") var markdown = false

    func validate() throws {
        try checkSeconds("--time", time)
        try checkPercent("--margin", margin, canBeZero: true)
        try checkPercent("--precision", precision)
        try checkPercent("--no-slower-than", noSlowerThan)
        if precision != nil, noSlowerThan != nil {
            throw ValidationError("'--precision' and '--no-slower-than' both say when to stop. Give one of them.")
        }
        if processes, programs {
            throw ValidationError("'--processes' and '--programs' both say what runs the sides. Give one of them.")
        }
        if let layouts, !(10...500).contains(layouts) {
            throw ValidationError("'--layouts \(layouts)' is not between 10 and 500; fewer cannot convince.")
        }
    }

    func run() throws {
        let executable = try RxBenchMain.executable
        Interruption.install()
        do {
            try compare(executable)
        } catch let failure as BuildFailure {
            throw CommandFailure(Outcome(failure.cause), failure.description)
        } catch let interrupted as Interrupted {
            Console.note("Interrupted: the workers have ended, and no temporary file is left.")
            throw ExitCode(128 + interrupted.signal)
        }
    }

    private func compare(_ executable: String) throws {
        let begin = MonotonicClock.nanoseconds
        let product = (executable as NSString).lastPathComponent
        let builder = try ImageBuilder(
            package: try PackageFolder.find(packagePath), product: product, comparing: subject,
            recipe: RxBenchMain.current.recipe, announce: Console.note)
        let (old, new, filters) = try revisions(builder)
        // The benchmarks of the working tree are the benchmarks of this tool, so a wrong word can be refused before
        // anything is built.
        if new.revision == .workingTree { _ = try Selection.benchmarks(filters, in: RxBenchMain.current.catalog) }
        if new.revision != .workingTree, let idle = Selection.unknown(filters, in: RxBenchMain.current.catalog) {
            Console.note(
                """
                This tool has no benchmark that matches '\(idle.word)'. \(idle.advice) \(new.name) may have one, and \
                is compiled to find out.
                """)
        }
        for warning in RunCommand.warnings(Environment.current(isTracing: false), measuresThisBuild: false) {
            Console.warn(warning)
        }
        let timeout = measuring.timeout
        // Both sides use head's benchmarks, so a wrong word is refused before base is compiled too.
        let built = try builder.build(base: old.revision, head: new.revision) { head, retired in
            let catalog = try PairedCatalog(
                of: head, head, retiring: retired, executable: executable, timeoutSeconds: timeout)
            _ = try Selection.ids(filters, among: catalog.all)
        }
        if built.areSameSources, !built.uncompared.isEmpty { try refuse(built.uncompared, old, new) }
        let catalog = try PairedCatalog(
            of: built.base, built.head, newest: built.newest, retiring: built.retired, executable: executable,
            timeoutSeconds: measuring.timeout)
        let (selected, leftOut) = try Selection.ids(filters, among: catalog.all)
        let needed = PairedRunner.layouts(toConvince: selected, in: catalog)
        if let layouts, layouts < needed {
            Console.note(
                """
                \(layouts) link orders cannot show a change of one in \
                \(Figures.counted(selected.count, "benchmark")); measuring in \(needed).
                """)
        }
        let options = PairedOptions(
            totalSeconds: time
                ?? Self.seconds(
                    forBenchmarks: selected.count, isBounded: noSlowerThan != nil,
                    spent: Double(MonotonicClock.nanoseconds - begin) / 1e9),
            margin: margin / 100, precision: precision.map { $0 / 100 }, noSlowerThan: noSlowerThan.map { $0 / 100 },
            seed: measuring.order.drawSeed(), layouts: layouts.map { max($0, needed) },
            arrangement: programs ? .twoPrograms : processes ? .twoProcesses : .oneProcess,
            measuresIdenticalCode: measureIdentical, allocator: measuring.allocator, timeoutSeconds: measuring.timeout)
        let line = ProgressLine()
        defer { line.finish() }
        let runner = PairedRunner(
            executable: executable, options: options, base: built.base, head: built.head, newest: built.newest,
            progress: line.show)
        let end = noSlowerThan == nil ? "" : " until the bound is decided for all,"
        Console.note(
            """
            Comparing \(Figures.counted(selected.count, "benchmark"))\(end) for up to about \
            \(Figures.duration(seconds: runner.longestSeconds(selected, in: catalog))), seed \(options.seed).
            """
        )
        var measurements = try runner.run(selected, in: catalog)
        measurements.leftOut = leftOut
        measurements.uncompared = built.uncompared
        measurements.arePrograms = programs
        line.finish()
        try show(measurements, old, new, options)
    }

    /// Ends a comparison of two sides whose compared files are equal but whose other files differ. Both sides take the
    /// other files from head, so the comparison would show no difference.
    private func refuse(_ files: [UncomparedFile], _ old: Side, _ new: Side) throws {
        let named =
            files.prefix(5).map { "'\($0.path)'" }.joined(separator: ", ")
            + (files.count > 5 ? " and \(files.count - 5) more" : "")
        let folder = (files[0].path as NSString).deletingLastPathComponent
        let verdict = """
            Not judged: the differences between \(old.name) and \
            \(new.revision == .workingTree ? "the working tree" : new.name) lies with the benchmarks, which are head's \
            on both sides: \(named). Name the code that is compared, as in '--subject \
            \(folder.isEmpty ? files[0].path : folder)', or move it to a target of its own.
            """
        if json {
            try Console.print(json: Uncompared(base: old.name, head: new.name, uncompared: files, verdict: verdict))
        }
        if markdown { Console.print("### \(MarkdownReport.escape(verdict))") }
        try Console.end(verdict, .inconclusive, toErrors: json || markdown)
    }

    /// Returns base, head and the words that select benchmarks. Without '--head', the first of the remaining words is
    /// head if it names a commit.
    private func revisions(_ builder: ImageBuilder) throws -> (Side, Side, [String]) {
        func side(_ name: String) throws -> Side {
            do { return Side(name, try builder.revision(name)) } catch let failure as BuildFailure {
                let advice = Selection.meant(by: name, among: builder.names).map { " \($0)" } ?? ""
                throw CommandFailure(.usage, failure.description + advice)
            }
        }
        let old = try side(base)
        if let head { return (old, try side(head), rest) }
        guard let first = rest.first else { return (old, Side(".", .workingTree), rest) }
        let isFilter = !BenchmarkFilter.select([first], from: RxBenchMain.current.catalog.benchmarks).isEmpty
        guard let new = try? builder.revision(first) else {
            // The word is neither a commit nor a benchmark, but it resembles the name of a branch.
            if !isFilter, let advice = Selection.meant(by: first, among: builder.names) {
                throw CommandFailure(
                    .usage, "'\(first)' is no commit of this repository, and no benchmark matches it. \(advice)")
            }
            return (old, Side(".", .workingTree), rest)
        }
        guard !isFilter || first == "." else {
            throw CommandFailure(
                .usage,
                """
                '\(first)' names a commit and selects benchmarks. Write '--head \(first)' for the commit, or \
                add '--head .' to select benchmarks.
                """
            )
        }
        return (old, Side(first, new), Array(rest.dropFirst()))
    }

    /// A compared revision and its name in reports: the text the user typed, followed by the beginning of the commit's
    /// hash.
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
        let outcome = Outcome(report.conclusion)
        if json {
            let summary = Summary(
                base: old.name, head: new.name, seed: options.seed, marginPercent: margin, measurements: measurements,
                notJudged: report.preamble, findings: report.findings, verdict: report.verdict,
                exitCode: outcome.rawValue)
            try Console.print(json: summary)
        } else if markdown {
            Console.print(report.markdown)
        } else {
            for line in report.preamble { Console.print(sentence: line) }
            Console.print(report.table(fitting: Console.resultColumns))
            for note in report.notes { Console.print(sentence: note) }
        }
        try Console.end(report.verdict, outcome, toErrors: json || markdown, wraps: true)
    }

    private struct Uncompared: Encodable {
        let schemaVersion = 1
        let base, head: String
        let uncompared: [UncomparedFile]
        let verdict: String
        let exitCode = Outcome.inconclusive.rawValue
    }

    private struct Summary: Encodable {
        let schemaVersion = 1
        let base, head: String
        let seed: UInt64
        let marginPercent: Double
        let measurements: PairedMeasurements
        let notJudged: [String]
        let findings: [Finding]
        let verdict: String
        let exitCode: Int32
    }

    /// Returns the time limit in seconds for measuring `count` benchmarks when the user gives none. `spent` is the
    /// number of seconds that compiling has taken. If `isBounded` is true, a whole suite ends within ten minutes,
    /// including the time for compiling and linking.
    static func seconds(forBenchmarks count: Int, isBounded: Bool, spent: Double) -> Double {
        max(60, min(3 * Double(count), isBounded ? max(360, 540 - spent) : .infinity))
    }

}

extension Outcome {
    /// Creates the tool's outcome from the conclusion of a comparison.
    init(_ conclusion: Conclusion) {
        self =
            switch conclusion {
            case .fine: .fine
            case .regression: .regression
            case .failed: .failed
            case .inconclusive, .notJudged: .inconclusive
            }
    }
}

extension Outcome {
    /// Creates the tool's outcome from the reason why an image could not be built.
    init(_ cause: BuildFailure.Cause) {
        self =
            switch cause {
            case .build: .failed
            case .passing: .inconclusive
            case .usage: .usage
            }
    }
}

/// Finds the package that contains the suite.
enum PackageFolder {
    /// Returns the folder at `path`. If `path` is `nil`, searches for the package and returns the first of these:
    ///
    /// - the nearest package from the current folder upwards that names `product`
    /// - the package that this executable was built in, if it lies below the current folder or around it
    /// - a package directly below the current folder, or directly below a package around it, that names `product`
    /// - the nearest package from the current folder upwards
    /// - the package that this executable was built in
    static func find(_ path: String?, product: String = RxBenchMain.name) throws(CommandFailure) -> String {
        if let path {
            guard isPackage(URL(fileURLWithPath: path)) else {
                throw CommandFailure(
                    .usage, "'\(path)' holds no Package.swift. Name the folder of the package with the suite.")
            }
            return URL(fileURLWithPath: path).standardizedFileURL.path
        }
        let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL
        let above = packages(from: current)
        let own = packages(from: URL(fileURLWithPath: Bundle.main.executablePath ?? "/").deletingLastPathComponent())
        let found =
            above.first { names($0, product) }
            ?? own.first { $0.path.hasPrefix(current.path + "/") || above.contains($0) }
            ?? ([current] + above).lazy.flatMap(below).first { names($0, product) } ?? above.first ?? own.first
        guard let found else {
            throw CommandFailure(
                .usage,
                "There is no Package.swift here or above. Name the package with the suite with '--package-path'.")
        }
        return found.path
    }

    private static func isPackage(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
    }

    /// Returns the folders that contain a manifest, from `start` upwards.
    private static func packages(from start: URL) -> [URL] {
        var found: [URL] = []
        var folder = start.standardizedFileURL
        while folder.path != "/" {
            if isPackage(folder) { found.append(folder) }
            folder = folder.deletingLastPathComponent()
        }
        return found
    }

    /// Returns the folders directly below `folder` that contain a manifest.
    private static func below(_ folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appending(path: $0).standardizedFileURL }.filter(isPackage)
    }

    /// Returns whether the manifest of the package at `folder` contains `product` as a string literal.
    private static func names(_ folder: URL, _ product: String) -> Bool {
        let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        return manifest?.contains("\"\(product)\"") ?? false
    }
}
