import RxBench
import RxBenchPairs

/// A column of a comparison of two sides that shows a count, as that of an operation.
struct CountColumn: Sendable {
    private let metric: String
    private let unit: String
    /// Whether the column has something to say of a result.
    let isShown: @Sendable (PairedResult) -> Bool

    private init(
        _ metric: String, unit: String = "count/iteration", isShown: @escaping @Sendable (PairedResult) -> Bool
    ) {
        self.metric = metric
        self.unit = unit
        self.isShown = isShown
    }

    /// All columns, in their order.
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

    /// Both counts and their change in per cent, or one where they are equal. A tilde marks counts that vary by
    /// themselves.
    func cell(_ result: PairedResult) -> String {
        guard let counts = Self.counts(result, metric), let base = counts.base.value, let head = counts.head.value
        else {
            return metric == Metric.instructions ? "" : "unavailable"
        }
        let shown = ShownMetric(metric, unit: unit, operations: result.operations)
        if counts.difference == .varies { return "~\(shown.text(base))" }
        guard base != head else { return shown.text(base) }
        let figures = shown.texts(base, head)
        return "\(figures.before) → \(figures.after)"
            + (base > 0 && head > 0 ? " (\(PairedReport.change(head / base)))" : "")
    }
}
