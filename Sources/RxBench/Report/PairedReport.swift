import RxBench
import RxBenchPairs
import RxBenchStatistics

/// A comparison of two sides as a table, notes and a verdict.
package struct PairedReport: Sendable {
    let measurements: PairedMeasurements
    let base, head: String

    /// A report of `measurements` of the sides called `base` and `head`.
    package init(_ measurements: PairedMeasurements, base: String, head: String) {
        self.measurements = measurements
        self.base = base
        self.head = head
    }

    /// One row for each benchmark that could be compared, that failed or that head lacks: those that decide the exit
    /// code first, then the largest confident changes.
    ///
    /// Bytes, net allocations and instructions have a column where there is something to say.
    package var table: TextTable { table(isNarrow: false) }

    /// - Parameter isNarrow: whether of counts that differ the change alone is shown.
    private func table(isNarrow: Bool) -> TextTable {
        let compared = measurements.results.filter { $0.ratio != nil }
        let columns = CountColumn.all.filter { column in compared.contains { column.isShown($0) } }
        var table = TextTable(
            [
                ("benchmark", .left), (base, .right), (head, .right), ("change", .right), ("99 % interval", .right),
                ("sees", .right),
            ]
                + columns.map { ($0.title, .right) } + [("verdict", .left)])
        let shown = measurements.results.filter { $0.ratio != nil || $0.failure != nil || $0.isMissingInHead }
        let sorted = shown.enumerated().sorted { first, second in
            let (a, b) = (rank(first.element), rank(second.element))
            return a == b
                ? (-Self.size(first.element), first.offset) < (-Self.size(second.element), second.offset) : a < b
        }
        for result in sorted.map(\.element) { table.add(cells(result, columns, isNarrow)) }
        return table
    }

    /// The table as text that fits a terminal with this number of columns, eighty or more; without a terminal it has
    /// its natural width.
    package func table(fitting columns: Int?) -> String {
        guard let columns, table.width > columns else { return table.text }
        return table(isNarrow: true).text(
            fitting: columns,
            dropping: ["sees", "instr/op", "net allocs", "99 % interval", "bytes/op", "allocs/op", base],
            isGrouped: false)
    }

    private func cells(_ result: PairedResult, _ columns: [CountColumn], _ isNarrow: Bool) -> [String] {
        guard result.ratio != nil else {
            let blank = Array(repeating: "", count: 5 + columns.count)
            return [Self.name(result)] + blank + [result.failure != nil ? "failed" : "not in \(head)"]
        }
        let times = [
            result.baseNanoseconds.map { Self.time($0, result) } ?? "",
            // From the ratio, so that both sides and the change agree: the medians of both sides over processes differ
            // from the medians of pairs.
            result.baseNanoseconds.flatMap { base in result.ratio.map { Self.time(base * $0, result) } } ?? "",
        ]
        let change = [
            result.ratio.map(Self.change) ?? "",
            result.interval.map { "[\(Self.change($0.low)) \(Self.change($0.high))]" } ?? "unknown",
            result.detectable.map { Self.change(1 + $0) } ?? "",
        ]
        let counts = columns.map { $0.cell(result, isNarrow: isNarrow) }
        return [Self.name(result)] + times + change + counts + [words(result)]
    }

    /// The benchmark, and the subject of the row if that is not the time of an iteration: `scheduler/latency/serial
    /// p99`.
    static func name(_ result: PairedResult) -> String {
        switch result.quantity {
        case .time: result.id
        case .latencyP50: "\(result.id) p50"
        case .latencyP99: "\(result.id) p99"
        }
    }

    /// A duration as reports show it: an operation's share of an iteration, or a recorded latency as it is.
    static func time(_ nanoseconds: Double, _ result: PairedResult) -> String {
        let share = result.quantity == .time ? Double(max(1, result.operations)) : 1
        return Figures.time(nanoseconds: nanoseconds / share)
    }

    /// A ratio as a signed change with the digits that small changes need: `+0.52 %`.
    static func change(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        guard percent.magnitude < 10 else { return Figures.change(ratio: ratio) }
        let text = Figures.fixed(percent.magnitude, decimals: 2)
        return "\(percent < 0 && text != "0.00" ? "−" : "+")\(text) %"
    }

    /// The default slowdown up to which a benchmark passes: far above the smallest change that a comparison sees, far
    /// below one that a user would notice.
    package static let usualBound = 0.05

    /// The verdict on the time, and on counts that changed. A benchmark with a changed count is not the same,
    /// regardless of its time.
    private func words(_ result: PairedResult) -> String {
        if spoils { return "not judged" }
        let counts =
            Self.raised(result).map { "more \(Self.noun($0))" } + Self.lowered(result).map { "fewer \(Self.noun($0))" }
        if measurements.isControlChanged, result.verdict != nil {
            return (["time not judged"] + counts).joined(separator: ", ")
        }
        let suspicion = result.isLayoutSuspect == true ? ["layout-suspect"] : []
        return (time(result).filter { $0 != "same" || counts.isEmpty } + suspicion + counts).joined(separator: ", ")
    }

    /// The verdict on the time in words, and the finding on the slowdown that was asked for: `slower`, `within 5 %`.
    private func time(_ result: PairedResult) -> [String] {
        let change = result.verdict.map(\.rawValue)
        let limit = Figures.percent(bound)
        switch result.bound {
        case .within: return (Self.isChanged(result) ? [change ?? ""] : []) + ["within \(limit)"]
        case .beyond: return ["slower by more than \(limit)"]
        case .open: return (Self.isChanged(result) ? [change ?? ""] : []) + ["open at \(limit)"]
        case nil: return result.verdict == .inconclusive && !isOpen(result) ? ["within \(limit)"] : [change ?? ""]
        }
    }

    /// The slowdown that decides.
    private var bound: Double { measurements.noSlowerThan ?? Self.usualBound }

    static func isChanged(_ result: PairedResult) -> Bool { result.verdict == .slower || result.verdict == .faster }
    private static func size(_ result: PairedResult) -> Double {
        isChanged(result) ? max(result.ratio ?? 1, 1 / (result.ratio ?? 1)) : 0
    }

    /// The severity of a row: regressions first, then open verdicts, then other changes, then the rest.
    private func rank(_ result: PairedResult) -> Int {
        switch outcome([result]) {
        case .failed, .worse: 0
        case .notJudged, .inconclusive: 1
        case .better: 2
        case .same, .added: 3
        }
    }

    /// Whether its time speaks against head: it changed for the worse, or by more than the bound that was asked for.
    private static func isSlower(_ result: PairedResult) -> Bool {
        result.bound.map { $0 == .beyond } ?? (result.verdict == .slower)
    }

    /// Whether its time says too little: without a bound that was asked for, that it may be slower by more than the
    /// usual one.
    private func isOpen(_ result: PairedResult) -> Bool {
        if let bound = result.bound { return bound == .open }
        return result.verdict == .inconclusive && (result.interval.map { $0.high > 1 + Self.usualBound } ?? true)
    }

    /// Whether files that decide about the figures are head's on both sides.
    private var spoils: Bool { measurements.uncompared.contains(where: \.spoilsComparison) }

    /// The findings on the benchmarks, in the order of measurement.
    package var findings: [Finding] {
        var seen: Set<String> = []
        let ids = measurements.results.map(\.id).filter { seen.insert($0).inserted }
        let rows = Dictionary(grouping: measurements.results, by: \.id)
        return ids.map { Finding(id: $0, outcome: outcome(rows[$0] ?? [])) }
    }

    /// The outcome of the rows of one benchmark.
    private func outcome(_ rows: [PairedResult]) -> Finding.Outcome {
        if rows.contains(where: { $0.failure != nil }) { return .failed }
        if rows.contains(where: \.isMissingInHead) { return .notJudged(.missing) }
        if rows.contains(where: \.isMissingInBase) { return .added }
        if spoils { return .notJudged(.sharedFiles) }
        let raised = rows.flatMap { row in Self.raised(row).compactMap { Self.change($0, row) } }
        let slower = measurements.isControlChanged ? [] : rows.filter(Self.isSlower)
        let certain = slower.filter { $0.isLayoutSuspect != true }.compactMap(Self.timeChange)
        if !(raised + certain).isEmpty { return .worse(certain + raised) }
        if measurements.isControlChanged { return .notJudged(.control) }
        if let suspect = slower.compactMap(Self.timeChange).first { return .inconclusive(.layout(suspect)) }
        if rows.contains(where: { !Self.lost($0).isEmpty }) { return .notJudged(.lostCount) }
        let open = rows.filter(isOpen)
        if !open.isEmpty { return .inconclusive(.interval(high: open.compactMap { $0.interval?.high }.max())) }
        let better =
            rows.filter { $0.verdict == .faster }.compactMap(Self.timeChange)
            + rows.flatMap { row in Self.lowered(row).compactMap { Self.change($0, row) } }
        return better.isEmpty ? .same : .better(better)
    }

    private static func timeChange(_ row: PairedResult) -> Finding.Change? {
        row.ratio.map { ratio in
            let quantile: String? =
                switch row.quantity {
                case .time: nil
                case .latencyP50: "p50"
                case .latencyP99: "p99"
                }
            return .time(ratio: ratio, interval: row.interval, quantile: quantile)
        }
    }

    private static func change(_ name: String, _ row: PairedResult) -> Finding.Change? {
        guard let counts = row.exact.first(where: { $0.name == name }), let base = counts.base.value,
            let head = counts.head.value
        else { return nil }
        return .count(
            metric: name, unit: name == Metric.allocatedBytes ? "bytes/iteration" : "count/iteration",
            operations: row.operations, before: base, after: head)
    }

    /// The conclusion of all benchmarks together, the gravest first. A control that differs from itself discredits
    /// times alone.
    package var conclusion: Conclusion { Conclusion(findings) }

    /// The findings in one sentence; the last line, and the heading of a comment.
    package var verdict: String {
        let limit = Figures.percent(bound)
        return Headline(
            findings: findings,
            sameness: measurements.isIdenticalCode ? "with identical machine code" : "within \(limit)", base: base,
            head: head
        ).sentence
    }

    /// Sentences that precede the report: the subjects that were not looked at, with the remedies.
    package var preamble: [String] {
        var lines: [String] = []
        let (spoiling, other) = (
            measurements.uncompared.filter(\.spoilsComparison), measurements.uncompared.filter { !$0.spoilsComparison }
        )
        let manifests = spoiling.filter { $0.kind == .buildDescription }
        if !manifests.isEmpty {
            lines.append(
                """
                Not judged: \(Self.list(manifests)) \(manifests.count == 1 ? "differs" : "differ"), and \(base) does \
                not build head's benchmarks with its own: both sides were built with \(head)'s. Commit what the \
                benchmarks need by itself, and compare with that commit.
                """)
        }
        let code = spoiling.filter { $0.kind == .code }
        if let first = code.first {
            let folder = String(first.path[..<(first.path.lastIndex(of: "/") ?? first.path.endIndex)])
            lines.append(
                """
                Not judged: \(Self.list(code)) \(code.count == 1 ? "differs" : "differ") and \
                \(code.count == 1 ? "is" : "are") \(head)'s on both sides. Add '--subject \(folder)'.
                """)
        }
        let resources = spoiling.filter { $0.kind == .resource }
        if !resources.isEmpty {
            lines.append(
                """
                Not judged: \(resources.count == 1 ? "the resource" : "the resources") \(Self.list(resources)) \
                \(resources.count == 1 ? "differs" : "differ"), and both sides read those that lie next to this tool. \
                Store a run of each commit and use 'rxbench compare', or name the code alone with '--subject'.
                """)
        }
        if !other.isEmpty {
            lines.append("Not compared: \(Self.list(other)), \(head)'s on both sides.")
        }
        let missing = measurements.results.filter(\.isMissingInHead).map(\.id)
        if !missing.isEmpty {
            lines.append(
                """
                Not judged: \(Headline.list(missing)), not in \(head). Words behind the commits select the others.
                """)
        }
        for result in measurements.results where !Self.lost(result).isEmpty {
            lines.append(
                """
                Not judged: \(result.id), of which \(head) cannot say the \
                \(Self.lost(result).map(Self.noun).joined(separator: ", ")).
                """)
        }
        if measurements.isControlChanged {
            lines.append(
                """
                Not judged: no times, as \(base) differs from itself in other link orders: the machine changes times \
                by as much. Measure again when it is quieter; 'rxbench doctor' says whether it is.
                """)
        }
        return lines
    }

    private static func list(_ files: [UncomparedFile]) -> String {
        files.prefix(5).map { "'\($0.path)'" }.joined(separator: ", ")
            + (files.count > 5 ? " and \(files.count - 5) more" : "")
    }

    /// The sensitivity of the comparison: the change that it would have found, and the slowdown that was ruled out.
    package var reach: String? {
        let effects = measurements.results.compactMap(\.detectable)
        let measured = measurements.results.filter { $0.ratio != nil }
        guard !measurements.isControlChanged, !measured.isEmpty, let middle = Quantiles.median(of: effects),
            let worst = effects.max()
        else { return nil }
        let ends = measured.compactMap { $0.interval?.high }
        let highest = ends.count == measured.count ? ends.max() : nil
        // Were one of them slower by more, its own interval would have to miss it, so that their number does not matter
        // (Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics 24, 1982).
        let limit = highest.map {
            $0 > 1 ? "; none is slower by more than \(Headline.percent($0 - 1)) %" : "; none is slower"
        }
        return
            """
            sees: a change of \(Headline.percent(middle)) % in half of the benchmarks, of \
            \(Headline.percent(worst)) % in all (80 % power)\(limit ?? "").
            """
    }

    /// Counts of which more is a regression, as in ``ResultComparison``. Instructions are evidence for a time, and
    /// counted where it changed alone.
    static let gatingNames = MetricComparer.exactNames.filter { $0 != Metric.instructions }

    /// The counts that head was seen to have more of than base.
    static func raised(_ result: PairedResult) -> [String] {
        gatingNames.filter { name in result.exact.contains { $0.name == name && $0.difference == .more } }
    }

    /// The counts that head was seen to have fewer of than base.
    static func lowered(_ result: PairedResult) -> [String] {
        gatingNames.filter { name in result.exact.contains { $0.name == name && $0.difference == .fewer } }
    }

    /// Whether head was seen to count more or fewer of something.
    private static func countsOtherwise(_ result: PairedResult) -> Bool {
        !raised(result).isEmpty || !lowered(result).isEmpty
    }

    /// The counts that base has and head cannot say.
    static func lost(_ result: PairedResult) -> [String] {
        result.isMissingInHead
            ? []
            : result.exact.filter { gatingNames.contains($0.name) && $0.base.value != nil && $0.head.value == nil }.map(
                \.name)
    }

    /// A metric's unit, behind a number.
    static func noun(_ name: String) -> String {
        switch name {
        case Metric.allocatedBytes: "bytes"
        case Metric.netAllocations: "allocations left behind"
        case Metric.liveResources: "live resources"
        default: name
        }
    }
}
