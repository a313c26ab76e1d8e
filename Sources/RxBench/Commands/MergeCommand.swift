import ArgumentParser
import Foundation
import RxBenchEngine

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Puts results of shards together to one, and stores it.",
        discussion: """
            Examples:
              rxbench run --shard 2/8 --output shards           on each of eight machines, with its number
              rxbench merge shards/*/*.json                     afterwards, once
              rxbench merge a.json b.json --no-store --json     the merged result on standard output

            Results of different machines, configurations, tracing, compilers, commits or numbers of processes are \
            refused, and so are a benchmark that two of them have, a shard that is missing, and shards of runs with \
            other filters or options. Documentation/Shards.md shows it on Slurm, on Kubernetes and in a CI matrix.

            Exit codes are those of 'run': 1 for a leak, a count over its budget or a forbidden outcome in any shard, \
            3 for a benchmark that failed; 5 for results that cannot be merged.
            """)

    @Argument(help: "The files of all shards.") var files: [String]
    @OptionGroup var options: ResultOptions

    func run() throws {
        let runs = try files.map { file in
            // A name is treated as a path here, because 'latest' never names a shard.
            try options.stored.store.load(file.contains("/") ? file : "./\(file)", machine: "")
        }.map { (name: $0.path, result: $0.result) }
        let merged: RunResult
        do {
            merged = try ResultMerge.merge(runs, order: RxBenchMain.current.catalog.benchmarks.map(\.id.text))
        } catch {
            throw CommandFailure(.notComparable, error.description)
        }
        if let spread = ResultMerge.spread(runs.map(\.result)), spread > 1.05 {
            Console.warn(
                """
                the control loop differs by \(Figures.change(ratio: spread)) between the shards; times of \
                different shards are not to be compared.
                """
            )
        }
        if let doubt = ResultMerge.doubt(runs.map(\.result)) {
            Console.warn("\(doubt), so that all must have been measured with one build.")
        }
        let report = RunReport(merged)
        if options.json {
            Console.print(merged.encoded())
        } else {
            Console.print(report.text(markdown: options.markdown) + "\n")
        }
        if !options.noStore { try options.stored.store.keep(merged) }
        try Console.end(
            "\(Figures.counted(runs.count, "result")) merged: \(report.verdict)", RunCommand.outcome(report),
            toErrors: options.json)
    }
}
