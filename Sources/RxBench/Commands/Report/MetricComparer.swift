import RxBenchEngine

/// Compares the metrics of one benchmark.
struct MetricComparer {
    let rules: ResultComparison.Rules
    let drift: Double
    /// The significance level for each benchmark, corrected for the number of benchmarks (Bonferroni).
    let significance: Double
    /// The reason why times are not compared, or `nil` if they are.
    let unsettledMachine: UnsettledMachine?

    /// The exact metrics for which a higher value is worse. Deallocations are not included: they follow allocations, so
    /// they add no information.
    static let exactNames =
        [Metric.allocations, Metric.allocatedBytes, Metric.netAllocations, Metric.liveResources] + optionalNames
    /// The counts that a run contains only if they were requested. If neither run has one of them, nothing is missing.
    private static let optionalNames = [Metric.objects, Metric.retains, Metric.releases, Metric.instructions]
    static let sampledNames = [Metric.time, Metric.ratioToBaseline]

    func rows(_ before: BenchmarkResult, _ after: BenchmarkResult) -> [ResultComparison.Row] {
        if let failure = after.failure { return [ResultComparison.whole(after.id, .failed, note: failure)] }
        if before.failure != nil {
            return [ResultComparison.whole(after.id, .noFigure, note: "It had failed in the first run.")]
        }
        if before.operations != after.operations {
            let note =
                """
                It performs \(Figures.counted(after.operations, "operation")) an iteration instead of \
                \(before.operations).
                """
            return [ResultComparison.whole(after.id, .noFigure, note: note)]
        }
        let sampledNames = rules.isExactOnly ? [] : Self.sampledNames
        return sampledNames.compactMap { name in pair(name, before, after).map { sampled($0, $1, after) } }
            + Self.exactNames.compactMap { name in pair(name, before, after).map { exact($0, $1, after) } }
    }

    private func pair(_ name: String, _ before: BenchmarkResult, _ after: BenchmarkResult) -> (Metric, Metric)? {
        guard let old = before.metric(name), let new = after.metric(name) else { return nil }
        if Self.optionalNames.contains(name), old.reading.value == nil, new.reading.value == nil { return nil }
        // If an iteration leaves nothing behind in either run, there is nothing to report.
        if name == Metric.netAllocations, (old.values + new.values).allSatisfy({ $0 == 0 }), !old.values.isEmpty,
            !new.values.isEmpty
        {
            return nil
        }
        return (old, new)
    }

    private func exact(_ before: Metric, _ after: Metric, _ benchmark: BenchmarkResult) -> ResultComparison.Row {
        guard let old = before.reading.value, let new = after.reading.value else {
            return incomparable(before, after, benchmark)
        }
        if before.isStable == nil || after.isStable == nil {
            guard new != old else { return row(before, after, benchmark, .same) }
            return row(
                before, after, benchmark, .inconclusive,
                note: "It was counted once, so that nothing tells whether it is stable.")
        }
        let note =
            before.isThreaded == true || after.isThreaded == true
            ? "Several threads work in it."
            : before.isStable == false || after.isStable == false ? "It varies between iterations." : nil
        switch after.difference(from: before) {
        case .equal: return row(before, after, benchmark, .same)
        case .more: return row(before, after, benchmark, .worse, note: note)
        case .fewer: return row(before, after, benchmark, .better, note: note)
        case .varies: return row(before, after, benchmark, .same, note: note)
        case nil: return row(before, after, benchmark, .inconclusive, note: note)
        }
    }

    private func sampled(_ before: Metric, _ after: Metric, _ benchmark: BenchmarkResult) -> ResultComparison.Row {
        guard before.reading.value != nil, after.reading.value != nil else {
            return incomparable(before, after, benchmark)
        }
        if after.name == Metric.time, unsettledMachine != nil {
            return row(before, after, benchmark, .notJudged, .machine)
        }
        // A ratio to a baseline that was measured in the same process does not drift with the machine.
        let drift = after.name == Metric.ratioToBaseline ? 1 : drift
        let comparison = ProcessComparison.compare(
            baseline: before.values, candidate: after.values, significance: significance, margin: rules.margin,
            drift: drift)
        guard let comparison else {
            return row(before, after, benchmark, .inconclusive, note: "A value is not positive.")
        }
        let isTooSmall = comparison.interval.confidence < 1 - significance
        // Medians hide unusual distributions, so all processes must agree.
        let oddity = [before, after].compactMap { $0.scatter?.oddities.first }.first
        let verdict = comparison.verdict
        if let oddity, verdict != .inconclusive, !agree(before.values, after.values, drift, on: verdict) {
            return row(
                before, after, benchmark, .inconclusive, ratio: comparison.ratio, interval: comparison.interval,
                note: Self.sentence(oddity))
        }
        return row(
            before, after, benchmark, verdict, ratio: comparison.ratio, interval: comparison.interval,
            note: isTooSmall ? "Too few processes; run with more '--processes'." : nil)
    }

    private static func sentence(_ oddity: Scatter.Oddity) -> String {
        switch oddity {
        case .severalLevels: "Its processes fall into several levels."
        case .drift: "It drifted during a run."
        case .scatter: "Its processes scatter far beyond the interval of their median."
        }
    }

    /// Returns whether comparing every process of one side with every process of the other gives the verdict `verdict`.
    private func agree(
        _ before: [Double], _ after: [Double], _ drift: Double, on verdict: ComparisonVerdict
    ) -> Bool {
        guard let oldLow = before.min(), let oldHigh = before.max(), let low = after.min(), let high = after.max(),
            oldLow > 0, drift > 0
        else { return false }
        let least = low / oldHigh / drift
        let most = high / oldLow / drift
        return switch verdict {
        case .worse: least > 1
        case .better: most < 1
        case .same: least > 1 - rules.margin && most < 1 + rules.margin
        case .inconclusive, .notJudged: true
        }
    }

    private func incomparable(_ before: Metric, _ after: Metric, _ benchmark: BenchmarkResult) -> ResultComparison.Row {
        for metric in [after, before] {
            if case .unavailable(let reason) = metric.reading {
                return row(before, after, benchmark, .notJudged, .noFigure, note: "Unavailable: \(reason).")
            }
        }
        return row(before, after, benchmark, .notJudged, .noFigure)
    }

    private func row(
        _ before: Metric, _ after: Metric, _ benchmark: BenchmarkResult, _ verdict: ComparisonVerdict,
        _ obstacle: ResultComparison.Obstacle? = nil, ratio: Double? = nil,
        interval: Metric.Interval? = nil, note: String? = nil
    ) -> ResultComparison.Row {
        ResultComparison.Row(
            id: benchmark.id, metric: after.name, unit: after.unit, operations: benchmark.operations,
            before: before.reading.value,
            after: after.reading.value, ratio: ratio, interval: interval, verdict: verdict,
            obstacle: obstacle, note: note)
    }
}
