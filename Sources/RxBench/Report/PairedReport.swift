import RxBench
import RxBenchStatistics

/// A comparison of two sides as a table, notes and a verdict.
public struct PairedReport: Sendable {
    private let measurements: PairedMeasurements
    private let base, head: String

    /// A report of `measurements` of the sides called `base` and `head`.
    public init(_ measurements: PairedMeasurements, base: String, head: String) {
        self.measurements = measurements
        self.base = base
        self.head = head
    }

    /// One row for each benchmark that could be compared, the largest confident change first.
    public var table: TextTable {
        var table = TextTable([
            ("benchmark", .left), (base, .right), (head, .right), ("change", .right), ("99 % interval", .right), ("sees", .right), ("allocations", .right),
            ("verdict", .left),
        ])
        let compared = measurements.results.filter { $0.ratio != nil }
        for result in compared.filter(Self.isChanged).sorted(by: { Self.size($0) > Self.size($1) }) + compared.filter({ !Self.isChanged($0) }) {
            table.add(cells(result))
        }
        return table
    }

    private func cells(_ result: PairedResult) -> [String] {
        [
            result.id, result.baseNanoseconds.map { Figures.time(nanoseconds: $0) } ?? "", result.headNanoseconds.map { Figures.time(nanoseconds: $0) } ?? "",
            result.ratio.map(Self.change) ?? "",
            result.interval.map { "[\(Self.change($0.low)) \(Self.change($0.high))]" } ?? "unknown",
            result.detectable.map { Self.change(1 + $0) } ?? "", Self.allocations(result),
            (result.verdict ?? "") + (result.isLayoutSuspect == true ? ", layout-suspect" : ""),
        ]
    }

    /// A ratio as a signed change with the digits that small changes need: `+0.52 %`.
    static func change(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        guard percent.magnitude < 10 else { return Figures.change(ratio: ratio) }
        let text = Figures.fixed(percent.magnitude, decimals: 2)
        return "\(percent < 0 && text != "0.00" ? "−" : "+")\(text) %"
    }

    private static func allocations(_ result: PairedResult) -> String {
        guard let counts = result.exact.first(where: { $0.name == Metric.allocations }), let base = counts.base.value, let head = counts.head.value else {
            return "unavailable"
        }
        // A tilde marks counts that vary by themselves.
        if counts.difference == .varies { return "~\(Figures.count(base))" }
        return base == head ? Figures.count(base) : "\(Figures.count(base)) → \(Figures.count(head))"
    }

    private static func isChanged(_ result: PairedResult) -> Bool { result.verdict == "slower" || result.verdict == "faster" }
    private static func size(_ result: PairedResult) -> Double { max(result.ratio ?? 1, 1 / (result.ratio ?? 1)) }

    /// What stands below the table: what could not be compared, what is odd, and the control.
    public var notes: [String] {
        var notes: [String] = []
        let missing = measurements.results.filter(\.isMissingInBase).map(\.id)
        if !missing.isEmpty { notes.append("not in \(base): \(missing.joined(separator: ", ")).") }
        notes += measurements.results.compactMap { result in result.failure.map { "failed: \(result.id): \($0)" } }
        for result in measurements.results { notes += result.remarks.map { "\(result.id): \($0)" } }
        let reasons = Set(measurements.results.filter { !$0.isMissingInBase }.flatMap(\.exact).flatMap { [$0.base, $0.head] }.compactMap { reading in
            if case .unavailable(let reason) = reading { reason } else { nil }
        })
        notes += reasons.sorted().map { "unavailable: \($0)." }
        if measurements.results.contains(where: { Self.isChanged($0) && $0.isLayoutSuspect == nil }) {
            notes.append("layout: instructions were not counted, so that a change of the code's place in memory is told apart by the \(measurements.layouts) link orders alone.")
        }
        for control in measurements.controls where !control.isMissingInBase && !missing.contains(control.id) {
            let interval = control.interval.map { "[\(Self.change($0.low)) \(Self.change($0.high))]" } ?? "too few processes for an interval"
            notes.append("control: \(base) against itself in \(control.logRatios.count { !$0.isEmpty }) other link orders, \(control.id): \(interval).")
        }
        return notes
    }

    /// What a comparison says as a whole.
    public enum Conclusion: Sendable, Equatable {
        /// Nothing is slower, and nothing allocates more.
        case fine
        /// Something allocates more, or takes longer by its own doing.
        case regression
        /// A benchmark failed.
        case failed
        /// Too little data, a control that differs from itself, or times that only the code's place in memory may have changed.
        case inconclusive
    }

    /// What is said of all benchmarks together, the gravest first.
    public var conclusion: Conclusion {
        let results = measurements.results
        if results.contains(where: Self.allocatesMore) { return .regression }
        if measurements.isControlChanged { return .inconclusive }
        let slower = results.filter { $0.verdict == "slower" }
        if slower.contains(where: { $0.isLayoutSuspect != true }) { return .regression }
        if results.contains(where: { $0.failure != nil }) { return .failed }
        let verdicts = Set(results.compactMap(\.verdict))
        return !slower.isEmpty || verdicts.contains("inconclusive") || verdicts.isEmpty ? .inconclusive : .fine
    }

    /// How many results have each verdict, in words; the last line.
    public var verdict: String {
        guard !measurements.isControlChanged else {
            return "Inconclusive: \(base) differs from itself, so that the machine and not the code made that difference."
        }
        func count(_ word: String, _ isCounted: (PairedResult) -> Bool) -> String? {
            let counted = measurements.results.filter(isCounted)
            let suspects = counted.count { $0.isLayoutSuspect == true }
            return counted.isEmpty ? nil : "\(counted.count) \(word)" + (suspects > 0 ? " (\(suspects) layout-suspect)" : "")
        }
        let parts = ["slower", "faster", "same", "inconclusive"].map { word in count(word) { $0.verdict == word } } + [
            count("failed") { $0.failure != nil }, count("not in \(base)", \.isMissingInBase), count("with more allocations", Self.allocatesMore),
        ]
        let said = parts.compactMap(\.self)
        return "\(head) against \(base): \(said.isEmpty ? "nothing was compared" : said.joined(separator: ", "))."
    }

    /// Whether head was counted to allocate more than base.
    static func allocatesMore(_ result: PairedResult) -> Bool {
        result.exact.contains { $0.name == Metric.allocations && $0.difference == .more }
    }
}
