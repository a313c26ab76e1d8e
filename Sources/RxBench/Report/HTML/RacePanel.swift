import RxBench

/// How often each outcome of each race was seen.
enum RacePanel {
    static func markup(_ content: ReportContent) -> Markup {
        let races = content.result.benchmarks.compactMap { benchmark in
            benchmark.outcomes.flatMap { $0.isEmpty ? nil : race(benchmark.id, $0) }
        }
        guard !races.isEmpty else { return .empty }
        return """
            <section id=races><h2>Race outcomes</h2><p>Shares of all rounds. An outcome that is forbidden is a defect, \
            however rare; one that is \
            interesting is correct, and worth knowing how often it happens.</p>\(races.joined)</section>
            """
    }

    private static func race(_ id: String, _ outcomes: [RaceOutcome]) -> Markup {
        // As numbers of a file may be: their sum need not fit an integer.
        let rounds = outcomes.reduce(0.0) { $0 + Double($1.count) }
        let lines = outcomes.map { outcome -> Markup in
            let share = rounds > 0 ? Double(outcome.count) / rounds * 100 : 0
            let status = ReportContent.Status(outcome.expectation.rawValue, tone(outcome))
            return """
                <li><span class=bar><i class=\(outcome.expectation.rawValue) \
                style="width:\(Figures.fixed(share, decimals: 2))%"></i></span>\
                <span class=figure>\(Figures.threeDigits(share)) %</span> \(status.badge) \(outcome.label) \
                <small>\(Figures.counted(Int(clamping: outcome.count), "round"))</small></li>
                """
        }
        return "<h3><code>\(id)</code></h3><ul class=outcomes>\(lines.joined)</ul>"
    }

    private static func tone(_ outcome: RaceOutcome) -> Strip.Tone {
        switch outcome.expectation {
        case .acceptable: .good
        case .interesting: .open
        case .forbidden: outcome.count > 0 ? .bad : .plain
        }
    }
}
