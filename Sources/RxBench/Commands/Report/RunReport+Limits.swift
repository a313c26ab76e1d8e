import RxBench
import RxBenchEngine

extension BenchmarkResult {
    /// The checks that reports show. The standard limit is shown only if it is exceeded.
    var shownChecks: [LimitCheck] { checks.filter { $0.source != .standard || $0.isOverBudget } }
}

extension RunReport {
    /// A table of every declared limit with its measurement, and of every standard limit that was exceeded.
    package var limits: TextTable { limits { _ in true } }

    /// Returns the rows of ``limits`` that satisfy a condition.
    func limits(where isWanted: (LimitCheck) -> Bool) -> TextTable {
        var table = TextTable([
            ("limits", .left), ("quantity", .left), ("at most", .right), ("measured", .right), ("[low high]", .right),
            ("verdict", .left),
        ])
        for benchmark in result.benchmarks {
            for check in benchmark.shownChecks where isWanted(check) { table.add([benchmark.id] + Self.cells(check)) }
        }
        return table
    }

    /// Notes that explain why an exceeded budget does not end the run with an error.
    var budgetNotes: [String] {
        let isIgnored = result.benchmarks.flatMap(\.checks).contains {
            $0.quantity.isExact && $0.verdict == .worse && !$0.decides
        }
        return isIgnored
            ? [
                """
                limits: a debug build allocates more than an optimised one, so its allocations above a limit do not \
                fail the run.
                """
            ] : []
    }

    /// Returns the measured figure, in the unit of the limit.
    static func measured(_ check: LimitCheck) -> String {
        check.reading.value.map { figure($0, of: check.quantity, atMost: check.maximum) } ?? missing
    }

    /// Returns the largest permitted value.
    static func maximum(_ check: LimitCheck) -> String {
        figure(check.maximum, of: check.quantity, atMost: check.maximum)
    }

    private static func cells(_ check: LimitCheck) -> [String] {
        func text(_ value: Double) -> String { figure(value, of: check.quantity, atMost: check.maximum) }
        let interval = check.interval.flatMap { $0.low == $0.high ? nil : "[\(text($0.low)) \(text($0.high))]" }
        return [name(check.quantity), maximum(check), measured(check), interval ?? "", check.verdict.rawValue]
    }

    /// Returns a figure in the unit of the limited quantity.
    static func figure(_ value: Double, of quantity: Limit.Quantity, atMost maximum: Double) -> String {
        switch quantity {
        case .allocationsPerOperation, .allocationsPerIteration, .objectsPerIteration, .instructionsPerIteration,
            .liveResources:
            count(value, besides: maximum)
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
        case .objectsPerIteration: "objects/iteration"
        case .instructionsPerIteration: "instr/iteration"
        case .liveResources: "live"
        case .ratioToBaseline: "vs baseline"
        case .time: "time/op"
        }
    }
}
