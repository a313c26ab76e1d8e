import RxBench
import RxBenchStatistics

/// Two runs, metric by metric: exact metrics by equality, sampled ones by the interval of the ratio of process medians.
package struct ResultComparison: Sendable, Equatable, Encodable {
    /// A metric's outcome.
    package enum Verdict: String, Sendable, Encodable {
        /// An exact metric is equal, lower, higher.
        case unchanged, improved, regressed
        /// A sampled metric differs less than the margin, is lower by more, is higher by more.
        case same, faster, slower
        /// The data cannot decide.
        case inconclusive
        /// One side has no figure.
        case incomparable
        /// The benchmark failed in the second run, whether or not the first one has it.
        case failed
        /// The benchmark is in the second run only, in the first run only.
        case added, removed
    }

    /// One metric of one benchmark.
    package struct Row: Sendable, Equatable, Encodable {
        /// The benchmark.
        package let id: String
        /// The metric.
        package let metric: String
        /// The unit that figures are stored in, which need not be the one that reports show.
        package let unit: String
        /// How many operations an iteration of the benchmark performs; `nil` for a row of a whole benchmark.
        package let operations: Int?
        /// The first run's figure, as it is stored.
        package let before: Double?
        /// The second run's figure, as it is stored.
        package let after: Double?
        /// The estimated ratio of a sampled metric.
        package let ratio: Double?
        /// Where that ratio lies.
        package let interval: Metric.Interval?
        /// The metric's outcome.
        package let verdict: Verdict
        /// Why, where the verdict alone does not say it.
        package let note: String?

        /// Whether the first run had a benchmark or a figure that the second one lacks, so that nothing is said of it.
        package var hasLostItsFigure: Bool {
            switch verdict {
            case .removed: true
            case .incomparable: metric.isEmpty || (before != nil && after == nil)
            default: false
            }
        }
    }

    /// The rules of the decision.
    package struct Rules: Sendable, Equatable, Encodable {
        /// The probability of calling any of equal benchmarks different; divided by their number for each.
        package var significance: Double
        /// The relative difference of a sampled metric that does not matter.
        package var margin: Double
        /// Compare exact metrics alone.
        package var isExactOnly: Bool

        /// Whether sampled metrics may make a regression; without it they are shown only.
        package var gatesTime: Bool

        /// Rules with their defaults.
        package init(
            significance: Double = 0.05, margin: Double = 0.05, isExactOnly: Bool = false, gatesTime: Bool = false
        ) {
            self.significance = significance
            self.margin = margin
            self.isExactOnly = isExactOnly
            self.gatesTime = gatesTime
        }
    }

    /// All metrics, in the order of the second run.
    package let rows: [Row]
    /// The rules that were applied.
    package let rules: Rules
    /// How much the control loop, which never changes, moved between the runs; 1 where one of them has none.
    package let drift: Double
    /// Whether both runs have a control loop: imported ones have none.
    package let isDriftKnown: Bool
    /// Benchmarks that the filter of one run left out and the other has, a clause each; such benchmarks have no row.
    package let unmeasured: [String]
    /// Benchmarks of both runs of which no figure that may decide the exit code could be compared.
    package let unjudged: [String]
    /// The change of time that half of the benchmarks would show, at 1 % false alarms and 80 % power, by the scatter of
    /// their processes; `nil` where that is not known of any.
    package let detectable: Double?

    /// Compares `before` with `after`.
    package init(_ before: RunResult, _ after: RunResult, rules: Rules = Rules()) {
        let drift = Self.drift(before.control, after.control)
        let old = Dictionary(before.benchmarks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Set(after.benchmarks.map(\.id))
        let shared = after.benchmarks.count { old[$0.id] != nil }
        let comparer = MetricComparer(
            rules: rules, drift: drift, significance: rules.significance / Double(max(shared, 1)))
        let notBefore = after.benchmarks.filter { old[$0.id] == nil && before.run.leavesOut($0.id, tags: $0.tags) }
        let notAfter = before.benchmarks.filter { !new.contains($0.id) && after.run.leavesOut($0.id, tags: $0.tags) }
        let unmeasured = Set((notBefore + notAfter).map(\.id))
        var rows = after.benchmarks.filter { $0.failure != nil || !unmeasured.contains($0.id) }.flatMap { benchmark in
            guard let old = old[benchmark.id] else {
                return [
                    benchmark.failure.map { Self.whole(benchmark.id, .failed, note: $0) }
                        ?? Self.whole(benchmark.id, .added)
                ]
            }
            return comparer.rows(old, benchmark)
        }
        rows += before.benchmarks.filter { !new.contains($0.id) && !unmeasured.contains($0.id) }.map {
            Self.whole($0.id, .removed)
        }
        let judged = Set(
            rows.filter { $0.metric.isEmpty || (Self.mayGate($0, rules) && $0.before != nil && $0.after != nil) }
                .map(\.id))
        unjudged = after.benchmarks.map(\.id).filter { old[$0] != nil && !judged.contains($0) }
        self.rows = rows
        self.rules = rules
        self.unmeasured = [
            (notAfter.count, after.run, "not measured"), (notBefore.count, before.run, "not measured in the first run"),
        ].compactMap {
            count, run, words in
            count == 0 ? nil : "\(count) \(words) (filter: \((run.filters ?? []).joined(separator: " ")))"
        }
        self.drift = drift
        isDriftKnown = before.control.reading.value != nil && after.control.reading.value != nil
        detectable = rules.isExactOnly ? nil : Self.detectable(old, after.benchmarks)
    }

    private static func detectable(_ before: [String: BenchmarkResult], _ after: [BenchmarkResult]) -> Double? {
        func effect(_ benchmark: BenchmarkResult?) -> Double? {
            guard let time = benchmark?.metric(Metric.time), time.kind == .sampled, time.reading.value != nil else {
                return nil
            }
            return DetectableEffect.relative(ofProcessMedians: time.values).flatMap { $0.isFinite ? $0 : nil }
        }
        // The wider side decides what two runs can show.
        let effects = after.compactMap { benchmark -> Double? in
            guard let first = effect(before[benchmark.id]), let second = effect(benchmark) else { return nil }
            return max(first, second)
        }
        return Quantiles.median(of: effects)
    }

    /// Whether what became of `row` may decide the exit code.
    package func gates(_ row: Row) -> Bool { Self.mayGate(row, rules) }

    private static func mayGate(_ row: Row, _ rules: Rules) -> Bool {
        rules.gatesTime || !MetricComparer.sampledNames.contains(row.metric)
    }

    /// Why the runs must not be compared, one clause each; empty when they may be.
    package static func obstacles(_ before: RunResult, _ after: RunResult) -> [String] {
        func differ(_ what: String, _ a: String, _ b: String) -> String? {
            a == b ? nil : "\(what) differs ('\(a)' and '\(b)')"
        }
        let first = before.environment
        let second = after.environment
        return [
            differ("the format version", "\(before.schemaVersion)", "\(after.schemaVersion)"),
            differ("the origin", origin(before), origin(after)), differ("the machine", first.machine, second.machine),
            differ("the configuration", "\(first.configuration)", "\(second.configuration)"),
            differ(
                "tracing", "\(first.isTracing.map { $0 ? "on" : "off" })",
                "\(second.isTracing.map { $0 ? "on" : "off" })"),
            differ(
                """
                the allocator of the processes that measured time
                """, allocator(before, after), allocator(after, before)),
        ].compactMap { $0 }
    }

    /// The allocator of a run's processes; nothing where either run measured no time.
    private static func allocator(_ result: RunResult, _ other: RunResult) -> String {
        let hasTimes = [result, other].allSatisfy { $0.run.processes > 0 && $0.run.importedFrom == nil }
        return hasTimes ? result.run.allocatorName : ""
    }

    private static func origin(_ result: RunResult) -> String {
        result.run.importedFrom?.origin ?? "measured by rxbench"
    }

    /// Differences beside the code's that may make the runs differ, one clause each: they are compared all the same.
    package static func reservations(_ before: RunResult, _ after: RunResult) -> [String] {
        func differ(_ what: String, _ a: Reading<String>, _ b: Reading<String>) -> String? {
            guard let a = a.value, let b = b.value, a != b else { return nil }
            return "\(what) differs ('\(a)' and '\(b)')"
        }
        let isUnknown =
            before.environment.machine == MachineName.unknown && after.environment.machine == MachineName.unknown
        return [
            isUnknown ? "neither file says on which machine it was measured" : nil,
            differ("the compiler", before.environment.swiftVersion, after.environment.swiftVersion),
            differ("jemalloc", before.environment.jemalloc, after.environment.jemalloc),
        ].compactMap { $0 }
    }

    static func whole(_ id: String, _ verdict: Verdict, note: String? = nil) -> Row {
        Row(
            id: id, metric: "", unit: "", operations: nil, before: nil, after: nil, ratio: nil, interval: nil,
            verdict: verdict, note: note)
    }

    /// Whether a time was compared, so that it matters how far the control loop moved.
    package var hasTimes: Bool {
        rows.contains { MetricComparer.sampledNames.contains($0.metric) && $0.before != nil && $0.after != nil }
    }

    /// How much the machine moved between the runs, in a sentence.
    package var driftSentence: String {
        isDriftKnown
            ? "The control loop moved by \(Figures.change(ratio: drift))."
            : "Whether the machine moved is not known: imported results have no control loop."
    }

    private static func drift(_ before: Metric, _ after: Metric) -> Double {
        guard let old = before.reading.value, let new = after.reading.value, old > 0, new > 0 else { return 1 }
        return new / old
    }
}
