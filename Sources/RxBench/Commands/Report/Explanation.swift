import RxBench
import RxBenchEngine

/// The time that each stage adds to a growing chain.
package struct Explanation: Sendable, Equatable, Encodable {
    /// The cost that one stage adds, and the time of the chain up to this stage.
    package struct Step: Sendable, Equatable, Encodable {
        /// The name of the part that the stage adds to the chain.
        package let name: String
        /// The time per operation of the chain up to this stage, in nanoseconds.
        package let nanoseconds: Double?
        /// The time per operation that this stage adds to the chain before it, in nanoseconds, or `nil` if either time
        /// is unknown.
        package let addedNanoseconds: Double?
        /// The confidence interval of ``addedNanoseconds``.
        package let interval: Metric.Interval?
        /// The number of allocations per operation that this stage adds.
        package let addedAllocations: Double?
        /// The number of instructions per operation that this stage adds.
        package let addedInstructions: Double?
        /// The time that this stage adds to subscribing and disposing, in nanoseconds.
        package let addedSubscribingNanoseconds: Double?
        /// The number of allocations that this stage adds to subscribing and disposing.
        package let addedSubscribingAllocations: Double?
    }

    /// The benchmark.
    package let id: String
    /// The stages, beginning with the source.
    package let steps: [Step]
    /// The reasons for missing figures, as clauses.
    package let failures: [String]

    /// Creates the explanation of `benchmark` from `results`, the results of the benchmarks that
    /// ``RxBench/Benchmark/growth(_:_:)`` returns.
    package init(_ benchmark: Benchmark, results: [BenchmarkResult]) {
        let measured = Dictionary(results.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        func result(_ aspect: Benchmark.Aspect, _ number: Int) -> BenchmarkResult? {
            benchmark.growth(aspect, number).flatMap { measured[$0.id.text] }
        }
        id = benchmark.id.text
        failures = benchmark.stages.indices.flatMap { number in
            Benchmark.Aspect.allCases.compactMap { aspect in
                result(aspect, number)?.failure.map {
                    "\(benchmark.stages[number].name) (\(aspect == .stage ? "events" : "subscribing")): \($0)"
                }
            }
        }
        let events = Self.chain(benchmark.stages.indices.map { result(.stage, $0) })
        let subscribing = Self.chain(benchmark.stages.indices.map { result(.subscribing, $0) })
        steps = benchmark.stages.indices.map { number in
            let pair = (result(.stage, number), number > 0 ? result(.stage, number - 1) : nil)
            let subscriptions = (result(.subscribing, number), number > 0 ? result(.subscribing, number - 1) : nil)
            return Step(
                name: benchmark.stages[number].name, nanoseconds: events[number]?.total,
                addedNanoseconds: events[number]?.added,
                interval: events[number]?.interval,
                addedAllocations: Self.added(pair, Metric.allocations, isFirst: number == 0).map {
                    $0 / Double(benchmark.operations)
                },
                addedInstructions: Self.added(pair, Metric.instructions, isFirst: number == 0).map {
                    $0 / Double(benchmark.operations)
                },
                addedSubscribingNanoseconds: subscribing[number]?.added,
                addedSubscribingAllocations: Self.added(subscriptions, Metric.allocations, isFirst: number == 0)
                    .map { $0 / Double(benchmark.stages[number].subscriptions) })
        }
    }

    private struct Link {
        let total: Double
        let added: Double
        let interval: Metric.Interval?
    }

    /// Returns the times of a growing chain. The first time is used as measured. Every other time is computed from its
    /// ratio to the previous one, because the two were measured in turns. Times that are measured seconds apart differ
    /// by more than an operator costs.
    private static func chain(_ results: [BenchmarkResult?]) -> [Link?] {
        var links: [Link?] = []
        for result in results {
            guard let result, let metric = result.metric(links.isEmpty ? Metric.time : Metric.ratioToBaseline),
                let value = metric.reading.value
            else {
                links.append(nil)
                continue
            }
            guard !links.isEmpty else {
                links.append(Link(total: value, added: value, interval: metric.interval))
                continue
            }
            let before = links.last.flatMap { $0?.total }
            links.append(
                before.map { before in
                    let interval = metric.interval.map {
                        Metric.Interval(
                            low: before * ($0.low - 1), high: before * ($0.high - 1), confidence: $0.confidence)
                    }
                    return Link(total: before * value, added: before * (value - 1), interval: interval)
                })
        }
        return links
    }

    private static func figure(_ result: BenchmarkResult, _ name: String) -> Double? {
        result.metric(name)?.reading.value
    }

    private static func added(_ pair: (BenchmarkResult?, BenchmarkResult?), _ name: String, isFirst: Bool) -> Double? {
        guard let now = pair.0.flatMap({ figure($0, name) }) else { return nil }
        if isFirst { return now }
        return pair.1.flatMap { figure($0, name) }.map { now - $0 }
    }
}

extension Explanation {
    /// A table with one row for each stage: a waterfall of the time, the added time, and its interval.
    package var table: TextTable {
        var columns: [(title: String, alignment: TextTable.Alignment)] = [
            ("stage", .left), ("time/op", .right), ("adds", .right), ("[low high]", .right), ("waterfall", .picture),
            ("allocs/op", .right),
        ]
        let counts = steps.contains { $0.addedInstructions != nil }
        let subscribes = steps.contains {
            $0.addedSubscribingNanoseconds != nil || $0.addedSubscribingAllocations != nil
        }
        if counts { columns.append(("instr/op", .right)) }
        if subscribes { columns += [("subscribe", .right), ("allocs/subscribe", .right)] }
        var table = TextTable(columns)
        for step in steps {
            var cells = [
                step.name, Self.cell(step.nanoseconds) { Figures.time(nanoseconds: $0) },
                Self.cell(step.addedNanoseconds, Self.signedTime),
                step.interval.map { "[\(Self.signedTime($0.low)) \(Self.signedTime($0.high))]" } ?? "", bar(step),
                Self.cell(step.addedAllocations) { Self.signed($0, Figures.count) },
            ]
            if counts { cells.append(Self.cell(step.addedInstructions) { Self.signed($0, Figures.threeDigits) }) }
            if subscribes {
                cells.append(Self.cell(step.addedSubscribingNanoseconds, Self.signedTime))
                cells.append(Self.cell(step.addedSubscribingAllocations) { Self.signed($0, Figures.count) })
            }
            table.add(cells)
        }
        return table
    }

    /// A sentence that names the stage that adds the most time.
    package var verdict: String {
        guard let total = steps.last?.nanoseconds, total > 0 else {
            return "Not every stage of '\(id)' could be measured."
        }
        // An interval that contains 0 shows nothing, and an interval with a low confidence shows little.
        let clear = steps.filter { step in
            step.interval.map { $0.low > 0 && $0.confidence >= Self.demandedConfidence } ?? false
        }
        guard let dearest = clear.max(by: { ($0.addedNanoseconds ?? 0) < ($1.addedNanoseconds ?? 0) }),
            let added = dearest.addedNanoseconds
        else {
            return
                """
                Of \(Figures.time(nanoseconds: total)) an operation, no stage clearly adds something; measure \
                longer with '--time' and '--processes'.
                """
        }
        let share = Figures.threeDigits(added / total * 100)
        return
            """
            Of \(Figures.time(nanoseconds: total)) an operation, '\(dearest.name)' adds the most: \
            \(Figures.time(nanoseconds: added)), \(share) %.
            """
    }

    private static let demandedConfidence = 0.95

    /// Notes on the table: the confidence of its intervals, and the unit of its counts.
    package var notes: [String] {
        let levels = steps.compactMap { $0.interval?.confidence }
        guard let least = levels.min() else {
            return ["Without a second process, no figure has an interval; measure with more '--processes'."]
        }
        let note = "[low high] holds what a stage adds with a confidence of \(Figures.threeDigits(least * 100)) %"
        return [
            least < Self.demandedConfidence
                ? "\(note), which is too little to judge by; measure with more '--processes'." : "\(note)."
        ]
    }

    private static let width = 24.0

    /// Returns the bar of the stage: its part of the total time, placed after the parts of the stages before it.
    private func bar(_ step: Step) -> String {
        guard let total = steps.compactMap(\.nanoseconds).max(), total > 0, let end = step.nanoseconds,
            let added = step.addedNanoseconds
        else { return "" }
        func column(_ nanoseconds: Double) -> Int { Int((min(max(nanoseconds / total, 0), 1) * Self.width).rounded()) }
        let (from, to) = (column(min(end - added, end)), column(max(end - added, end)))
        let mark = added < 0 ? "░" : "█"
        return String(repeating: " ", count: from) + (to > from ? String(repeating: mark, count: to - from) : "▏")
    }

    private static func cell(_ value: Double?, _ format: (Double) -> String) -> String {
        value.map(format) ?? RunReport.missing
    }

    private static func signedTime(_ value: Double) -> String { signed(value) { Figures.time(nanoseconds: $0) } }

    private static func signed(_ value: Double, _ format: (Double) -> String) -> String {
        value > 0 ? "+\(format(value))" : value < 0 ? "−\(format(-value))" : format(0)
    }
}
