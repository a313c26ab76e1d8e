import RxBenchEngine

/// A list of ratios with their intervals, one on each line, on a common logarithmic scale.
struct ForestPanel {
    /// One line of the list.
    struct Row {
        let id: String
        let note: String
        let ratio: Double
        let interval: (low: Double, high: Double)?
        let figure: String
        let words: String
        let tone: Strip.Tone
        /// Whether the data did not suffice for a decision. Undecided lines come after the decided ones.
        var isOpen = false
    }

    let identifier: String
    let title: String
    /// A sentence that explains how to read the ratios.
    let explanation: String
    let rows: [Row]

    /// The number of lines that are shown at once. Further lines are folded.
    private static let shown = 40

    /// Returns every limited figure as a multiple of its limit. There is no multiple of a limit of 0; the findings
    /// report such limits if they are exceeded.
    static func limits(_ content: ReportContent) -> ForestPanel {
        let rows = content.result.benchmarks.flatMap { benchmark in
            benchmark.checks.compactMap { check -> Row? in
                guard let value = check.reading.value, value > 0, check.maximum > 0 else { return nil }
                let interval = check.interval.flatMap {
                    $0.low > 0 ? (low: $0.low / check.maximum, high: $0.high / check.maximum) : nil
                }
                return Row(
                    id: benchmark.id, note: RunReport.name(check.quantity), ratio: value / check.maximum,
                    interval: interval,
                    figure: "\(RunReport.measured(check)) of \(RunReport.maximum(check))",
                    words: check.verdict.rawValue, tone: tone(check))
            }
        }
        return ForestPanel(
            identifier: "limits", title: "Figures against their limits",
            explanation:
                """
                Measured ÷ limit; left of 1 is within the limit. The band is the interval (for counts: the range \
                of the iterations).
                """,
            rows: rows)
    }

    /// Returns the ratio of every time to its time in the earlier run.
    static func changes(_ content: ReportContent) -> ForestPanel {
        let rows = (content.comparison?.rows ?? []).compactMap { row -> Row? in
            guard let ratio = row.ratio, ratio > 0 else { return nil }
            let tone: Strip.Tone =
                switch row.verdict {
                case .worse: .bad
                case .better: .good
                case .inconclusive: .open
                case .same, .notJudged: .plain
                }
            let interval =
                row.interval.map { " [\(Figures.change(ratio: $0.low)) \(Figures.change(ratio: $0.high))]" } ?? ""
            return Row(
                id: row.id, note: row.metric == Metric.time ? "time/op" : "vs its own baseline", ratio: ratio,
                interval: row.interval?.range,
                figure: Figures.change(ratio: ratio) + interval, words: row.verdict.rawValue, tone: tone,
                isOpen: row.verdict == .inconclusive)
        }
        let margin = Figures.threeDigits((content.comparison?.rules.margin ?? 0) * 100)
        return ForestPanel(
            identifier: "changes", title: "Candidate ÷ baseline",
            explanation: """
                Right of 1 is slower. A change within \(margin) % does not matter; where the interval crosses that \
                margin, the comparison is inconclusive.
                """,
            rows: rows)
    }

    /// Returns the ratio of every benchmark that names a baseline to that baseline.
    static func ratios(_ content: ReportContent) -> ForestPanel {
        let rows = content.result.benchmarks.compactMap { benchmark -> Row? in
            guard let metric = benchmark.metric(Metric.ratioToBaseline), let value = metric.reading.value, value > 0
            else { return nil }
            return Row(
                id: benchmark.id, note: "÷ \(benchmark.baseline ?? "its baseline")", ratio: value,
                interval: metric.interval?.range,
                figure: "\(Figures.threeDigits(value)) × \(Figures.spread(value, metric.interval))", words: "",
                tone: .plain)
        }
        return ForestPanel(
            identifier: "ratios", title: "Time as a multiple of another benchmark's",
            explanation: "Measured in the same processes, so that the machine's own drift cancels out.",
            rows: rows)
    }

    var markup: Markup {
        // Decided rows are first and undecided rows last, because rows with the widest intervals have the largest
        // ratios.
        let sorted = rows.enumerated().sorted { left, right in
            (left.element.isOpen ? 1 : 0, -left.element.ratio, left.offset) < (
                right.element.isOpen ? 1 : 0, -right.element.ratio, right.offset
            )
        }.map(\.element)
        let ends = sorted.flatMap { [$0.ratio, $0.interval?.low ?? $0.ratio, $0.interval?.high ?? $0.ratio] }
        guard let scale = Scale(covering: ends.map { min(1000, max(0.001, $0)) } + [1], isLogarithmic: true),
            !sorted.isEmpty
        else { return .empty }
        let strip = Strip(scale: scale, marks: [1])
        let lines = sorted.map { line($0, strip) }
        let rest = lines.dropFirst(Self.shown)
        let more: Markup =
            rest.isEmpty ? .empty : "<details><summary>\(rest.count) more</summary>\(rest.joined)</details>"
        return """
            <section id=\(identifier)><h2>\(title)</h2><p>\(explanation)</p><div class=forest>\
            <div class=line><span></span>\(strip.ruler { "\(Figures.threeDigits($0))×" })<span></span></div>\
            \(lines.prefix(Self.shown).joined)\(more)</div></section>
            """
    }

    private func line(_ row: Row, _ strip: Strip) -> Markup {
        let plot = strip.markup(interval: row.interval, middle: row.ratio, tone: row.tone)
        let words: Markup = row.words.isEmpty ? .empty : ReportContent.Status(row.words, row.tone).badge
        return """
            <div class=line><span class=name><code>\(row.id)</code> <small>\(row.note)</small></span>\(plot)\
            <span class=figure>\(row.figure) \
            \(words)</span></div>
            """
    }

    private static func tone(_ check: LimitCheck) -> Strip.Tone {
        switch check.verdict {
        case .better, .same: .good
        case .worse: check.decides ? .bad : .open
        case .inconclusive: .open
        case .notJudged: .plain
        }
    }
}
