import ArgumentParser
import Foundation
import RxBench
import RxBenchEngine

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Shows where the time of a chain goes, operator by operator.",
        discussion: """
            Examples:
              rxbench explain 'operator/chain/map-filter?depth=12&closures=plain'
              rxbench explain chain/mixed --instructions       instructions too, under callgrind

            The chain is grown one operator at a time, from its source on. Every stage is measured in turns with the \
            one before in the same process, in several processes: 'adds' is the difference, with the interval of that \
            comparison. Where an interval crosses 0, the operator's cost is not known. Allocations are those of one \
            operation, and of one subscription. A stage can add less than nothing: a filter that drops an element \
            spares what follows.

            A benchmark can be explained when its definition gives 'stages:'.
            """)

    @Argument(help: "The ID of a benchmark, or a part that fits one alone.", completion: .ids) var id: String
    @Option(help: .value("seconds", "How long to measure, in seconds.")) var time = 30.0
    @Option(help: .value("count", "How many processes measure each stage.")) var processes = 9
    @OptionGroup var order: OrderOptions
    @Flag(help: "Count instructions under callgrind where the processor does not show its counter.")
    var instructions = false
    @Flag(help: "Write JSON.") var json = false
    @Flag(help: "Write a Markdown table.") var markdown = false

    func validate() throws {
        try checkSeconds("--time", time)
        if !(1...1000).contains(processes) {
            throw ValidationError("'--processes \(processes)' is not between 1 and 1000.")
        }
    }

    func run() throws {
        let benchmark = try selected()
        let growth = benchmark.stages.indices.flatMap { number in
            Benchmark.Aspect.allCases.compactMap { benchmark.growth($0, number) }
        }
        for warning in RunCommand.warnings(Environment.current(isTracing: CoreProbes.isTracing)) {
            Console.warn(warning)
        }
        let executable = try RxBenchMain.executable
        Interruption.install()
        let options = RunOptions(
            totalSeconds: time, processes: processes, seed: order.drawSeed(),
            instructions: .available(wantsCallgrind: instructions))
        Console.note(
            "Growing '\(benchmark.id)' in \(Figures.counted(benchmark.stages.count, "stage")), seed \(options.seed).")
        let results = try ProgressLine.shown(ifInterrupted: "the workers have ended.") { (line) throws(Interrupted) in
            try Runner(executable: executable, options: options, progress: line.show).run(growth).results
        }
        let explanation = Explanation(benchmark, results: results)
        try show(explanation)
        try Console.end(explanation.verdict, explanation.failures.isEmpty ? .fine : .failed, toErrors: json)
    }

    private func selected() throws(CommandFailure) -> Benchmark {
        let catalog = RxBenchMain.current.catalog
        if let exact = (try? BenchmarkID(id)).flatMap({ catalog[$0] }) { return try explainable(exact, catalog) }
        let found = try Selection.benchmarks([id], in: catalog)
        let candidates = found.filter { !$0.stages.isEmpty }
        if candidates.count == 1 { return candidates[0] }
        guard !candidates.isEmpty else { return try explainable(found[0], catalog) }
        throw CommandFailure(
            .usage,
            """
            '\(id)' fits \(candidates.count) benchmarks: \
            \(candidates.map { "'\($0.id)'" }.joined(separator: ", ")). Name one of them.
            """
        )
    }

    private func explainable(_ benchmark: Benchmark, _ catalog: Catalog) throws(CommandFailure) -> Benchmark {
        guard benchmark.stages.isEmpty else { return benchmark }
        let others = catalog.benchmarks.filter { !$0.stages.isEmpty }.map { "'\($0.id)'" }
        let advice =
            others.isEmpty ? "No benchmark here has any." : "Those that have: \(others.joined(separator: ", "))."
        throw CommandFailure(
            .usage,
            """
            '\(benchmark.id)' has no stages, so that nothing can be grown. Give 'stages:' in its definition. \
            \(advice)
            """
        )
    }

    private func show(_ explanation: Explanation) throws {
        if json {
            try Console.print(json: explanation)
        } else {
            Console.print((markdown ? explanation.table.markdown : explanation.table.text) + "\n")
            Console.print(notes: explanation.notes, markdown: markdown)
        }
        for failure in explanation.failures { Console.note("failed: \(failure)") }
    }
}
