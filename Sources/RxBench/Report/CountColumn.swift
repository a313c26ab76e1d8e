import RxBench

/// A column of a comparison of two sides that shows a count.
struct CountColumn: Sendable {
    let title: String
    private let metric: String
    private let figure: @Sendable (Double) -> String
    /// Whether the column has something to say of a result.
    let isShown: @Sendable (PairedResult) -> Bool

    /// All columns, in their order.
    static let all = [
        CountColumn(title: "allocations", metric: Metric.allocations, figure: Figures.count) { _ in true },
        CountColumn(title: "bytes", metric: Metric.allocatedBytes, figure: Figures.bytes) { hasChanged($0, Metric.allocatedBytes) },
        CountColumn(title: "net allocs", metric: Metric.netAllocations, figure: Figures.count) { result in
            counts(result, Metric.netAllocations).map { ($0.base.value ?? 0) != 0 || ($0.head.value ?? 0) != 0 } ?? false
        },
        CountColumn(title: "instructions", metric: Metric.instructions, figure: Figures.threeDigits) { counts($0, Metric.instructions)?.difference != nil },
    ]

    private static func counts(_ result: PairedResult, _ name: String) -> ExactComparison? { result.exact.first { $0.name == name } }

    private static func hasChanged(_ result: PairedResult, _ name: String) -> Bool {
        let difference = counts(result, name)?.difference
        return difference == .more || difference == .fewer
    }

    /// Both counts and their change in per cent, or one where they are equal. A tilde marks counts that vary by themselves.
    func cell(_ result: PairedResult) -> String {
        guard let counts = Self.counts(result, metric), let base = counts.base.value, let head = counts.head.value else {
            return metric == Metric.instructions ? "" : "unavailable"
        }
        if counts.difference == .varies { return "~\(figure(base))" }
        guard base != head else { return figure(base) }
        return "\(figure(base)) → \(figure(head))" + (base > 0 && head > 0 ? " (\(PairedReport.change(head / base)))" : "")
    }
}
