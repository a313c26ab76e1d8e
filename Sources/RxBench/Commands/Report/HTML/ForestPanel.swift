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

    /// Returns the figure of every bar as a multiple of its limit. There is no multiple of a limit of 0; the findings
    /// report bars with such a limit if they are exceeded.
    static func bars(_ content: ReportContent) -> ForestPanel {
        let rows = content.result.benchmarks.flatMap { benchmark in
            (benchmark.bars ?? []).compactMap { bar -> Row? in
                guard let value = bar.reading.value, value > 0, bar.maximum > 0 else { return nil }
                let interval = bar.interval.flatMap {
                    $0.low > 0 ? (low: $0.low / bar.maximum, high: $0.high / bar.maximum) : nil
                }
                return Row(
                    id: benchmark.id, note: RunReport.name(bar.quantity), ratio: value / bar.maximum,
                    interval: interval,
                    figure: "\(RunReport.measured(bar)) of \(RunReport.figure(bar.maximum, bar))",
                    words: RunReport.words(bar.verdict),
                    tone: tone(bar.verdict))
            }
        }
        return ForestPanel(
            identifier: "bars", title: "Bars against their limits",
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
                case .slower: .bad
                case .faster: .good
                case .inconclusive: .open
                default: .plain
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
                margin, the verdict is open.
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

    private static func tone(_ verdict: LimitCheck.Verdict) -> Strip.Tone {
        switch verdict {
        case .met: .good
        case .overBudget: .bad
        case .missed, .undecided: .open
        case .unavailable: .plain
        }
    }
}
