import ArgumentParser
import Foundation
import RxBench
import RxBenchReport

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

    @Argument(help: "Parts of IDs, globs with '*', or 'tag:<name>'; all stored benchmarks without any.")
    var filters: [String] = []
    @Option(
        help: ArgumentHelp(
            "The change of a time or ratio that is not worth showing, in per cent.", valueName: "percent"))
    var margin = 0.0
    @Option(help: ArgumentHelp("Fixes the permutations.", valueName: "number"))
    var seed: UInt64 = 1
    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The folder of stored results.", valueName: "folder"))
    var output = "results"
    @Flag(inversion: .prefixedNo, help: "Draw histories as bars; on a terminal they are drawn anyway.")
    var sparklines: Bool?
    @Flag(help: "Write JSON.")
    var json = false

    func validate() throws {
        if !(margin >= 0 && margin < 1000) {
            throw ValidationError("'--margin \(margin)' is not between 0 and 1000 per cent.")
        }
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
        let store = ResultStore(folder: output)
        let stored = store.files.count
        guard stored > 0 else {
            throw CommandFailure(
                code: .usage,
                message:
                    """
                    No results are stored in '\(output)'. Run 'rxbench run' first, or name another folder with \
                    '--output'.
                    """
            )
        }
        let results = store.usableSummaries()
        guard !results.isEmpty else {
            throw CommandFailure(
                code: .usage,
                message: (stored == 1
                    ? "The result in '\(output)' cannot" : "None of the \(stored) results in '\(output)' can")
                    + " be used. Run 'rxbench run' to store another.")
        }
        return results
    }

    /// Refuses a filter that selects nothing of what is stored.
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
        let nearest = BenchmarkFilter.nearest(to: idle, among: Array(tags.keys)).map { "'\($0)'" }
        let advice =
            nearest.isEmpty ? "Run 'rxbench trend' to see all." : "The nearest: \(nearest.joined(separator: ", "))."
        throw CommandFailure(code: .usage, message: "No stored benchmark matches '\(idle)'. \(advice)")
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
        if !overview.rows.isEmpty { Console.print(overview.text + "\n") }
        let changes = report.changes(group)
        if !changes.rows.isEmpty { Console.print(changes.text + "\n") }
    }
}
