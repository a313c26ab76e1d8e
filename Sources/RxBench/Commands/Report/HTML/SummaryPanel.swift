import RxBench
import HeapTrace

/// The outcome of the run, shown before all tables.
enum SummaryPanel {
    static func markup(_ content: ReportContent) -> Markup {
        let report = RunReport(content.result)
        let verdicts =
            [report.verdict] + leaks(content) + [content.races?.verdict].compactMap(\.self)
            + (content.comparison.map { [ComparisonReport($0).verdict] } ?? [])
        // Without this sentence, a figure with its '±' would suggest that every difference from it could be detected.
        let precision = report.detectable.map { "<p>\($0)</p>" as Markup }.joined
        let sentences = verdicts.map { "<p class=verdict>\($0)</p>" as Markup }.joined
        return """
            <section id=summary>\(sentences)<ul class=tiles>\(tiles(content).joined)</ul>\
            \(precision)\(findings(content))</section>
            """
    }

    /// Returns sentences about the outcome of leak searches. The run itself does not contain this outcome.
    private static func leaks(_ content: ReportContent) -> [String] {
        guard !content.leaks.isEmpty else { return [] }
        func clause(_ outcome: GrowthReport.Outcome) -> String? {
            let names = content.leaks.filter { $0.outcome == outcome }.map(\.name)
            guard !names.isEmpty else { return nil }
            let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
            return "\(names.count) \(outcome.rawValue) (\(names.prefix(3).joined(separator: ", "))\(rest))"
        }
        let grave = [.found, .failed, .inconclusive, .notJudged].compactMap(clause)
        let outcomes = grave.isEmpty ? "nothing found" : grave.joined(separator: ", ")
        return ["\(Figures.counted(content.leaks.count, "benchmark")) searched for leaks: \(outcomes)."]
    }

    private static func tiles(_ content: ReportContent) -> [Markup] {
        let statuses = content.result.benchmarks.map(content.status)
        let counts = Dictionary(grouping: statuses, by: \.words).mapValues { ($0.count, $0[0]) }
        let ordered = counts.values.sorted { ($0.1.rank, $0.1.words) < ($1.1.rank, $1.1.words) }
        return ["<li><b>\(statuses.count)</b> \(statuses.count == 1 ? "benchmark" : "benchmarks")</li>"]
            + ordered.map { "<li><b>\($0.0)</b> \($0.1.badge)</li>" }
    }

    /// Returns a sentence for each finding that a reader must not overlook.
    private static func findings(_ content: ReportContent) -> Markup {
        var items: [Markup] = []
        for benchmark in content.result.benchmarks {
            if let failure = benchmark.failure {
                items.append("<li><code>\(benchmark.id)</code> failed: \(failure)</li>")
            }
            for check in benchmark.checks where check.verdict == .worse {
                let words = check.decides ? "over budget" : "over its limit"
                let figures =
                    """
                    \(RunReport.name(check.quantity)) \(RunReport.measured(check)), at most \
                    \(RunReport.maximum(check))
                    """
                items.append("<li><code>\(benchmark.id)</code> \(words): \(figures)</li>")
            }
            for leak in benchmark.leaks ?? [] { items.append("<li><code>\(benchmark.id)</code> leaks: \(leak)</li>") }
            for outcome in benchmark.outcomes ?? [] where outcome.expectation == .forbidden && outcome.count > 0 {
                items.append(
                    """
                    <li><code>\(benchmark.id)</code> forbidden outcome, in \
                    \(Figures.counted(Int(clamping: outcome.count), "round")): \(outcome.label)</li>
                    """
                )
            }
        }
        for found in content.leaks where found.outcome == .found {
            items.append("<li><code>\(found.name)</code> leaks: \(found.findings.joined(separator: "; "))</li>")
        }
        for story in content.races?.stories ?? [] {
            items.append("<li><code>\(story.race)</code> \(story.finding)</li>")
        }
        for row in content.comparison?.rows ?? [] where row.verdict == .worse {
            items.append(
                """
                <li><code>\(row.id)</code> \(ShownMetric.title(row.metric)) \(row.verdict.rawValue): \
                \(ComparisonReport.change(row))</li>
                """
            )
        }
        guard !items.isEmpty else { return .empty }
        let shown = items.prefix(12)
        let rest = items.dropFirst(12)
        let more: Markup =
            rest.isEmpty ? .empty : "<details><summary>\(rest.count) more</summary><ul>\(rest.joined)</ul></details>"
        return "<h2>Findings</h2><ul>\(shown.joined)</ul>\(more)"
    }
}
