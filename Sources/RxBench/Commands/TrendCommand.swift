import ArgumentParser
import Foundation
import RxBenchEngine

struct TrendCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trend",
        abstract: "Shows the history of stored results, and between which commits figures changed.",
        discussion: """
            Examples:
              rxbench trend                     every benchmark, over all stored results
              rxbench trend operator/merge      benchmarks whose ID contains 'operator/merge'
              rxbench trend --margin 2          leave out changes of times below 2 %
              rxbench trend --json              for programs

            Results are in the order of the first parents of the commit that is checked out; results of other commits \
            come last. Results of different machines, configurations, tracing or formats are kept apart.

            Counts (allocations, bytes, live resources) change where they differ. Times and ratios change where a new \
            level is clear: by energy distance (e-divisive), a permutation test, and Student's t divided by the number \
            of series, so that one in a hundred histories of evenly noisy results shows a change that is none. That \
            needs ten results at least, and results of a steady machine; the control loop, the compiler and repeated \
            runs of a commit tell where something else changed, in the column 'doubt'. A change lies between the last \
            result that has the old level and the first that has the new one, with 95 % confidence.

            A trend informs: changes do not alter the exit code. 'rxbench compare' gates.
            """)

    @Argument(
        help: "Parts of IDs, globs with '*', or 'tag:<name>'; all stored benchmarks without any.", completion: .ids)
    var filters: [String] = []
    @Option(help: .value("percent", "The change of a time or ratio that is not worth showing, in per cent."))
    var margin = 0.0
    @Option(help: .value("number", "Fixes the permutations.")) var seed: UInt64 = 1
    @OptionGroup var stored: StoreOptions
    @Flag(inversion: .prefixedNo, help: "Draw histories as bars; on a terminal they are drawn anyway.")
    var sparklines: Bool?
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        try checkPercent("--margin", margin, canBeZero: true)
    }

    func run() throws {
        let results = try load()
        try check(results)
        let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let trend = Trend(
            results, history: CommitHistory.current(in: folder), filters: filters.map(BenchmarkFilter.init),
            rules: Trend.Rules(margin: margin / 100, seed: seed))
        try show(trend)
    }

    private func load() throws(CommandFailure) -> [ResultSummary] {
        let store = stored.store
        let count = store.files.count
        guard count > 0 else {
            throw CommandFailure(
                .usage,
                """
                No results are stored in '\(stored.output)'. Run 'rxbench run' first, or name another folder with \
                '--output'.
                """
            )
        }
        let results = store.usableSummaries()
        guard !results.isEmpty else {
            throw CommandFailure(
                .usage,
                (count == 1
                    ? "The result in '\(stored.output)' cannot"
                    : "None of the \(count) results in '\(stored.output)' can")
                    + " be used. Run 'rxbench run' to store another.")
        }
        return results
    }

    /// Throws an error if a filter selects no benchmark of the stored results.
    private func check(_ results: [ResultSummary]) throws(CommandFailure) {
        guard !filters.isEmpty else { return }
        var tags: [String: Set<String>] = [:]
        for result in results {
            for benchmark in result.benchmarks { tags[benchmark.id, default: []].formUnion(benchmark.tags) }
        }
        let idle = filters.first { text in
            let filter = BenchmarkFilter(text)
            return !tags.contains { filter.selects(id: $0.key, tags: Array($0.value)) }
        }
        guard let idle else { return }
        let advice = Selection.nearest(to: idle, among: Array(tags.keys)) ?? "Run 'rxbench trend' to see all."
        throw CommandFailure(.usage, "No stored benchmark matches '\(idle)'. \(advice)")
    }

    private func show(_ trend: Trend) throws {
        let report = TrendReport(trend)
        if json {
            try Console.print(json: trend)
        } else {
            for group in trend.groups { show(group, report) }
            Console.print(notes: report.notes, markdown: false)
        }
        Console.verdict(report.verdict, outcome: .fine, toErrors: json)
    }

    private func show(_ group: Trend.Group, _ report: TrendReport) {
        Console.print(report.heading(group) + "\n")
        let overview = report.overview(group, hasSparklines: sparklines ?? Console.hasLiveResults)
        Console.print(overview)
        Console.print(report.changes(group))
    }
}
