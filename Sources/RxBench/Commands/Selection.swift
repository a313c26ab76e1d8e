import RxBench
import RxBenchPairs

/// Which benchmarks a command is about.
enum Selection {
    /// What `filters` select, in the order of the suites.
    static func benchmarks(_ filters: [String], in catalog: Catalog) throws(CommandFailure) -> [Benchmark] {
        let all = catalog.benchmarks
        guard let idle = filters.first(where: { BenchmarkFilter.select([$0], from: all).isEmpty }) else {
            return BenchmarkFilter.select(filters, from: all)
        }
        throw CommandFailure(code: .usage, message: "No benchmark matches '\(idle)'. \(suggestion(for: idle, in: all))")
    }

    /// The IDs that `filters` select of what two sides have, in its order.
    static func ids(_ filters: [String], among listed: [ListedBenchmark]) throws(CommandFailure) -> [String] {
        func selected(_ filters: [String]) -> [String] {
            let filters = filters.map(BenchmarkFilter.init)
            return listed.filter { benchmark in
                filters.isEmpty || filters.contains { $0.selects(id: benchmark.id, tags: benchmark.tags) }
            }.map(\.id)
        }
        guard let idle = filters.first(where: { selected([$0]).isEmpty }) else { return selected(filters) }
        let nearest = BenchmarkFilter.nearest(to: idle, among: listed.map(\.id)).map { "'\($0)'" }
        let advice = nearest.isEmpty ? "" : " The nearest: \(nearest.joined(separator: ", "))."
        throw CommandFailure(code: .usage, message: "No benchmark of either side matches '\(idle)'.\(advice)")
    }

    private static func suggestion(for filter: String, in benchmarks: [Benchmark]) -> String {
        if filter.hasPrefix("tag:") {
            let tags = Set(benchmarks.flatMap(\.tags)).sorted()
            return tags.isEmpty ? "No benchmark has a tag." : "The tags are \(tags.joined(separator: ", "))."
        }
        let nearest = BenchmarkFilter.nearest(to: filter, in: benchmarks).map { "'\($0)'" }
        return nearest.isEmpty
            ? "Run 'rxbench list' to see all IDs." : "The nearest: \(nearest.joined(separator: ", "))."
    }
}
