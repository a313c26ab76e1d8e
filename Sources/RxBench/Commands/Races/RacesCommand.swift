import ArgumentParser
import Foundation
import RxBench
import RxBenchPairs
import RxBenchRaces
import RxBenchReport

struct RacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "races",
        abstract: "Searches the interleavings of races, and tells the way to a forbidden outcome step by step.",
        discussion: """
            Examples:
              rxbench races                              every race, a minute in all
              rxbench races dispose share --time 600     parts of names, ten minutes in all
              rxbench races merge --exhaustive           also without a bound of preemptions
              rxbench races --replay race/x A6B4A10B15   one schedule again, step by step
              rxbench races --stress dispose             on real threads

            The program with the races is compiled with the compiler's own ThreadSanitizer instrumentation, in \
            '.build/rxbench-races', and linked with a scheduler instead of ThreadSanitizer's library: one actor runs \
            at a time, and before every atomic operation, lock and wait it is decided who goes on. Schedules with 0, 1 \
            and 2 preemptions are tried in turn, so that the first failure has the fewest. Data races, use after free, \
            deadlocks, crashes and what is left behind are found beside forbidden outcomes.

            Exit codes: 0 nothing found; 1 something found; 3 a race's process or the compiler failed; 4 a race calls \
            what is not modelled; 64 wrong usage, or a machine on which races cannot be searched.
            """)

    @Argument(help: "Parts of IDs or globs with '*'; all races without any.")
    var filters: [String] = []
    @Option(help: ArgumentHelp("For all races together, shared fairly, in seconds.", valueName: "seconds"))
    var time = 60.0
    @Option(help: ArgumentHelp("The most preemptions of a schedule.", valueName: "count"))
    var bound = 2
    @Flag(help: "Also without a bound: of equivalent schedules one.")
    var exhaustive = false
    @Flag(help: "Only at random: by priorities, and by uniform walks.")
    var random = false
    @Option(help: ArgumentHelp("The seed of '--random'.", valueName: "number"))
    var seed: UInt64 = 1
    @Flag(help: "On real threads instead, as 'rxbench run tag:race' does.")
    var stress = false
    @Flag(help: "Repeat one schedule: the arguments are a race's ID and the schedule.")
    var replay = false
    @Flag(help: "Show the names of the races.")
    var list = false
    @Flag(help: "Compile without optimisation.")
    var debug = false
    @Option(
        help: ArgumentHelp("The package with the races. (default: that of the current folder)", valueName: "folder"))
    var packagePath: String?
    @Option(
        help: ArgumentHelp("The package's program. (default: '<this tool>-races', or this tool)", valueName: "name"))
    var product: String?
    @Option(help: ArgumentHelp("A program that is compiled already.", valueName: "file"))
    var image: String?
    @Option(help: ArgumentHelp("A part of the races, as in '2/8'.", valueName: "part/parts"))
    var shard: String?
    @OptionGroup(title: "Files for other tools")
    var files: RaceFiles
    @Flag(help: "Write JSON.")
    var json = false

    func validate() throws {
        if !(time > 0 && time <= 864_000) {
            throw ValidationError("'--time \(time)' is not between 0 and 864000 seconds.")
        }
        if !(0...16).contains(bound) { throw ValidationError("'--bound \(bound)' is not between 0 and 16.") }
        if let shard, Shard(shard) == nil {
            throw ValidationError(
                "'--shard \(shard)' is no part: write two numbers, as in '2/8' for the second of eight.")
        }
        if replay, filters.count != 2 {
            throw ValidationError("'--replay' takes a race's ID and a schedule, as in '--replay race/x A6B4A10B15'.")
        }
        if replay, RaceSchedule(filters[1]) == nil {
            throw ValidationError("'\(filters[1])' is no schedule. A schedule looks like 'A6B4A10B15'.")
        }
    }

    func run() throws {
        Interruption.install()
        if stress { return try runStress() }
        try files.check()
        do {
            let image = try compiled()
            if replay { return try repeatSchedule(image) }
            let all = try Self.races(filters, in: image)
            let selected = shard.flatMap { Shard($0) }?.part(of: all) ?? all
            if list { return Console.print(selected.joined(separator: "\n")) }
            try search(selected, image)
        } catch let failure as BuildFailure {
            throw CommandFailure(code: .failed, message: failure.description)
        } catch let interrupted as Interrupted {
            throw ExitCode(128 + interrupted.signal)
        }
    }

    private func compiled() throws -> RaceImage {
        if let image { return try RaceImage(executable: image) }
        #if os(Linux) && arch(x86_64)
            let tool = (Bundle.main.executablePath.map { $0 as NSString } ?? "rxbench").lastPathComponent
            return try RaceImage(
                package: PackageFolder.find(packagePath), product: product, tool: tool, isDebug: debug)
        #else
            throw CommandFailure(
                code: .usage,
                message: "Races are searched on Linux with x86-64 alone. '--stress' runs them on real threads.")
        #endif
    }

    private func search(_ races: [String], _ image: RaceImage) throws {
        let start = MonotonicClock.nanoseconds
        let line = ProgressLine()
        var records: [RaceRecord] = []
        var failures: [String] = []
        for (index, race) in races.enumerated() where Interruption.signal == nil {
            let left = time - Double(MonotonicClock.nanoseconds - start) / 1e9
            if index > 0 {
                line.show(rate(of: records) + race, completed: index, of: races.count, remainingSeconds: max(left, 0))
            }
            var request = RaceRequest(id: race, seconds: max(left / Double(races.count - index), 0.05))
            request.bound = bound
            request.isExhaustive = exhaustive
            request.isRandom = random
            request.seed = seed
            switch try? image.record(of: request) {
            case .success(let record)?: records.append(record)
            case .failure(let failure)?: failures.append("\(race): \(failure)")
            case nil: break
            }
        }
        line.finish()
        for failure in failures { Console.complain(failure) }
        try show(records, isWhole: records.count == races.count, failures: failures.count)
    }

    private func rate(of records: [RaceRecord]) -> String {
        let seconds = records.reduce(0) { $0 + $1.seconds }
        guard seconds > 0 else { return "" }
        return "\(Int(Double(records.reduce(0) { $0 + $1.executions }) / seconds)) schedules/s, "
    }

    private func repeatSchedule(_ image: RaceImage) throws {
        guard image.races.contains(filters[0]) else { _ = try Self.races([filters[0]], in: image); return }
        var request = RaceRequest(id: filters[0], seconds: 60)
        request.replay = filters[1]
        switch try image.record(of: request) {
        case .success(let record): try show([record], isWhole: true, failures: 0)
        case .failure(let failure): throw CommandFailure(code: .failed, message: "\(filters[0]): \(failure)")
        }
    }

    private func show(_ records: [RaceRecord], isWhole: Bool, failures: Int) throws {
        let folder = (try? PackageFolder.find(packagePath)) ?? FileManager.default.currentDirectoryPath
        let tool = (CommandLine.arguments.first.map { $0 as NSString } ?? "rxbench").lastPathComponent
        let report = RaceReport(root: folder, tool: tool)
        if json {
            try Console.print(json: RaceDocument(races: records))
        } else {
            for record in records {
                if let finding = record.finding { Console.print(report.story(of: finding, in: record.id)) }
            }
            Console.print(report.table(of: records) + "\n")
        }
        for record in records { for note in record.notes { Console.warn("\(record.id): \(note)") } }
        try files.write(records, report)
        let outcome = Self.outcome(records, failures: failures)
        Console.verdict(Self.verdict(records, isWhole: isWhole), outcome: outcome, toErrors: json)
        if let signal = Interruption.signal { throw ExitCode(128 + signal) }
        if outcome != .fine { throw ExitCode(outcome.rawValue) }
    }

    /// On real threads: the catalog's races, as benchmarks of outcomes.
    private func runStress() throws {
        var arguments = filters.isEmpty ? ["tag:race"] : filters
        arguments += ["--no-store"] + (json ? ["--json"] : [])
        let command = try RunCommand.parse(arguments)
        try command.run()
    }
}

/// What `--json` writes.
private struct RaceDocument: Encodable {
    let schemaVersion = 1
    let races: [RaceRecord]
}

extension RacesCommand {
    static func outcome(_ records: [RaceRecord], failures: Int) -> Outcome {
        if records.contains(where: { $0.finding != nil }) { return .regression }
        if failures > 0 { return .failed }
        return records.contains { $0.refusal != nil } ? .inconclusive : .fine
    }

    static func verdict(_ records: [RaceRecord], isWhole: Bool) -> String {
        let found = records.count { $0.finding != nil }
        let schedules = records.reduce(0) { $0 + $1.executions }
        let extents = records.map(RaceReport.extent)
        let exhausted = extents.count { $0.hasPrefix("exhaustive") }
        var words = "\(found) of \(Figures.counted(records.count, "race")) failed in \(schedules) schedules; "
        words += "\(exhausted) exhausted to a bound or entirely"
        let refused = records.count { $0.refusal != nil }
        if refused > 0 { words += ", \(refused) not searched" }
        return words + (isWhole ? "." : ". Interrupted, or a process failed: the rest is unknown.")
    }

    /// The names that `filters` select.
    private static func races(_ filters: [String], in image: RaceImage) throws -> [String] {
        func selected(_ filters: [String]) -> [String] {
            let filters = filters.map(BenchmarkFilter.init)
            return image.races.filter { id in filters.isEmpty || filters.contains { $0.selects(id: id, tags: ["race"]) }
            }
        }
        guard let idle = filters.first(where: { selected([$0]).isEmpty }) else { return selected(filters) }
        let nearest = BenchmarkFilter.nearest(to: idle, among: image.races).map { "'\($0)'" }
        let advice = nearest.isEmpty ? "'--list' shows all." : "The nearest: \(nearest.joined(separator: ", "))."
        throw CommandFailure(code: .usage, message: "No race matches '\(idle)'. \(advice)")
    }
}
