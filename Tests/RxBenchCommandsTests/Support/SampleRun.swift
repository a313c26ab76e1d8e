import Foundation
import RxBench

@testable import RxBenchCommands
@testable import RxBenchEngine

/// Invented results for reports. Equal arguments give equal results.
enum SampleRun {
    static let time = MetricDefinition(name: Metric.time, unit: "ns/operation")
    static let ratio = MetricDefinition(name: Metric.ratioToBaseline, unit: "ratio")
    static let allocations = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
    static let bytes = MetricDefinition(name: Metric.allocatedBytes, unit: "bytes/iteration")
    static let live = MetricDefinition(name: Metric.liveResources, unit: "count/iteration")

    static func run(_ benchmarks: [BenchmarkResult], control: [Double] = [1, 1, 1]) -> RunResult {
        RunResult(
            run: RunInformation(
                date: "2026-03-15T12:00:00Z", arguments: ["run"], seed: 7, processes: 15, durationSeconds: 61),
            environment: Environment(
                machine: "linux-test-2c", operatingSystem: "Test 1", kernel: "Linux 1", architecture: "x86_64",
                processor: .value("Test"), cores: 2,
                memoryBytes: 1_073_741_824, swiftVersion: .value("6.3.1"), configuration: "release", isTracing: false,
                jemalloc: .value("5.3.0"),
                loadAverage: .unavailable("planted load")),
            commit: .value(Commit(sha: "0123456789abcdef0123456789abcdef01234567", isDirty: false)),
            control: .sampled(MetricDefinition(name: "control", unit: "ns/step"), control), benchmarks: benchmarks)
    }

    /// Returns process medians between `center` and 9 % above it.
    static func medians(_ center: Double, processes: Int = 15) -> [Double] {
        (0..<processes).map { center * (1 + Double($0 * 7 % 10) / 100) }
    }

    static func timed(
        _ id: String, _ center: Double, allocations count: Double = 0, relativeTo: String? = nil, limits: [Limit] = []
    ) -> BenchmarkResult {
        let benchmark = Benchmark(
            id, decides: "Nothing.", tags: ["test"], operations: 10, relativeTo: relativeTo, limits: limits
        ) { Workload {} }
        let values = medians(center)
        let samples = values.map { median in
            (0..<16).map { (median * (1 + Double($0 * 5 % 16) / 200) * 1000).rounded() / 1000 }
        }
        let metrics: [Metric] =
            [.sampled(time, values, samples: samples)] + (relativeTo == nil ? [] : [.sampled(ratio, medians(1.2))])
            + [
                .exact(allocations, [count, count, count]), .exact(bytes, [count * 32, count * 32, count * 32]),
                .unavailable(live, .exact, because: "planted reason"),
            ]
        return BenchmarkResult(
            benchmark, metrics: metrics)
    }

    /// Returns a run as large as a large suite's, with limits, ratios, races and latencies.
    static func large(_ count: Int) -> RunResult {
        let first = "operator/group-0/number-0?size=1"
        let benchmarks = (0..<count).map { index -> BenchmarkResult in
            let center = 5 + Double(index * 7919 % 1000)
            if index % 20 == 19 {
                return BenchmarkResult(
                    Benchmark("race/group/number-\(index)", decides: "Nothing.") { Workload {} },
                    metrics: [.sampled(time, medians(center)), .exact(allocations, [3, 4])],
                    latencies: (1...300).map { LatencyBucket(nanoseconds: UInt64($0 * $0), count: 3) },
                    outcomes: ["first", "second"].map { RaceOutcome(label: $0, expectation: .acceptable, count: 1_000) }
                )
            }
            return timed(
                "operator/group-\(index / 100)/number-\(index / 4)?size=\([1, 10, 100, 1000][index % 4])", center,
                allocations: Double(index % 7),
                relativeTo: index % 2 == 1 ? first : nil, limits: [.allocationsPerIteration(atMost: 6)])
        }
        return run(benchmarks, control: (0..<(count * 15)).map { 1.2 + Double($0 * 31 % 97) / 400 })
    }

    /// Returns `result` with `replacement` instead of `text` everywhere in the file, to make names that no definition
    /// could have.
    static func planting(_ replacement: String, for text: String, in result: RunResult) throws -> RunResult {
        let quoted = String(decoding: try JSONEncoder().encode(replacement), as: UTF8.self).dropFirst().dropLast()
        let file = String(decoding: result.encoded(), as: UTF8.self).replacingOccurrences(
            of: text, with: String(quoted))
        return try RunResult.decoded(from: Array(file.utf8), name: "planted")
    }

    /// Returns the history of twenty commits up to `result`. Its times are noisy by about 1 %. From index 12, they are
    /// longer by the factor `slowdown`.
    static func trend(of result: RunResult, slowdown: Double = 1) -> Trend {
        let noise = [
            0.4, -0.9, 0.7, -0.2, 1.1, -1.2, 0.1, 0.6, -0.7, -0.4, 0.9, -0.1, -1.0, 0.8, 0.3, -0.6, 1.3, -0.8, 0.2,
            -0.3,
        ]
        let hashes = (0..<20).map { "\($0 / 10)" + String(repeating: "\($0 % 10)", count: 39) }
        let own = ResultSummary(result)
        let results = hashes.indices.map { index in
            let factor = (index < 12 ? 1 / slowdown : 1) * (1 + noise[index] / 100)
            return ResultSummary(
                date: "2026-03-\(10 + index)T12:00:00Z", machine: own.machine,
                configuration: own.configuration,
                isTracing: own.isTracing, swiftVersion: own.swiftVersion,
                commit: .value(Commit(sha: hashes[index], isDirty: false)), control: .value(1),
                benchmarks: own.benchmarks.map { benchmark in
                    ResultSummary.Benchmark(
                        id: benchmark.id, tags: benchmark.tags, operations: benchmark.operations,
                        failure: benchmark.failure,
                        metrics: benchmark.metrics.map { figure in
                            guard figure.name == Metric.time, let value = figure.reading.value else { return figure }
                            return ResultSummary.Figure(
                                name: figure.name, unit: figure.unit, kind: figure.kind,
                                reading: .value(value * factor), isStable: figure.isStable)
                        })
                })
        }
        return Trend(results, history: .value(CommitHistory(hashes)))
    }
}
