import RxBench

/// How reports show a metric of a benchmark: as that of one operation.
///
/// Results, budgets and the JSON of every verb hold counts as they were taken, those of an iteration, with the number
/// of its operations beside them: whole numbers that equal work gives again. Tables and pages show an operation's share
/// of them, beside its time. Whatever an iteration leaves behind (net allocations, live resources) is no cost of an
/// operation, and is shown as it is.
struct ShownMetric: Sendable, Equatable {
    private let unit: String
    /// How many operations share a stored figure.
    private let share: Double

    /// The metric called `name` of a benchmark whose iterations perform `operations`, stored in `unit`.
    init(_ name: String, unit: String, operations: Int) {
        self.unit = unit
        share = Self.share(of: name, unit: unit, operations: operations) ?? 1
    }

    /// How many operations share a stored figure; `nil` for a metric that they do not share.
    static func share(of name: String, unit: String, operations: Int) -> Double? {
        sharedByOperations.contains(name) && unit.hasSuffix("/iteration") && operations > 0 ? Double(operations) : nil
    }

    /// Counts that every operation of an iteration has its share of.
    static let sharedByOperations = [
        Metric.allocations, Metric.allocatedBytes, Metric.deallocations, Metric.instructions, Metric.objects,
        Metric.retains,
        Metric.releases,
    ]

    /// A metric's name as columns call it: `allocs/op`.
    static func title(_ name: String) -> String {
        switch name {
        case Metric.time: "time/op"
        case Metric.ratioToBaseline: "vs baseline"
        case Metric.allocations: "allocs/op"
        case Metric.allocatedBytes: "bytes/op"
        case Metric.deallocations: "frees/op"
        case Metric.instructions: "instr/op"
        case Metric.netAllocations: "net allocs"
        case Metric.liveResources: "live"
        case Metric.objects, Metric.retains, Metric.releases: "\(name)/op"
        default: name
        }
    }

    /// An operation's share of a stored figure.
    func value(_ stored: Double) -> Double { stored / share }

    /// A stored figure, in the unit that suits it.
    func text(_ stored: Double) -> String { text(value(stored), decimals: 0) }

    /// Two stored figures, counts with as many digits as tell them apart.
    func texts(_ before: Double, _ after: Double) -> (before: String, after: String) {
        let (old, new) = (value(before), value(after))
        guard !unit.hasPrefix("bytes") else { return Figures.bytes(old, new) }
        let decimals = unit == "ns/operation" || unit == "ratio" ? 0 : Figures.decimals(telling: old, from: new)
        return (text(old, decimals: decimals), text(new, decimals: decimals))
    }

    /// The gain of a stored count, with its part of what there was: `+1 (+33.3 %)`; empty where nothing changed.
    func change(from before: Double, to after: Double) -> String {
        guard before != after else { return "" }
        let sign = after > before ? "+" : "−"
        let part = before > 0 ? " (\(sign)\(Figures.threeDigits((after - before).magnitude / before * 100)) %)" : ""
        return sign + text((after - before).magnitude / share, decimals: 0) + part
    }

    private func text(_ value: Double, decimals: Int) -> String {
        switch unit {
        case "ns/operation": Figures.time(nanoseconds: value)
        case "ratio": "\(Figures.threeDigits(value)) ×"
        default: unit.hasPrefix("bytes") ? Figures.bytes(value) : Figures.count(value, decimals: decimals)
        }
    }
}
