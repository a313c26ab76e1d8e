import ArgumentParser
import Foundation
import RxBench
import RxBenchEngine
import RxBenchRaces

struct RacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "races",
        abstract: "Explores the interleavings of races and prints each step that leads to a forbidden outcome.",
        discussion: """
            Examples:
              rxbench races                              every race, a minute in all
              rxbench races dispose share --time 600     parts of names, ten minutes in all
              rxbench races merge --exhaustive           also without a bound of preemptions
              rxbench races merge --bound 3              up to three preemptions
              rxbench races merge --random --seed 7      at random alone, for races that are too large for a bound
              rxbench races --replay race/x A6B4A10B15   one schedule again, step by step
              rxbench races --deep                       also the copies of values that the compiler leaves out
              rxbench races --stress dispose             on real threads, compiled as usual
              rxbench races --stress --sanitize          on real threads, with ThreadSanitizer
              rxbench races --shard 2/8                  the second of eight parts, for another machine
              rxbench races --json >races.json           then 'rxbench report --races races.json'

            The program with the races is compiled with the compiler's own ThreadSanitizer instrumentation, in \
            '.build/rxbench-races', and linked with a scheduler instead of ThreadSanitizer's library. One actor runs \
            at a time. Before every atomic operation, lock and wait the scheduler chooses the actor that runs next. \
            Schedules with 0, 1 and 2 preemptions are tried in turn, so that the first failure has the fewest. A \
            preemption is a switch away from an actor that could have continued. Besides forbidden outcomes, the \
            search finds data races, uses after free, deadlocks, crashes and leaks. After Ctrl-C it shows the findings \
            so far.

            The program is '<this tool>-races' where the package has it, or its only executable whose name ends with \
            '-races', or this tool if the package declares it, or its only executable that depends on RxBench. \
            Where there are several, choose one with '--product'. 'rxbench init' writes a package with one.

            Exit codes: 0 nothing found; 1 something found, with '--stress' also a crash or a hang; 3 a race's process \
            or the compiler failed; 4 a race was not judged, as it uses what is not modelled, or is inconclusive; 64 \
            wrong usage, or a machine on which races cannot be searched; 130 interrupted.
            """)

    @Argument(help: "Parts of IDs or globs with '*'; all races without any.") var filters: [String] = []
    @Option(help: .value("seconds", "For all races together, shared fairly, in seconds.")) var time = 60.0
    @Option(help: .value("count", "The most preemptions of a schedule.")) var bound = 2
    @Flag(help: "Also without a bound, once the bounds are exhausted: of equivalent schedules one.")
    var exhaustive = false
    @Flag(help: "Only at random: by priorities, and by uniform walks.") var random = false
    @Option(help: .value("number", "The seed of '--random'.")) var seed: UInt64 = 1
    @Flag(help: "On real threads instead, and for all of the time: how often each outcome was seen.") var stress = false
    @Flag(help: "With '--stress': compiled with ThreadSanitizer, whose first report is a finding too.")
    var sanitize = false
    @Flag(help: "Also instrument what the compiler leaves out: outlined copies of values, and deinitialisers.")
    var deep = false
    @Flag(help: "Repeat one schedule: the arguments are a race's ID and the schedule.") var replay = false
    @Flag(help: "Show the names of the races.") var list = false
    @Flag(help: "Compile without optimisation.") var debug = false
    @Option(help: .value("folder", "The package with the races. (default: the package of the current folder)"))
    var packagePath: String?
    @Option(help: .value("name", "The package's program. (default: the only one with races)"))
    var product: String?
    @Option(help: .value("file", "A program that is compiled already.")) var image: String?
    @Option(help: .value("part/parts", "A part of the races, as in '2/8'.")) var shard: String?
    @OptionGroup(title: "Files for other tools") var files: FindingFiles
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        try checkSeconds("--time", time, atMost: 864_000)
        if !(0...16).contains(bound) { throw ValidationError("'--bound \(bound)' is not between 0 and 16.") }
        if let shard, Shard(shard) == nil {
            throw ValidationError(
                "'--shard \(shard)' is no part: write two numbers, as in '2/8' for the second of eight.")
        }
        try refuseContradictions()
        if replay, filters.count != 2 {
            throw ValidationError("'--replay' takes a race's ID and a schedule, as in '--replay race/x A6B4A10B15'.")
        }
        if replay, RaceSchedule(filters[1]) == nil {
            throw ValidationError("'\(filters[1])' is no schedule. A schedule looks like 'A6B4A10B15'.")
        }
    }

    /// Options of which one would be ignored.
    private func refuseContradictions() throws {
        let modes = [("--replay", replay), ("--stress", stress), ("--random", random), ("--exhaustive", exhaustive)]
        let given = modes.filter(\.1).map(\.0)
        if given.count > 1 {
            throw ValidationError("'\(given[0])' and '\(given[1])' are alternatives. Give one of them.")
        }
        if sanitize, !stress {
            throw ValidationError("'--sanitize' needs '--stress': a search has a detector of data races of its own.")
        }
        // The pass that it needs runs where code is optimised.
        if deep, let other = stress ? "--stress" : debug ? "--debug" : nil {
            throw ValidationError("'--deep' and '\(other)' are alternatives. Give one of them.")
        }
        let compiling = [("--debug", debug), ("--deep", deep), ("--sanitize", sanitize)].first(where: \.1)?.0
        if image != nil, let other = product.map({ _ in "--product" }) ?? compiling {
            throw ValidationError(
                "'--image' is compiled already, and '\(other)' says what to compile. Give one of them.")
        }
    }

    func run() throws {
        Interruption.install()
        try files.check()
        do {
            let image = try compiled()
            if replay { return try repeatSchedule(image) }
            let all = try Self.races(filters, in: image)
            let selected = shard.flatMap { Shard($0) }?.part(of: all) ?? all
            if list {
                return json ? try Console.print(json: selected) : Console.print(selected.joined(separator: "\n"))
            }
            try search(selected, image)
        } catch let failure as BuildFailure {
            throw CommandFailure(.failed, failure.description)
        } catch let interrupted as Interrupted {
            Console.note("Interrupted: the compilers have ended, and nothing was searched.")
            throw ExitCode(128 + interrupted.signal)
        }
    }

    private func compiled() throws -> RaceImage {
        if let image { return try RaceImage(executable: image, isStress: stress) }
        let tool = RxBenchMain.name
        let hasOwn = RxBenchMain.current.catalog.benchmarks.contains { $0.race != nil }
        // Outside a package there are only the tool's own races, which need no compiler on real threads.
        let package = try stress && hasOwn ? try? PackageFolder.find(packagePath) : PackageFolder.find(packagePath)
        let program = try package.map { try product ?? chosenProgram(in: $0, tool, hasOwn) } ?? tool
        if stress, !sanitize, program == tool, hasOwn, let own = Bundle.main.executablePath {
            return try RaceImage(executable: own, isStress: true)
        }
        #if !(os(Linux) && arch(x86_64))
            guard stress else {
                throw CommandFailure(
                    .usage, "Races are searched on Linux with x86-64 alone. '--stress' runs them on real threads.")
            }
        #endif
        let folder = try package ?? PackageFolder.find(packagePath)
        let instrumentation: RaceInstrumentation =
            sanitize ? .threadSanitizer : stress ? .absent : deep ? .deep : .ordinary
        let last = RaceImage(lastBuildOf: program, in: folder, isDebug: debug, instrumentation: instrumentation)
        // A name that is mistyped costs a build of minutes, which this says before it.
        if let last,
            let idle = (replay ? Array(filters.prefix(1)) : filters).first(where: { last.selected([$0]).isEmpty })
        {
            let advice = Selection.nearest(to: idle, among: last.races).map { " \($0)" } ?? ""
            Console.note(
                "The last build of '\(program)' has no race that matches '\(idle)'.\(advice) It is compiled again.")
        }
        return try RaceImage(
            package: folder, program: program, isDebug: debug, instrumentation: instrumentation, isFirst: last == nil)
    }

    /// The package's program with the races, if no option names a program. Never a program of another package.
    private func chosenProgram(in package: String, _ tool: String, _ hasRaces: Bool) throws -> String {
        switch try RacePrograms(of: package).choice(for: tool, hasRaces: hasRaces) {
        case .program(let name): return name
        case .several(let names):
            throw CommandFailure(
                .usage,
                """
                '\(package)' has several programs with races: \(names.joined(separator: ", ")). Choose one with \
                '--product', as in '--product \(names[0])'.
                """)
        case .none:
            throw CommandFailure(
                .usage,
                """
                '\(package)' has no program with races. Add an executable named '\(tool)-races' that calls \
                'RaceMain.run', or name one with '--product'; 'rxbench init' writes a package with both.
                """)
        }
    }

    private func search(_ races: [String], _ image: RaceImage) throws {
        let start = MonotonicClock.nanoseconds
        var left: Double { time - Double(MonotonicClock.nanoseconds - start) / 1e9 }
        let line = ProgressLine()
        var records: [String: RaceRecord] = [:]
        var failures: [String: String] = [:]
        var shares: [String: Double] = [:]
        // The time that some races leave goes to those that could not be exhausted in theirs, while it is more.
        var open = races
        while !open.isEmpty {
            for (index, race) in open.enumerated() where Interruption.signal == nil {
                let share = max(left / Double(open.count - index), 0.05)
                if let before = shares[race], share < before * 1.5 { continue }
                shares[race] = share
                let done = races.count - open.count + index
                switch try? record(of: race, share, image, line, done: done, of: races.count, left: left) {
                case .success(let record)?: records[race] = record
                // The signal ended it before it had a result.
                case .failure? where Interruption.signal != nil: break
                case .failure(let failure)?:
                    if let record = RaceRecord(of: race, endedBy: failure, isStress: stress, seconds: share) {
                        records[race] = record
                    } else {
                        // An earlier, shorter search of the race is no verdict on it.
                        records[race] = nil
                        failures[race] = "\(failure)"
                    }
                case nil: break
                }
            }
            if random || Interruption.signal != nil { break }
            open = open.filter { records[$0]?.isOpen ?? false && left > (shares[$0] ?? left) * 1.5 }
        }
        line.finish()
        for race in races { if let failure = failures[race] { Console.complain("\(race): \(failure)") } }
        try show(
            races.compactMap { records[$0] },
            unsearched: races.filter { records[$0] == nil }.map { .init(id: $0, failure: failures[$0]) })
    }

    private func record(
        of race: String, _ share: Double, _ image: RaceImage, _ line: ProgressLine, done: Int, of count: Int,
        left: Double
    ) throws -> Result<RaceRecord, SelfSubprocess.Failure> {
        var request = RaceRequest(id: race, seconds: share)
        request.bound = bound
        request.isExhaustive = exhaustive
        request.isRandom = random
        request.seed = seed
        let begin = MonotonicClock.nanoseconds
        return try image.record(of: request) { progress in
            let seconds = min(Double(MonotonicClock.nanoseconds - begin) / 1e9, share)
            let whole = (Double(done) + seconds / share) / Double(count)
            let rate = Figures.count((Double(progress.executions) / max(progress.seconds, 0.001)).rounded())
            line.show(
                "\(race), \(progress.stage), \(rate) schedules/s", completed: Int(whole * 100), of: 100,
                remainingSeconds: max(left - seconds, 0))
        }
    }

    private func repeatSchedule(_ image: RaceImage) throws {
        let named = image.races.contains(filters[0]) ? [filters[0]] : try Self.races([filters[0]], in: image)
        guard named.count == 1 else {
            throw CommandFailure(
                .usage, "'\(filters[0])' is a part of \(named.count) names. '--replay' takes the ID of one race.")
        }
        var request = RaceRequest(id: named[0], seconds: 60)
        request.replay = filters[1]
        switch try image.record(of: request) {
        case .success(let record): try show([record], unsearched: [])
        case .failure(let failure): throw CommandFailure(.failed, "\(named[0]): \(failure)")
        }
    }

    private func show(_ records: [RaceRecord], unsearched: [RaceDocument.Unsearched]) throws {
        let document = RaceDocument(
            command: command, isWhole: Interruption.signal == nil && unsearched.isEmpty, races: records,
            unsearched: unsearched)
        let report = RaceReport(document, root: try? PackageFolder.find(packagePath))
        if json {
            try Console.print(json: document)
        } else {
            for story in report.stories { Console.print(story.text(columns: Console.resultColumns)) }
            for reservation in report.reservations { Console.print(reservation) }
            if !records.isEmpty { Console.print(report.table + "\n") }
        }
        for record in records { for note in record.notes { Console.warn("\(record.id): \(note)") } }
        try files.write(junit: report.junit.text, sarif: report.sarif.text)
        let outcome = outcome(records, hasFailed: unsearched.contains { $0.failure != nil })
        let shown: Outcome = outcome == .fine && !document.isWhole ? .inconclusive : outcome
        Console.verdict(report.verdict, outcome: shown, toErrors: json)
        if let signal = Interruption.signal { throw ExitCode(128 + signal) }
        if outcome != .fine { throw ExitCode(outcome.rawValue) }
    }

    /// The words that call this verb on the same program.
    private var command: String {
        func quoted(_ text: String) -> String {
            text.wholeMatch(of: #/[A-Za-z0-9_.\/-]+/#) == nil ? "'\(text.replacing("'", with: "'\\''"))'" : text
        }
        var words = [quoted(RxBenchMain.invocation), "races"]
        for (name, value) in [("--package-path", packagePath), ("--product", product), ("--image", image)] {
            if let value { words += [name, quoted(value)] }
        }
        return (words + (debug ? ["--debug"] : []) + (deep ? ["--deep"] : [])).joined(separator: " ")
    }
}

extension RaceImage {
    /// The names that one of `filters` selects; all without filters.
    fileprivate func selected(_ filters: [String]) -> [String] {
        let filters = filters.map(BenchmarkFilter.init)
        return races.filter { id in filters.isEmpty || filters.contains { $0.selects(id: id, tags: ["race"]) } }
    }
}

extension RacesCommand {
    private func outcome(_ records: [RaceRecord], hasFailed: Bool) -> Outcome {
        if records.contains(where: { $0.finding != nil }) { return .regression }
        if hasFailed { return .failed }
        return records.allSatisfy { $0.verdict == .clean } ? .fine : .inconclusive
    }

    /// The names that `filters` select.
    private static func races(_ filters: [String], in image: RaceImage) throws -> [String] {
        if image.races.isEmpty {
            throw CommandFailure(
                .usage,
                """
                There is no race to search. A race is a 'RaceScenario' among the program's benchmarks; 'rxbench \
                init' writes a package with one.
                """)
        }
        guard let idle = filters.first(where: { image.selected([$0]).isEmpty }) else { return image.selected(filters) }
        let advice = Selection.nearest(to: idle, among: image.races) ?? "'--list' shows all."
        throw CommandFailure(.usage, "No race matches '\(idle)'. \(advice)")
    }
}

extension RaceRecord {
    /// The record of `race` whose process has failed: on real threads a crash or a hang is a finding. `nil` if the
    /// failure is not about the race.
    fileprivate init?(of race: String, endedBy failure: SelfSubprocess.Failure, isStress: Bool, seconds: Double) {
        let kind: RaceFinding.Kind
        switch failure.ending {
        case .killed where isStress, .exited where isStress: kind = .crash
        case .timedOut where isStress: kind = .hang
        case .killed, .exited, .timedOut, nil: return nil
        }
        self.init(id: race, endedBy: kind, sentence: failure.description, seconds: seconds)
    }
}
