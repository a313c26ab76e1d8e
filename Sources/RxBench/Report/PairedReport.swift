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
    package var table: TextTable {
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
        for result in sorted.map(\.element) { table.add(cells(result, columns)) }
        return table
    }

    private func cells(_ result: PairedResult, _ columns: [CountColumn]) -> [String] {
        guard result.ratio != nil else {
            let blank = Array(repeating: "", count: 5 + columns.count)
            return [Self.name(result)] + blank + [result.failure != nil ? "failed" : "not in \(head)"]
        }
        let times = [
            result.baseNanoseconds.map { Self.time($0, result) } ?? "",
            // From the ratio, so that both sides and the change agree: the medians of both sides over processes are not
            // those of pairs.
            result.baseNanoseconds.flatMap { base in result.ratio.map { Self.time(base * $0, result) } } ?? "",
        ]
        let change = [
            result.ratio.map(Self.change) ?? "",
            result.interval.map { "[\(Self.change($0.low)) \(Self.change($0.high))]" } ?? "unknown",
            result.detectable.map { Self.change(1 + $0) } ?? "",
        ]
        return [Self.name(result)] + times + change + columns.map { $0.cell(result) } + [words(result)]
    }

    /// The benchmark, and what of it the row is about when that is not the time of an iteration:
    /// `scheduler/latency/serial p99`.
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

    /// The verdict on the time, and on counts that changed. What counts more or fewer is not the same, however long it
    /// takes.
    private func words(_ result: PairedResult) -> String {
        let time =
            result.bound.map { (Self.isChanged(result) ? [result.verdict ?? ""] : []) + [words(bound: $0)] } ?? [
                result.verdict ?? ""
            ]
        let suspicion = result.isLayoutSuspect == true ? ["layout-suspect"] : []
        let counts =
            Self.raised(result).map { "more \(Self.noun($0))" } + Self.lowered(result).map { "fewer \(Self.noun($0))" }
        return (time.filter { $0 != "same" || counts.isEmpty } + suspicion + counts)
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The finding on the slowdown that was asked for: `within 5 %`.
    private func words(bound: String) -> String {
        let limit = Figures.percent(measurements.noSlowerThan ?? 0)
        return switch bound {
        case "within": "within \(limit)"
        case "beyond": "slower by more than \(limit)"
        default: "open at \(limit)"
        }
    }

    static func isChanged(_ result: PairedResult) -> Bool { result.verdict == "slower" || result.verdict == "faster" }
    private static func size(_ result: PairedResult) -> Double {
        isChanged(result) ? max(result.ratio ?? 1, 1 / (result.ratio ?? 1)) : 0
    }

    /// How grave a row is: what makes a regression, what leaves something open, what has changed otherwise, all else.
    private func rank(_ result: PairedResult) -> Int {
        if result.failure != nil { return 0 }
        if result.isMissingInHead { return 1 }
        if !Self.raised(result).isEmpty || (Self.isSlower(result) && result.isLayoutSuspect != true) { return 0 }
        if Self.isSlower(result) || Self.isOpen(result) || !Self.lost(result).isEmpty { return 1 }
        return Self.isChanged(result) || result.exact.contains { $0.difference == .fewer } ? 2 : 3
    }

    /// Whether its time speaks against head: it changed for the worse, or by more than the bound that was asked for.
    private static func isSlower(_ result: PairedResult) -> Bool {
        result.bound.map { $0 == "beyond" } ?? (result.verdict == "slower")
    }

    /// Whether its time says too little.
    private static func isOpen(_ result: PairedResult) -> Bool {
        result.bound.map { $0 == "open" } ?? (result.verdict == "inconclusive")
    }

    /// The conclusion of a whole comparison.
    package enum Conclusion: Sendable, Equatable {
        /// Nothing is slower, and nothing counts more.
        case fine
        /// Something counts more, or takes longer by its own doing.
        case regression
        /// A benchmark failed.
        case failed
        /// Too little data, a control that differs from itself, a benchmark or a count that head lacks, or times that
        /// only the code's place in memory may have changed.
        case inconclusive
    }

    /// The conclusion of all benchmarks together, the gravest first. A control that differs from itself discredits
    /// times alone.
    package var conclusion: Conclusion {
        let results = measurements.results
        if results.contains(where: { !Self.raised($0).isEmpty }) { return .regression }
        let slower = measurements.isControlChanged ? [] : results.filter(Self.isSlower)
        if slower.contains(where: { $0.isLayoutSuspect != true }) { return .regression }
        if results.contains(where: { $0.failure != nil }) { return .failed }
        if measurements.isControlChanged || !slower.isEmpty { return .inconclusive }
        if results.contains(where: { $0.isMissingInHead || !Self.lost($0).isEmpty }) { return .inconclusive }
        return results.contains(where: Self.isOpen) || !results.contains { $0.verdict != nil } ? .inconclusive : .fine
    }

    /// How many results have each verdict, in words; the last line.
    package var verdict: String {
        func count(_ word: String, _ isCounted: (PairedResult) -> Bool) -> String? {
            let counted = measurements.results.filter(isCounted)
            let suspects = counted.count { $0.isLayoutSuspect == true }
            return counted.isEmpty
                ? nil : "\(counted.count) \(word)" + (suspects > 0 ? " (\(suspects) layout-suspect)" : "")
        }
        let times =
            measurements.isControlChanged
            ? []
            : Self.verdicts.map { word in
                count(word) { $0.verdict == word && $0.bound == nil && (word != "same" || !Self.countsOtherwise($0)) }
            }
                + Self.bounds.map { bound in count(words(bound: bound)) { $0.bound == bound } }
        let more = Self.gatingNames.map { name in
            count("with more \(Self.noun(name))") { Self.raised($0).contains(name) }
        }
        // Where the time changed, its verdict has counted the row.
        let fewer = Self.gatingNames.map { name in
            count("with fewer \(Self.noun(name))") { $0.verdict == "same" && Self.lowered($0).contains(name) }
        }
        let others = [
            count("failed") { $0.failure != nil }, count("not in \(base)", \.isMissingInBase),
            count("not in \(head)", \.isMissingInHead),
            count("with a count that \(head) lacks") { !Self.lost($0).isEmpty },
        ]
        let said = (times + others + more + fewer).compactMap(\.self)
        guard !measurements.isControlChanged else {
            let rest = said.isEmpty ? "" : " \(head) against \(base): \(said.joined(separator: ", "))."
            return
                """
                Inconclusive: \(base) differs from itself, so that the machine and not the code made that \
                difference.\(rest)
                """
        }
        let identity = measurements.isIdenticalCode ? "identical machine code, " : ""
        let sentence = said.isEmpty ? "nothing was compared" : said.joined(separator: ", ")
        return "\(head) against \(base): \(identity)\(sentence)\(bound.map { "; \($0)" } ?? "")."
    }

    private static let verdicts = ["slower", "faster", "same", "inconclusive"]
    private static let bounds = ["beyond", "open", "within"]

    /// The slowdown that none of the benchmarks that were measured exceeds, with the confidence of one interval: the
    /// highest of their upper ends. Were one of them slower by more, its own interval would have to miss it, so that
    /// their number does not matter (Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics
    /// 24, 1982).
    private var bound: String? {
        let measured = measurements.results.filter { $0.ratio != nil }
        guard !measured.isEmpty, !measurements.isIdenticalCode else { return nil }
        let ends = measured.compactMap { $0.interval?.high }
        let unknown = measured.count - ends.count
        guard let highest = ends.max() else { return "no bound of a slowdown was shown" }
        let rest = unknown == 0 ? "" : ", of \(unknown) nothing was shown"
        guard highest > 1 else { return "none slower\(rest)" }
        return "none slower by more than \(Self.change(highest).drop { $0 == "+" })\(rest)"
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
