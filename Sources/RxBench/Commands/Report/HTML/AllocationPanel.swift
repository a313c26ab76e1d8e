import RxBenchEngine

/// The allocations of every benchmark and their budgets.
enum AllocationPanel {
    /// The number of lines that are shown at once. Further lines are folded.
    private static let shown = 40

    static func markup(_ content: ReportContent) -> Markup {
        let rows = content.result.benchmarks.compactMap { benchmark in row(benchmark, content).map { (benchmark, $0) } }
        guard !rows.isEmpty else { return .empty }
        let allocating = rows.filter { ReportContent.perOperation($0.0, Metric.allocations)?.value ?? 0 > 0 }
        let free = rows.count - allocating.count
        let sorted = allocating.enumerated().sorted { a, b in
            let first = ReportContent.perOperation(a.element.0, Metric.allocations)?.value ?? 0
            let second = ReportContent.perOperation(b.element.0, Metric.allocations)?.value ?? 0
            return (second, a.offset) < (first, b.offset)
        }.map(\.element.1)
        let none: Markup = free == 0 ? .empty : "<p>\(Figures.counted(free, "benchmark")) allocated nothing.</p>"
        let rest = sorted.dropFirst(shown)
        let more: Markup =
            rest.isEmpty ? .empty : "<details><summary>\(rest.count) more</summary>\(table(rest, content))</details>"
        return """
            <section id=allocations><h2>Allocations</h2>\
            <p>Of all threads, counted in processes that read no clock; the most per operation first. \
            A '~' marks a count that differed between iterations.</p>\
            \(none)\(table(sorted.prefix(shown), content))\(more)</section>
            """
    }

    private static func table(_ rows: ArraySlice<Markup>, _ content: ReportContent) -> Markup {
        guard !rows.isEmpty else { return .empty }
        let change: Markup = content.comparison == nil ? .empty : "<th>change</th>"
        return """
            <div class=wide><table class=plain><thead><tr><th>benchmark</th><th>allocs/op</th>\(change)\
            <th>bytes/op</th>\
            <th>frees/op</th><th class=words>budget</th></tr></thead><tbody>\(rows.joined)</tbody></table></div>
            """
    }

    private static func row(_ benchmark: BenchmarkResult, _ content: ReportContent) -> Markup? {
        guard let count = ReportContent.perOperation(benchmark, Metric.allocations) else { return nil }
        let tilde = count.isStable ? "" : "~"
        let bytes = ReportContent.perOperation(benchmark, Metric.allocatedBytes)
        let frees = ReportContent.perOperation(benchmark, Metric.deallocations)
        let change = content.changes(benchmark.id).first { $0.metric == Metric.allocations }
        func words(_ change: ResultComparison.Row) -> String {
            "\(ComparisonReport.change(change)) \(ComparisonReport.words(change))"
        }
        let changeCell: Markup =
            content.comparison == nil
            ? .empty
            : "<td data-label=change>\(change.map(words) ?? "")</td>"
        let budget = benchmark.checks.first {
            $0.quantity == .allocationsPerOperation || $0.quantity == .allocationsPerIteration
        }
        let budgetWords: Markup =
            budget.map {
                "\(RunReport.maximum($0)) \(RunReport.name($0.quantity)): \($0.verdict.rawValue)"
            } ?? .empty
        return """
            <tr><th scope=row>\(benchmark.id)</th><td data-label="allocs/op">\(tilde)\(Figures.count(count.value))</td>\
            \(changeCell)\
            <td data-label="bytes/op">\
            \(bytes.map { ($0.isStable ? "" : "~") + Figures.bytes($0.value) } ?? RunReport.missing)</td>\
            <td data-label="frees/op">\
            \(frees.map { ($0.isStable ? "" : "~") + Figures.count($0.value) } ?? RunReport.missing)</td>\
            <td data-label=budget>\(budgetWords)</td></tr>
            """
    }
}
