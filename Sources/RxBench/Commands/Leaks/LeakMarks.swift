import RxBench

/// Marks the results of benchmarks that leak, in builds that count what is alive.
enum LeakMarks {
    /// Repeats the benchmarks that left something behind in some iteration and may not: five iterations do not tell a
    /// leak from a cache.
    static func marked(
        _ results: [BenchmarkResult], _ benchmarks: [Benchmark], timeoutSeconds: Double
    ) throws -> [BenchmarkResult] {
        guard LeakTrials.isPossible else { return results }
        let trials = LeakTrials(runs: 20, maximumRuns: 160, timeoutSeconds: timeoutSeconds)
        return try zip(results, benchmarks).map { result, benchmark in
            guard isSuspicious(result) else { return result }
            return result.marked(withLeaks: try trials.record(of: benchmark).leaks.map(\.headline))
        }
    }

    private static func isSuspicious(_ result: BenchmarkResult) -> Bool {
        let mayKeep = result.bars?.contains { $0.quantity == .liveResources && $0.isDeclared } ?? false
        return !mayKeep && result.metric(Metric.liveResources)?.values.contains { $0 > 0 } ?? false
    }
}
