import RxBench
import RxBenchEngine

/// Presents one run as tables and a verdict.
package struct RunReport: Sendable {
    let result: RunResult

    /// Creates a report of `result`.
    package init(_ result: RunResult) { self.result = result }

    /// Returns all tables that have rows, followed by the notes, separated by empty lines. The verdict is not included.
    ///
    /// - Parameters:
    ///   - columns: The width of the terminal, or `nil` without a terminal.
    ///   - isGrouped: Whether the tables on a terminal are grouped by family.
    package func text(markdown: Bool = false, columns: Int? = nil, isGrouped: Bool = true) -> String {
        var parts = [figures, limits, latencies, outcomes].filter { !$0.rows.isEmpty }.map { table in
            if markdown { return table.markdown }
            guard let columns else { return table.text }
            return table.text(fitting: columns, dropping: Self.spareTitles, isGrouped: isGrouped)
        }
        let notes =
            failures + leaks + budgetNotes + unavailable + oddities + allocators + intervals + outliers + detectable
        if !notes.isEmpty {
            parts.append(markdown ? MarkdownReport.list(notes) : notes.map(\.printable).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    /// The columns that are left out on a narrow terminal, in this order.
    private static let spareTitles = ["outliers", "MDE", "bytes/op", "net allocs", "live", "samples", "at most"]

    /// A table with the time and allocations of every measured benchmark.
    package var figures: TextTable {
        let keeps = result.benchmarks.contains {
            $0.metric(Metric.netAllocations)?.values.contains { $0 != 0 } ?? false
        }
        let counts = result.benchmarks.contains { $0.metric(Metric.instructions)?.reading.value != nil }
        // A run that only counts has no times.
        let isTimed = result.benchmarks.contains { $0.metric(Metric.time) != nil } || result.benchmarks.isEmpty
        let timing: [(String, TextTable.Alignment)] = [
            ("time/op", .right), ("", .right), ("MDE", .right), ("outliers", .right), ("vs baseline", .right),
        ]
        // A build without tracing does not count live resources. The reason is printed below the table.
        let hasLive = result.benchmarks.contains { $0.metric(Metric.liveResources)?.reading.value != nil }
        var table = TextTable(
            [("benchmark", .left)] + (isTimed ? timing : []) + [("allocs/op", .right), ("bytes/op", .right)]
                + (hasLive ? [("live", .right)] : []) + (keeps ? [("net allocs", .right)] : [])
                + (counts ? [("instr/op", .right)] : []))
        for benchmark in result.benchmarks where benchmark.failure == nil {
            let time = benchmark.metric(Metric.time)
            let ratio = benchmark.metric(Metric.ratioToBaseline)
            let scatter = time?.scatter
            let detectable = scatter?.detectable.map { "\(Figures.threeDigits($0 * 100)) %" }
            let outliers = scatter?.outliers.flatMap { $0 > 0 ? "\($0)/\(time?.values.count ?? 0)" : nil }
            let times: [String] = [
                time?.reading.value.map { Figures.time(nanoseconds: $0) } ?? Self.missing,
                time.map { Self.spread(of: $0) } ?? "", detectable ?? "", outliers ?? "",
                ratio.flatMap { ratio in
                    ratio.reading.value.map { "\(Figures.threeDigits($0)) × \(Self.spread(of: ratio))" }
                } ?? "",
            ]
            let counted = [
                perOperation(benchmark, Metric.allocations, Figures.count),
                perOperation(benchmark, Metric.allocatedBytes, Figures.bytes),
            ]
            table.add(
                [benchmark.id] + (isTimed ? times : []) + counted
                    + (hasLive ? [total(benchmark, Metric.liveResources)] : [])
                    + (keeps ? [total(benchmark, Metric.netAllocations)] : [])
                    + (counts ? [perOperation(benchmark, Metric.instructions, Figures.threeDigits)] : []))
        }
        return table
    }

    /// A table with the percentiles of every benchmark that records durations.
    package var latencies: TextTable {
        let titles = ["p50", "p90", "p99", "p99.9", "max"]
        var table = TextTable([("latency", .left)] + titles.map { ($0, .right) } + [("samples", .right)])
        for benchmark in result.benchmarks {
            guard let buckets = benchmark.latencies else { continue }
            let cells = LatencyDistribution.reported.map { name, _ in
                benchmark.metric(name)?.reading.value.map { Figures.time(nanoseconds: $0) } ?? Self.missing
            }
            table.add([benchmark.id] + cells + ["\(LatencyDistribution(buckets).count)"])
        }
        return table
    }

    /// A table with every outcome of every race.
    package var outcomes: TextTable {
        var table = TextTable([
            ("race", .left), ("outcome", .left), ("grade", .left), ("rounds", .right), ("share", .right),
        ])
        for benchmark in result.benchmarks {
            let outcomes = benchmark.outcomes ?? []
            let rounds = outcomes.reduce(UInt64(0)) { $0.saturatingSum($1.count) }
            for outcome in outcomes {
                let share = "\(Figures.threeDigits(Double(outcome.count) / Double(max(rounds, 1)) * 100)) %"
                table.add([benchmark.id, outcome.label, outcome.expectation.rawValue, "\(outcome.count)", share])
            }
        }
        return table
    }

    /// A line for each benchmark that failed.
    package var failures: [String] {
        result.benchmarks.compactMap { benchmark in benchmark.failure.map { "failed: \(benchmark.id): \($0)" } }
    }

    /// A line for each reason why a shown metric could not be read.
    package var unavailable: [String] {
        var names: [String: [String]] = [:]
        for metric in result.benchmarks.flatMap(\.metrics) {
            guard case .unavailable(let reason) = metric.reading else { continue }
            if names[reason]?.contains(metric.name) != true { names[reason, default: []].append(metric.name) }
        }
        return names.sorted { $0.key < $1.key }.map { reason, names in
            "unavailable: \(names.joined(separator: ", ")): \(reason)."
        }
    }

    /// A line for each kind of unusual distribution of times. The rows of these benchmarks show the kind instead of
    /// '±'.
    package var oddities: [String] {
        let times = result.benchmarks.compactMap { benchmark in
            benchmark.metric(Metric.time).map { (id: benchmark.id, time: $0) }
        }
        return Scatter.Oddity.allCases.compactMap { oddity in
            let odd = times.filter { $0.time.scatter?.oddities.contains(oddity) ?? false }
            guard !odd.isEmpty else { return nil }
            switch oddity {
            case .severalLevels:
                let lists = odd.map {
                    let levels = Modality.levels(of: $0.time.values, resolution: Modality.usualResolution)
                    return "\($0.id): \(Self.list(levels) { Figures.time(nanoseconds: $0) })"
                }
                return "\(Self.words(oddity)): \(lists.joined(separator: "; "))."
            case .drift:
                return
                    """
                    \(Self.words(oddity)): \(odd.map(\.id).joined(separator: ", ")): the time rose or fell over \
                    the run.
                    """
            case .scatter:
                return
                    """
                    \(Self.words(oddity)): \(odd.map(\.id).joined(separator: ", ")): the processes differ by far \
                    more than the interval of their median says.
                    """
            }
        }
    }

    /// Returns the levels with the share of processes at each level: `100 ns (62 %), 141 ns (38 %)`.
    static func list(_ levels: [Level], _ figure: (Double) -> String) -> String {
        levels.map { "\(figure($0.value)) (\(Figures.fixed($0.share * 100, decimals: 0)) %)" }.joined(separator: ", ")
    }

    static func words(_ oddity: Scatter.Oddity) -> String {
        switch oddity {
        case .severalLevels: "several levels"
        case .drift: "drift"
        case .scatter: "scatter"
        }
    }

    /// Returns the width of a sampled figure's interval. If the interval would mislead because the distribution is
    /// unusual, returns the kind of distribution instead.
    static func spread(of metric: Metric) -> String {
        guard let value = metric.reading.value else { return "" }
        guard let scatter = metric.scatter, let oddity = scatter.oddities.first else {
            return Figures.spread(value, metric.interval)
        }
        switch oddity {
        case .severalLevels:
            return "\(Modality.levels(of: metric.values, resolution: Modality.usualResolution).count) levels"
        case .drift: return "drifts"
        case .scatter: return "scatters"
        }
    }

    /// A line with the allocators of times and counts. It is empty if the run does not contain this information.
    package var allocators: [String] {
        guard let time = result.run.allocator else { return [] }
        let counts = result.environment.jemalloc.value.map { ", counts under jemalloc \($0)" } ?? ""
        return ["allocators: time was measured under \(time)\(counts)."]
    }

    /// A line that explains '±' and gives the confidence level of the time intervals. It is empty without intervals.
    package var intervals: [String] {
        let levels = result.benchmarks.compactMap { $0.metric(Metric.time)?.interval?.confidence }
        guard let low = levels.min(), let high = levels.max() else { return [] }
        func percent(_ level: Double) -> String { "\(Figures.threeDigits(level * 100)) %" }
        let level = percent(low) == percent(high) ? percent(low) : "\(percent(low)) to \(percent(high))"
        return [
            "intervals: '±' is how far the interval of the median over processes reaches, at a confidence of \(level)."
        ]
    }

    /// A line with the number of processes that lie far from the others. It is empty if there are no such processes.
    package var outliers: [String] {
        let counts = result.benchmarks.compactMap { benchmark in
            benchmark.metric(Metric.time).flatMap { time in time.scatter?.outliers.map { ($0, time.values.count) } }
        }
        let (odd, all) = counts.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        guard odd > 0 else { return [] }
        let words = odd == 1 ? ("lies", "its", "it is") : ("lie", "their", "they are")
        return [
            """
            outliers: \(odd) of \(Figures.counted(all, "process", "processes")) \(words.0) more than 1.5 quartile \
            ranges 
            """
                + "from the others of \(words.1) benchmark; \(words.2) kept."
        ]
    }

    /// A line with the smallest change of time that this run could have detected. It is empty if there were too few
    /// processes.
    package var detectable: [String] {
        let effects = result.benchmarks.compactMap { benchmark in
            benchmark.metric(Metric.time)?.scatter?.detectable
        }
        guard let middle = Quantiles.median(of: effects), let worst = effects.max() else { return [] }
        func percent(_ effect: Double) -> String { "\(Figures.threeDigits(effect * 100)) %" }
        return [
            """
            detectable (MDE): a change of time of \(percent(middle)) (median benchmark; worst \(percent(worst))) \
            against an equal run,
            """
                + " 1 % false alarms, 80 % power, drift between runs not counted."
        ]
    }

    /// The IDs of benchmarks that leak. They left more live resources behind than permitted in every measured
    /// iteration, or they were found to leak when their iterations were repeated.
    package var leaking: [String] {
        let measured = Set(overBudget { $0 == .liveResources }.map(\.id))
        return result.benchmarks.filter { $0.leaks != nil || measured.contains($0.id) }.map(\.id)
    }

    /// A line for each kind of resource that accumulates as iterations are repeated.
    var leaks: [String] {
        result.benchmarks.flatMap { benchmark in (benchmark.leaks ?? []).map { "leaks: \(benchmark.id): \($0)" } }
    }

    /// The IDs of benchmarks that allocated more than their budget in every measured iteration.
    package var overBudget: [String] { overBudget { $0 != .liveResources }.map(\.id) }

    private func overBudget(_ isWanted: (Limit.Quantity) -> Bool) -> [BenchmarkResult] {
        result.benchmarks.filter { benchmark in
            benchmark.checks.contains { $0.isOverBudget && isWanted($0.quantity) }
        }
    }

    /// The IDs of benchmarks in which a forbidden outcome occurred.
    package var forbidden: [String] { result.benchmarks.filter(\.hasForbiddenOutcome).map(\.id) }

    /// A sentence that summarises the run.
    package var verdict: String {
        let failed = result.benchmarks.count { $0.failure != nil }
        var clauses = [Figures.counted(result.benchmarks.count - failed, "benchmark") + " measured"]
        if failed > 0 { clauses.append("\(failed) failed") }
        if !leaking.isEmpty { clauses.append("\(leaking.count) leaking (\(leaking.joined(separator: ", ")))") }
        if !overBudget.isEmpty {
            clauses.append("\(overBudget.count) over budget (\(overBudget.joined(separator: ", ")))")
        }
        if !forbidden.isEmpty {
            clauses.append("\(forbidden.count) with forbidden outcomes (\(forbidden.joined(separator: ", ")))")
        }
        let exceeded = result.benchmarks.flatMap(\.checks).count { $0.verdict == .worse && !$0.decides }
        if exceeded > 0 { clauses.append("\(Figures.counted(exceeded, "limit")) exceeded") }
        return clauses.joined(separator: ", ")
            + " in \(Figures.duration(seconds: result.run.durationSeconds))."
    }

    static let missing = "n/a"

    private func perOperation(_ benchmark: BenchmarkResult, _ name: String, _ format: (Double) -> String) -> String {
        guard let metric = benchmark.metric(name), let value = metric.reading.value else { return Self.missing }
        // A tilde marks a count that differed between iterations.
        let isEqual = metric.isStable != false || (name == Metric.instructions && metric.isSteady)
        return (isEqual ? "" : "~") + format(value / Double(benchmark.operations))
    }

    private func total(_ benchmark: BenchmarkResult, _ name: String) -> String {
        guard let metric = benchmark.metric(name), let value = metric.reading.value else { return Self.missing }
        return (metric.isStable == false ? "~" : "") + Figures.count(value)
    }
}
