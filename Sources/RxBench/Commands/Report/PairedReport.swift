import RxBenchEngine

/// Presents a paired comparison of two sides as a table, notes and a verdict.
package struct PairedReport: Sendable {
    let measurements: PairedMeasurements
    let base, head: String

    /// Creates a report of `measurements`. `base` and `head` are the names of the two sides.
    package init(_ measurements: PairedMeasurements, base: String, head: String) {
        self.measurements = measurements
        self.base = base
        self.head = head
    }

    /// The table of the comparison. It has one row for each benchmark that was compared, that failed or that head does
    /// not have. The rows that decide the exit code come first, followed by the largest confident changes.
    ///
    /// Allocated bytes, net allocations and instructions have a column only if it is worth showing.
    package var table: TextTable { table(isNarrow: false) }

    /// - Parameter isNarrow: Whether only the change is shown for counts that differ.
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

    /// Returns the table as text that fits a terminal with the given number of columns, which must be at least eighty.
    /// Without a terminal, the table has its natural width.
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
            // Computed from the ratio, so that both sides and the change agree. The medians of the sides over processes
            // differ from the medians of the pairs.
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

    /// Returns the benchmark's ID. If the row is not about the time of an iteration, the name of the quantity follows:
    /// `scheduler/latency/serial p99`.
    static func name(_ result: PairedResult) -> String {
        switch result.quantity {
        case .time: result.id
        case .latencyP50: "\(result.id) p50"
        case .latencyP99: "\(result.id) p99"
        }
    }

    /// Returns a duration in the form that reports show: the time per operation, or a recorded latency unchanged.
    static func time(_ nanoseconds: Double, _ result: PairedResult) -> String {
        let share = result.quantity == .time ? Double(max(1, result.operations)) : 1
        return Figures.time(nanoseconds: nanoseconds / share)
    }

    /// Returns a ratio as a signed change, with two decimals if the change is small: `+0.52 %`.
    static func change(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        guard percent.magnitude < 10 else { return Figures.change(ratio: ratio) }
        let text = Figures.fixed(percent.magnitude, decimals: 2)
        return "\(percent < 0 && text != "0.00" ? "−" : "+")\(text) %"
    }

    /// The default bound on the slowdown. It is far above the smallest change that a comparison detects, and far below
    /// a change that a user would notice.
    package static let usualBound = 0.05

    /// Returns the verdict on the time and on the counts that changed. A benchmark with a changed count is not called
    /// the same, regardless of its time.
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

    /// Returns the verdict on the time in words. If a bound on the slowdown was given, returns the result for that
    /// bound: `slower`, `within 5 %`. A row also has counts, so its words name the direction of the time.
    private func time(_ result: PairedResult) -> [String] {
        let change: String? =
            switch result.verdict {
            case .better: "faster"
            case .worse: "slower"
            case .same, .inconclusive, .notJudged: result.verdict?.rawValue
            case nil: nil
            }
        let limit = Figures.percent(bound)
        switch result.bound {
        case .same: return (Self.isChanged(result) ? [change ?? ""] : []) + ["within \(limit)"]
        case .worse: return ["slower by more than \(limit)"]
        case .inconclusive:
            return (Self.isChanged(result) ? [change ?? ""] : []) + ["inconclusive at \(limit)"]
        case .better, .notJudged, nil:
            return result.verdict == .inconclusive && !isOpen(result) ? ["within \(limit)"] : [change ?? ""]
        }
    }

    /// The bound on the slowdown that decides.
    private var bound: Double { measurements.noSlowerThan ?? Self.usualBound }

    static func isChanged(_ result: PairedResult) -> Bool { result.verdict?.isChange == true }

    private static func size(_ result: PairedResult) -> Double {
        isChanged(result) ? max(result.ratio ?? 1, 1 / (result.ratio ?? 1)) : 0
    }

    /// Returns the severity of a row as a sort key. Regressions come first, followed by open verdicts, other changes
    /// and the rest.
    private func rank(_ result: PairedResult) -> Int {
        switch outcome([result]) {
        case .failed, .worse: 0
        case .notJudged, .inconclusive: 1
        case .better: 2
        case .same, .added: 3
        }
    }

    /// Returns whether the time of head is worse: it is slower, or slower by more than the given bound.
    private static func isSlower(_ result: PairedResult) -> Bool {
        result.bound.map { $0 == .worse } ?? (result.verdict == .worse)
    }

    /// Returns whether the time is undecided. Without a given bound, this means that head may be slower by more than
    /// the default bound.
    private func isOpen(_ result: PairedResult) -> Bool {
        if let bound = result.bound { return bound == .inconclusive }
        return result.verdict == .inconclusive && (result.interval.map { $0.high > 1 + Self.usualBound } ?? true)
    }

    /// Whether files that affect the figures are head's on both sides.
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
            rows.filter { $0.verdict == .better }.compactMap(Self.timeChange)
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

    /// The conclusion of all benchmarks together. The most serious finding decides. If the control differs from itself,
    /// only times are discredited.
    package var conclusion: Conclusion { Conclusion(findings) }

    /// A sentence that summarises the findings. It is the last line of output and the heading of a comment.
    package var verdict: String {
        let limit = Figures.percent(bound)
        return Headline(
            findings: findings,
            sameness: measurements.isIdenticalCode ? "with identical machine code" : "within \(limit)", base: base,
            head: head
        ).sentence
    }

    /// Sentences for the beginning of the report that say what was not judged, with the remedies.
    package var preamble: [String] {
        var lines: [String] = []
        let spoiling = measurements.uncompared.filter(\.spoilsComparison)
        let exchanged = measurements.uncompared.filter { $0.kind == .exchangedBenchmark }
        let other = measurements.uncompared.filter { !$0.spoilsComparison && $0.kind != .exchangedBenchmark }
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
        if !exchanged.isEmpty {
            lines.append(
                """
                Not compared: \(Self.list(exchanged)), \(base)'s on both sides, because it does not compile \(head)'s \
                version.
                """)
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

    /// A sentence about the sensitivity of the comparison: the change that it would have detected, and the slowdown
    /// that it has ruled out.
    package var reach: String? {
        let effects = measurements.results.compactMap(\.detectable)
        let measured = measurements.results.filter { $0.ratio != nil }
        guard !measurements.isControlChanged, !measured.isEmpty, let middle = Quantiles.median(of: effects),
            let worst = effects.max()
        else { return nil }
        let ends = measured.compactMap { $0.interval?.high }
        let highest = ends.count == measured.count ? ends.max() : nil
        // If one of the benchmarks were slower by more, its own interval would have to miss the true value. The number
        // of benchmarks therefore does not matter (Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling",
        // Technometrics 24, 1982).
        let limit = highest.map {
            $0 > 1 ? "; none is slower by more than \(Headline.percent($0 - 1)) %" : "; none is slower"
        }
        return
            """
            sees: a change of \(Headline.percent(middle)) % in half of the benchmarks, of \
            \(Headline.percent(worst)) % in all (80 % power)\(limit ?? "").
            """
    }

    /// The counts whose increase is a regression, as in ``ResultComparison``. Instructions are not included: they are
    /// evidence for a change of time, and are counted where only the time changed.
    static let gatingNames = MetricComparer.exactNames.filter { $0 != Metric.instructions }

    /// Returns the counts that were found to be higher in head than in base.
    static func raised(_ result: PairedResult) -> [String] {
        gatingNames.filter { name in result.exact.contains { $0.name == name && $0.difference == .more } }
    }

    /// Returns the counts that were found to be lower in head than in base.
    static func lowered(_ result: PairedResult) -> [String] {
        gatingNames.filter { name in result.exact.contains { $0.name == name && $0.difference == .fewer } }
    }

    /// Returns whether any count was found to differ between the sides.
    private static func countsOtherwise(_ result: PairedResult) -> Bool {
        !raised(result).isEmpty || !lowered(result).isEmpty
    }

    /// Returns the counts that base has and that are unavailable in head.
    static func lost(_ result: PairedResult) -> [String] {
        result.isMissingInHead
            ? []
            : result.exact.filter { gatingNames.contains($0.name) && $0.base.value != nil && $0.head.value == nil }.map(
                \.name)
    }

    /// Returns the noun that follows a number of the metric.
    static func noun(_ name: String) -> String {
        switch name {
        case Metric.allocatedBytes: "bytes"
        case Metric.netAllocations: "allocations left behind"
        case Metric.liveResources: "live resources"
        default: name
        }
    }
}
