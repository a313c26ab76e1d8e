import HeapTrace
import RxBenchEngine

/// The findings of a leak search in one benchmark, in words. They have the same content as the output of
/// `rxbench leaks --json`.
package struct LeakFindings: Sendable, Equatable {
    /// The benchmark.
    package let name: String
    /// The outcome of the search.
    package let outcome: GrowthReport.Outcome
    /// A sentence for each finding, and for each metric that was unavailable.
    package let findings: [String]

    /// Creates findings from the given values.
    package init(name: String, outcome: GrowthReport.Outcome, findings: [String]) {
        self.name = name
        self.outcome = outcome
        self.findings = findings
    }
}

/// The resources that iterations leave behind in each benchmark, and the findings of leak searches.
enum LeakPanel {
    /// The number of lines that are shown at once. Further lines are folded.
    private static let shown = 40

    static func markup(_ content: ReportContent) -> Markup {
        let searches = content.leaks.map { line($0.name, status($0.outcome), $0.findings, "search") }
        let searched = Set(content.leaks.map(\.name))
        let measured = content.result.benchmarks.filter { !searched.contains($0.id) && $0.failure == nil }
        let judged = measured.compactMap { benchmark in judge(benchmark).map { (benchmark, $0) } }
        let clean = judged.filter { $0.1.tone == .good && $0.1.findings.isEmpty }
        let lines = judged.filter { $0.1.tone != .good || !$0.1.findings.isEmpty }.map {
            line($0.0.id, .init($0.1.words, $0.1.tone), $0.1.findings, "iterations")
        }
        let reasons = Set(measured.compactMap { unavailable($0) }).sorted()
        guard !(searches.isEmpty && judged.isEmpty && reasons.isEmpty) else { return .empty }
        let all = searches + lines
        let rest = all.dropFirst(shown)
        let more: Markup =
            rest.isEmpty ? .empty : "<details><summary>\(rest.count) more</summary><ul>\(rest.joined)</ul></details>"
        let nothing: Markup =
            clean.isEmpty
            ? .empty
            : """
            <p>\(ReportContent.Status("clean", .good).badge): \(Figures.counted(clean.count, "benchmark")) left \
            nothing alive behind.</p>
            """
        let gaps = reasons.map { "<p>Not looked at: \($0).</p>" as Markup }.joined
        return """
            <section id=leaks><h2>Leaks</h2>\
            <p>What is still alive after an iteration; 'search' marks a verdict over many repeated runs, as \
            'rxbench leaks' makes it.</p>\(nothing)\(gaps)<ul>\(all.prefix(shown).joined)</ul>\(more)</section>
            """
    }

    private struct Judgement {
        let words: String
        let tone: Strip.Tone
        let findings: [String]
    }

    /// Judges the live resources that the run's own iterations counted. Returns `nil` if live resources were not
    /// counted.
    private static func judge(_ benchmark: BenchmarkResult) -> Judgement? {
        if let leaks = benchmark.leaks { return Judgement(words: "leaking", tone: .bad, findings: leaks) }
        guard let metric = benchmark.metric(Metric.liveResources), let value = metric.reading.value else { return nil }
        guard metric.values.contains(where: { $0 > 0 }) else {
            return Judgement(words: "clean", tone: .good, findings: [])
        }
        let check = benchmark.checks.first { $0.quantity == .liveResources }
        let limit = check.map { ", at most \(Figures.count($0.maximum))" } ?? ""
        let finding = "\(Figures.count(value)) left alive by an iteration (median of \(metric.values.count))\(limit)"
        return switch check?.verdict {
        case .worse: Judgement(words: "leaking", tone: .bad, findings: [finding])
        case .better, .same: Judgement(words: "within its limit", tone: .plain, findings: [finding])
        case .inconclusive, .notJudged, nil: Judgement(words: "not shown to grow", tone: .open, findings: [finding])
        }
    }

    private static func unavailable(_ benchmark: BenchmarkResult) -> String? {
        guard benchmark.leaks == nil, case .unavailable(let reason)? = benchmark.metric(Metric.liveResources)?.reading
        else { return nil }
        return reason
    }

    private static func line(
        _ name: String, _ status: ReportContent.Status, _ findings: [String], _ source: String
    ) -> Markup {
        let details = findings.isEmpty ? "" : ": \(findings.joined(separator: "; "))"
        return "<li>\(status.badge) <code>\(name)</code> <small>\(source)</small>\(details)</li>"
    }

    private static func status(_ outcome: GrowthReport.Outcome) -> ReportContent.Status {
        switch outcome {
        case .clean: .init(outcome.rawValue, .good)
        case .found, .failed: .init(outcome.rawValue, .bad)
        case .inconclusive, .notJudged: .init(outcome.rawValue, .open)
        case .allowed: .init(outcome.rawValue, .plain)
        }
    }
}
