import RxBench
import RxBenchEngine

extension PairedReport {
    /// The notes below the table. They list benchmarks that could not be compared and unusual distributions, and
    /// describe the control.
    package var notes: [String] {
        var notes: [String] = [reach].compactMap(\.self)
        let missing = measurements.results.filter(\.isMissingInBase).map(\.id)
        if !missing.isEmpty { notes.append("not in \(base): \(missing.joined(separator: ", ")).") }
        let gone = measurements.results.filter(\.isMissingInHead).map(\.id)
        if !gone.isEmpty { notes.append("not in \(head): \(gone.joined(separator: ", ")).") }
        notes += measurements.results.compactMap { result in result.failure.map { "failed: \(result.id): \($0)" } }
        notes += measurements.results.compactMap { result in
            result.levels.map { "several levels: \(Self.name(result)): \(Self.words($0, result))." }
        }
        for result in measurements.results { notes += result.remarks.map { "\(Self.name(result)): \($0)" } }
        if !measurements.leftOut.isEmpty {
            notes.append(
                """
                left out: \(Figures.counted(measurements.leftOut.count, "benchmark")) whose unchanged code differs \
                from process to process; 'tag:\(Benchmark.unsteadyTag)' selects them.
                """
            )
        }
        let reasons = Set(
            measurements.results.filter { !$0.isMissingInBase }.flatMap(\.exact).flatMap { [$0.base, $0.head] }
                .compactMap { reading in
                    if case .unavailable(let reason) = reading { reason } else { nil }
                })
        notes += reasons.sorted().map { "unavailable: \($0)." } + layout
        for control in measurements.controls where !control.isMissingInBase && !missing.contains(control.id) {
            let interval =
                control.interval.map { "[\(Self.change($0.low)) \(Self.change($0.high))]" }
                ?? "too few processes for an interval"
            notes.append(
                """
                control: \(base) against itself in \(control.logRatios.count { !$0.isEmpty }) other link orders, \
                \(control.id): \(interval).
                """
            )
        }
        let changed = measurements.results.filter { Self.isChanged($0) && $0.quantity == .time }
        if !changed.isEmpty, !measurements.arePrograms {
            notes.append(
                """
                whose number: code in a loaded image, whose functions lie at cache lines and in many orders; your \
                program has one order. '--programs' measures \(Headline.list(changed.map(\.id))) as two \
                programs in turns.
                """
            )
        }
        if let allocator = measurements.allocator {
            notes.append("allocators: time was measured under \(allocator); allocations are counted under jemalloc.")
        }
        return notes
    }

    /// Sentences that name the benchmarks for which it is unknown whether a change of time comes from the position of
    /// the code in memory. It is unknown if instructions were not counted or if counts vary.
    private var layout: [String] {
        let open = measurements.results.filter { Self.isChanged($0) && $0.isLayoutSuspect == nil }
        let uncounted = open.filter { result in result.exact.first { $0.name == Metric.instructions }?.difference == nil
        }
        let varying = open.filter { !uncounted.contains($0) }
        func list(_ results: [PairedResult]) -> String { results.map(Self.name).joined(separator: ", ") }
        return [
            uncounted.isEmpty
                ? nil
                : """
                layout: \(list(uncounted)): instructions were not counted, so that a change of the code's place in \
                memory is told apart by the 
                """
                    + "\(measurements.layouts) link orders alone.",
            varying.isEmpty
                ? nil
                : """
                layout: \(list(varying)): counts vary by themselves, so that a change of the code's place in \
                memory is told apart by the 
                """
                    + "\(measurements.layouts) link orders alone.",
        ].compactMap(\.self)
    }

    /// Returns the levels of both sides with the share of processes at each level. If neither side has several levels,
    /// returns the levels of their ratio.
    private static func words(_ levels: PairedLevels, _ result: PairedResult) -> String {
        func time(_ value: Double) -> String { Self.time(value, result) }
        guard levels.base.count > 1 || levels.head.count > 1 else {
            return "its ratio \(RunReport.list(levels.ratio) { change($0) })"
        }
        return "base \(RunReport.list(levels.base, time)); head \(RunReport.list(levels.head, time))"
    }
}

/// A column of a paired comparison that shows a count per operation.
struct CountColumn: Sendable {
    private let metric: String
    private let unit: MetricUnit
    /// Returns whether the column is worth showing for a result.
    let isShown: @Sendable (PairedResult) -> Bool

    private init(
        _ metric: String, unit: MetricUnit = "count/iteration", isShown: @escaping @Sendable (PairedResult) -> Bool
    ) {
        self.metric = metric
        self.unit = unit
        self.isShown = isShown
    }

    /// All columns, in the order in which they are shown.
    static let all = [
        CountColumn(Metric.allocations) { _ in true },
        CountColumn(Metric.allocatedBytes, unit: "bytes/iteration") { hasChanged($0, Metric.allocatedBytes) },
        CountColumn(Metric.netAllocations) { result in
            counts(result, Metric.netAllocations).map { ($0.base.value ?? 0) != 0 || ($0.head.value ?? 0) != 0 }
                ?? false
        },
        CountColumn(Metric.instructions) { counts($0, Metric.instructions)?.difference != nil },
    ]

    var title: String { ShownMetric.title(metric) }

    private static func counts(_ result: PairedResult, _ name: String) -> ExactComparison? {
        result.exact.first { $0.name == name }
    }

    private static func hasChanged(_ result: PairedResult, _ name: String) -> Bool {
        let difference = counts(result, name)?.difference
        return difference == .more || difference == .fewer
    }

    /// Returns both counts and their change in per cent, or a single count if they are equal. A tilde marks counts that
    /// vary by themselves. In a narrow table, returns only the change.
    func cell(_ result: PairedResult, isNarrow: Bool) -> String {
        guard let counts = Self.counts(result, metric), let base = counts.base.value, let head = counts.head.value
        else {
            return metric == Metric.instructions ? "" : "unavailable"
        }
        let shown = ShownMetric(metric, unit: unit, operations: result.operations)
        let mark = counts.varies ? "~" : ""
        guard base != head else { return mark + shown.text(base) }
        let change = base > 0 && head > 0 ? PairedReport.change(head / base) : nil
        if isNarrow, let change { return mark + change }
        let figures = shown.texts(base, head)
        return "\(mark)\(figures.before) → \(mark)\(figures.after)" + (change.map { " (\($0))" } ?? "")
    }
}
