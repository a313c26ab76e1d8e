import RxBench
import RxBenchEngine

extension RunReport {
    /// A table of every declared limit with its measurement, and of every default limit that was exceeded.
    package var bars: TextTable {
        var table = TextTable([
            ("Bars", .left), ("quantity", .left), ("at most", .right), ("measured", .right), ("[low high]", .right),
            ("verdict", .left),
        ])
        for benchmark in result.benchmarks {
            for bar in benchmark.bars ?? [] where bar.isDeclared || bar.verdict == .overBudget {
                table.add([benchmark.id] + Self.cells(bar))
            }
        }
        return table
    }

    /// Notes that explain why an exceeded budget does not end the run with an error.
    var budgetNotes: [String] {
        let isMissed = result.benchmarks.contains {
            $0.bars?.contains { $0.quantity.isExact && $0.verdict == .missed } ?? false
        }
        return isMissed
            ? [
                """
                budgets: allocations are budgeted for release builds; in this debug build a budget is missed, not \
                broken.
                """
            ] : []
    }

    /// Returns the measured figure, in the unit of the bar.
    static func measured(_ bar: LimitCheck) -> String { bar.reading.value.map { figure($0, bar) } ?? missing }

    private static func cells(_ bar: LimitCheck) -> [String] {
        let interval = bar.interval.flatMap {
            $0.low == $0.high ? nil : "[\(figure($0.low, bar)) \(figure($0.high, bar))]"
        }
        return [
            name(bar.quantity), figure(bar.maximum, bar), measured(bar), interval ?? "", words(bar.verdict),
        ]
    }

    /// Returns a figure in the unit of the bar.
    static func figure(_ value: Double, _ bar: LimitCheck) -> String {
        switch bar.quantity {
        case .allocationsPerOperation, .allocationsPerIteration, .liveResources: count(value, besides: bar.maximum)
        case .ratioToBaseline: "\(Figures.threeDigits(value)) ×"
        case .time: Figures.time(nanoseconds: value)
        }
    }

    /// Returns a count with three digits. If three digits cannot distinguish the count from its limit, returns all
    /// digits: 6.001 must not read 6.00 next to a budget of 6.
    private static func count(_ value: Double, besides maximum: Double) -> String {
        let differs = abs(value - maximum) >= 0.005 && Figures.count(value) != Figures.count(maximum)
        return value == maximum || differs ? Figures.count(value) : "\(value)"
    }

    /// Returns the name of the limited quantity for column titles.
    static func name(_ quantity: Limit.Quantity) -> String {
        switch quantity {
        case .allocationsPerOperation: "allocs/op"
        case .allocationsPerIteration: "allocs/iteration"
        case .liveResources: "live"
        case .ratioToBaseline: "vs baseline"
        case .time: "time/op"
        }
    }

    /// Returns the verdict in words.
    static func words(_ verdict: LimitCheck.Verdict) -> String {
        verdict == .overBudget ? "over budget" : verdict.rawValue
    }
}
