import RxBench
import RxBenchEngine

/// The JSON format that Google Benchmark writes with `--benchmark_format=json` and that its `compare.py` reads.
///
/// An *iteration* of Google Benchmark corresponds to one operation of this package. Each process has one entry with the
/// `run_type` `iteration` and its counts as user counters. These entries are followed by aggregates: the median of the
/// run, the ends of its interval and the smallest detectable change. CPU time is not measured. Since readers require
/// `cpu_time`, it repeats `real_time`, and the context states this. A failed benchmark is listed with its message under
/// `failed` in the context. It has no entry, because `compare.py` stops at an entry without a time, and the only
/// possible time would be 0.
struct GoogleBenchmarkFormat: ExportFormat {
    let name = "google-benchmark"
    let readers = "Google Benchmark's compare.py"
    /// Failures are listed in the context.
    let holdsFailures = true

    /// Returns the context and the entries.
    func document(of results: [RunResult]) -> String {
        guard let result = results.first else { return ExportJSON.object(["benchmarks": .list([])]).document }
        let entries = result.benchmarks.enumerated().flatMap { Self.entries(of: $1, family: $0) }
        return ExportJSON.object(["context": Self.context(of: result), "benchmarks": .list(entries)]).document
    }

    private static func context(of result: RunResult) -> ExportJSON {
        let environment = result.environment
        var context: [String: ExportJSON] = [
            "date": .text(result.run.date), "executable": .text("rxbench"), "json_schema_version": .integer(1),
            "machine": .text(environment.machine),
            "cpu_time": .text("not measured; it repeats real_time"), "num_cpus": .integer(environment.cores),
            "library_build_type": .text(environment.configuration),
            "operating_system": .text(environment.operatingSystem),
            "tracing": .text(environment.isTracing ? "on" : "off"), "seed": .text("\(result.run.seed)"),
        ]
        if let load = environment.loadAverage.value { context["load_avg"] = .list([.number(load)]) }
        if let processor = environment.processor.value { context["processor"] = .text(processor) }
        if let swift = environment.swiftVersion.value { context["swift_version"] = .text(swift) }
        if let commit = result.commit.value { context["commit"] = .text(commit.sha + (commit.isDirty ? "-dirty" : "")) }
        let failures = result.benchmarks.compactMap { benchmark in
            benchmark.failure.map { (benchmark.id, ExportJSON.text($0)) }
        }
        if !failures.isEmpty { context["failed"] = .object(Dictionary(failures) { first, _ in first }) }
        return .object(context)
    }

    private static func entries(of benchmark: BenchmarkResult, family: Int) -> [ExportJSON] {
        let count = benchmark.processes
        let common: [String: ExportJSON] = [
            "run_name": .text(benchmark.id), "family_index": .integer(family), "per_family_instance_index": .integer(0),
            "repetitions": .integer(count), "threads": .integer(1),
        ]
        let figures = benchmark.availableFigures
        guard benchmark.failure == nil, let time = figures.first(where: { $0.metric.name == Metric.time && $0.isTime })
        else { return [] }
        let processes = (0..<count).compactMap { index in time.reading(ofProcess: index).map { (index, $0) } }.map {
            index, value in
            let own: [String: ExportJSON] = [
                "name": .text(benchmark.id), "run_type": .text("iteration"), "repetition_index": .integer(index),
                "iterations": .integer(benchmark.leastOperations(inProcess: index)),
            ]
            return ExportJSON.object(
                common.merging(own) { $1 }.merging(times(value)) { $1 }.merging(
                    counters(figures) { $0.reading(ofProcess: index) }
                ) { first, _ in first })
        }
        return processes + aggregates(of: benchmark, time, figures, common)
    }

    private static func aggregates(
        of benchmark: BenchmarkResult, _ time: ExportedFigure, _ figures: [ExportedFigure],
        _ common: [String: ExportJSON]
    ) -> [ExportJSON] {
        func aggregate(
            _ name: String, _ value: Double?, unit: String = "time", counters: [String: ExportJSON] = [:]
        ) -> ExportJSON? {
            guard let value else { return nil }
            let own: [String: ExportJSON] = [
                "name": .text("\(benchmark.id)_\(name)"), "run_type": .text("aggregate"), "aggregate_name": .text(name),
                "aggregate_unit": .text(unit), "iterations": .integer(benchmark.processes),
            ]
            return .object(
                common.merging(own) { $1 }.merging(times(value)) { $1 }.merging(counters) { first, _ in first })
        }
        return [
            aggregate("median", time.value, counters: counters(figures) { $0.value }),
            aggregate("interval_low", time.interval?.low, counters: counters(figures) { $0.interval?.low }),
            aggregate("interval_high", time.interval?.high, counters: counters(figures) { $0.interval?.high }),
            aggregate("detectable", time.detectableEffect, unit: "percentage"),
        ].compactMap { $0 }
    }

    private static func times(_ value: Double) -> [String: ExportJSON] {
        ["real_time": .number(value), "cpu_time": .number(value), "time_unit": .text("ns")]
    }

    /// Returns the user counters, which are plain members of an entry. Leaves out a counter if the format itself uses
    /// its name.
    private static func counters(
        _ figures: [ExportedFigure], _ value: (ExportedFigure) -> Double?
    ) -> [String: ExportJSON] {
        var counters: [String: ExportJSON] = [:]
        for figure in figures where figure.metric.name != Metric.time {
            counters["\(figure.metric.name) (\(figure.unit))"] = value(figure).map(ExportJSON.number)
        }
        return counters
    }
}
