import ArgumentParser
import Foundation
import RxBench
import RxBenchReport

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Shows what changed between two stored results.",
        discussion: """
            A result is named by the path of its file, the beginning of its commit's hash (four characters or more), \
            'latest' or 'previous'; the last two are those of this machine.

            Examples:
              rxbench compare previous latest
              rxbench compare a1b2c3 latest --margin 3
              rxbench compare main.json branch.json      for CI: times inform
              rxbench compare a.json b.json --gate-time  on a quiet machine

            Exact metrics must be equal: more allocations, bytes or live resources are a regression (exit code 1). Times are \
            compared by the interval of the ratio of process medians, widened by how far the control loop moved between \
            the runs; where the interval crosses the margin, the verdict is 'inconclusive'. 'slower' and 'inconclusive' \
            times are shown, and change the exit code (to 1 and 4) with '--gate-time' only: two runs of the same code on a \
            busy machine can differ by more than a change that matters.
            """)

    @Argument(help: "The first result.")
    var before: String
    @Argument(help: "The second result.")
    var after: String
    @Option(help: ArgumentHelp("The difference of a time that does not matter, in per cent.", valueName: "percent"))
    var margin = 5.0
    @Flag(help: "Compare exact metrics alone.")
    var exactOnly = false
    @Flag(help: "Let times decide the exit code: 1 for a slower one, 4 for an inconclusive one.")
    var gateTime = false
    @Flag(help: "Compare results of different machines, configurations or tracing all the same.")
    var allowDifferent = false
    @Flag(help: "Show unchanged exact metrics too.")
    var all = false
    @Option(help: ArgumentHelp("The folder of stored results.", valueName: "folder"))
    var output = "results"
    @Flag(help: "Write JSON.")
    var json = false
    @Flag(help: "Write a Markdown table.")
    var markdown = false

    func validate() throws {
        if !(margin >= 0 && margin < 1000) { throw ValidationError("'--margin \(margin)' is not between 0 and 1000 per cent.") }
        if gateTime, exactOnly { throw ValidationError("'--gate-time' lets times decide, and '--exact-only' leaves them out. Give one of them.") }
    }

    func run() throws {
        let store = ResultStore(folder: output)
        let machine = Environment.current(isTracing: SubjectProbes.isTracing).machine
        let first = try store.load(before, machine: machine)
        let second = try store.load(after, machine: machine)
        try first.result.checkComparable(to: second.result, allowDifferent: allowDifferent)
        Console.note("Comparing '\(first.path)' with '\(second.path)'.")
        let rules = ResultComparison.Rules(margin: margin / 100, isExactOnly: exactOnly, gatesTime: gateTime)
        try show(ResultComparison(first.result, second.result, rules: rules))
    }

    private func show(_ comparison: ResultComparison) throws {
        let report = ComparisonReport(comparison)
        let outcome = Self.outcome(comparison)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            Console.print(String(decoding: try encoder.encode(comparison), as: UTF8.self))
        } else {
            let table = report.table(isComplete: all)
            if !table.rows.isEmpty { Console.print((markdown ? table.markdown : table.text) + "\n") }
            for note in report.notes { Console.print("note: \(note)") }
            Console.print("The control loop moved by \(Figures.change(ratio: comparison.drift)).")
        }
        Console.verdict(report.verdict, outcome: outcome, toErrors: json)
        if outcome != .fine { throw ExitCode(outcome.rawValue) }
    }

    static func outcome(_ comparison: ResultComparison) -> Outcome {
        let verdicts = Set(comparison.rows.filter(comparison.gates).map(\.verdict))
        if verdicts.contains(.regressed) || verdicts.contains(.slower) { return .regression }
        if verdicts.contains(.failed) { return .failed }
        return verdicts.contains(.inconclusive) ? .inconclusive : .fine
    }
}
