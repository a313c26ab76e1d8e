import ArgumentParser
import Foundation
import HeapTrace
import RxBench
import RxBenchEngine

struct LeaksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leaks",
        abstract: "Repeats benchmarks and shows the objects that each repetition leaves behind, and their holders.",
        discussion: """
            Examples:
              rxbench leaks                              every benchmark, each in its own process
              rxbench leaks merge tag:stateless          part of an ID, or a tag
              rxbench leaks --allow known.json           known leaks, each with a reason and a day
              rxbench leaks --sarif leaks.sarif --junit leaks.xml
              rxbench leaks --baseline known.json --until 2027-01-31 --because 'Seen before the check existed.'

            A benchmark is set up once and repeated 23 times; the first three runs do not count. While counts still \
            rise, the number of runs is doubled, which tells a leak from a cache with a bound. Resources are counted \
            in builds that trace\(RxBenchMain.name == "rxbench"
                ? ": './rxbench leaks' makes one by itself, in '.build/tracing'; else" : ": one with")
            '--traits \(LeakTrials.traits)', or a debug build.

            An allow-list is a JSON array. An entry names a leak by its type, or by the twelve digits after '#' as its \
            'signature', with the last day on which it may leak and a reason:
              [{"type": "map<Int, *>", "in": "operator/*", "until": "2027-01-31", "because": "Fixed in 3.2."}]
            An entry that has expired, or that no longer matches a leak, is reported.

            Exit codes: 0 nothing grows, or only what may; 1 something leaks; 3 a benchmark itself failed; 4 something \
            had not come to rest, or was not looked at; 64 wrong usage, or a build that does not trace.
            """)

    @Argument(help: "Parts of IDs, globs with '*', or 'tag:<name>'; all benchmarks without any.")
    var filters: [String] = []
    @Option(help: .value("count", "How many runs are looked at first.")) var runs = 20
    @Option(help: .value("count", "How many runs there are at most, while counts rise.")) var maximumRuns = 1_600
    @Option(help: .value("seconds", "A benchmark that takes longer has failed, in seconds.")) var timeout = 120.0
    @Option(help: .value("file", "What may leak.")) var allow: String?
    @Option(help: .value("file", "Write an allow-list with all that leaks now, and what '--allow' has."))
    var baseline: String?
    @Option(help: .value("day", "With '--baseline': the last day on which it may.")) var until: String?
    @Option(help: .value("reason", "With '--baseline': why it may.")) var because: String?
    @OptionGroup(title: "Files for other tools") var files: FindingFiles
    @Flag(help: "Write JSON instead of text.") var json = false

    func validate() throws {
        if !(16...10_000).contains(runs) { throw ValidationError("'--runs \(runs)' is not between 16 and 10000.") }
        if !(runs...100_000).contains(maximumRuns) {
            throw ValidationError("'--maximum-runs \(maximumRuns)' is not between '--runs' and 100000.")
        }
        try checkSeconds("--timeout", timeout)
        if let until, CalendarDay(until) == nil {
            throw ValidationError("'--until \(until)' is no day. Write it as in '--until 2027-01-31'.")
        }
        if baseline == nil, until != nil || because != nil {
            throw ValidationError("'--until' and '--because' belong to '--baseline'. Add it, or leave them out.")
        }
        if baseline != nil, until == nil || because?.isEmpty != false {
            throw ValidationError(
                "A baseline needs a reason and a day on which it ends. Add '--because' and '--until 2027-01-31'.")
        }
    }

    func run() throws {
        let selected = try Selection.benchmarks(filters, in: RxBenchMain.current.catalog)
        guard LeakTrials.isPossible else { throw CommandFailure(.usage, LeakTrials.remedy) }
        let allowances = try loadAllowances()
        try files.check(and: baseline)
        Interruption.install()
        let records = try search(selected, allowances)
        let stale = allowances.stale(after: records, isWhole: filters.isEmpty)
        let document = LeakDocument(records, staleAllowances: stale)
        if json { Console.print(Array(LeakJSON().text(of: document).utf8)) }
        let root = FileManager.default.currentDirectoryPath
        try files.write(
            junit: JUnitReport().text(of: document), sarif: SARIFReport(sourceRoot: root).text(of: document))
        try writeBaseline(allowances, records)
        for entry in stale { Console.warn("\(entry)") }
        try Console.end(document.verdict, Self.outcome(records), toErrors: json)
    }

    private func search(_ selected: [Benchmark], _ allowances: LeakAllowances) throws -> [GrowthReport] {
        let trials = LeakTrials(runs: runs, maximumRuns: maximumRuns, timeoutSeconds: timeout)
        Console.note("Repeating \(Figures.counted(selected.count, "benchmark")).")
        let line = ProgressLine()
        let start = MonotonicClock.nanoseconds
        var records: [GrowthReport] = []
        for benchmark in selected {
            if !records.isEmpty {
                let each = Double(MonotonicClock.nanoseconds - start) / 1e9 / Double(records.count)
                line.show(
                    benchmark.id.text, completed: records.count, of: selected.count,
                    remainingSeconds: each * Double(selected.count - records.count))
            }
            do {
                records.append(try trials.record(of: benchmark).allowing(allowances))
            } catch {
                line.finish()
                Console.note("Interrupted: the workers have ended.")
                throw error
            }
            line.finish()
            if !json { Console.print(LeakTree().text(of: records[records.count - 1])) }
        }
        return records
    }

    private func loadAllowances() throws -> LeakAllowances {
        guard let allow else { return .none }
        do { return try LeakAllowances(contentsOfFile: allow) } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    private func writeBaseline(_ allowances: LeakAllowances, _ records: [GrowthReport]) throws {
        guard let baseline, let day = until.flatMap(CalendarDay.init(_:)), let because else { return }
        let all = allowances.adding(leaksOf: records, until: day, because: because)
        try OutputFile.write(all.text, to: baseline)
        Console.note("\(Figures.counted(all.entries.count, "entry", "entries")) in '\(baseline)'.")
    }

    static func outcome(_ records: [GrowthReport]) -> Outcome {
        let outcomes = Set(records.map(\.outcome))
        if outcomes.contains(.found) { return .regression }
        if outcomes.contains(.failed) { return .failed }
        return outcomes.isDisjoint(with: [.inconclusive, .notJudged]) ? .fine : .inconclusive
    }
}
