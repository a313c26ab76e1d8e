import RxBench

@testable import RxBenchEngine

/// A result with every kind of content that an export must carry or leave out.
enum ExportSamples {
    static let time = MetricDefinition(name: Metric.time, unit: "ns/operation")
    static let allocations = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
    static let bytes = MetricDefinition(name: Metric.allocatedBytes, unit: "bytes/iteration")
    static let live = MetricDefinition(name: Metric.liveResources, unit: "count/iteration")
    static let latency = MetricDefinition(name: "latencyP99", unit: "ns")
    static let resident = MetricDefinition(name: Metric.peakResident, unit: "bytes")

    static let times: [Double] = [20, 21, 22]

    static func benchmark(_ id: String, operations: Int = 10) -> Benchmark {
        Benchmark(id, decides: "Nothing.", operations: operations) { Workload {} }
    }

    static let measured = BenchmarkResult(
        benchmark("operator/merge/sync?sources=8&kind=hot"),
        metrics: [
            .sampled(time, times, samples: [[19, 20], [21, 21], [22, 23]]), .exact(allocations, [4, 4]),
            .exact(bytes, [128, 160]),
            .unavailable(live, .exact, because: "planted \"reason\",\nwith a \\"),
            .sampled(latency, [900, 1_000, 1_100]),
            .sampled(resident, [4_096, 4_096, 8_192]),
        ],
        outcomes: [
            RaceOutcome(label: "saw \"a, b\"\nthen \\", expectation: .interesting, count: 3),
            RaceOutcome(label: "plain", expectation: .acceptable, count: 0),
        ])
    /// With enough processes to give the smallest change that they could detect.
    static let steady = BenchmarkResult(
        benchmark("operator/steady"), metrics: [.sampled(time, (0..<9).map { 20 + Double($0) / 4 })])
    static let failed = BenchmarkResult(benchmark("operator/failed"), failure: "It failed, \"badly\".")

    static func result(
        _ benchmarks: [BenchmarkResult] = [measured, failed], sha: String = "0123456789abcdef",
        processor: String = "Test\nCPU"
    ) -> RunResult {
        RunResult(
            run: RunInformation(date: "2026-03-15T12:00:00Z", arguments: [], seed: 1, processes: 3, durationSeconds: 5),
            environment: Environment(
                machine: "linux-test-2c", operatingSystem: "Test", kernel: "Linux", architecture: "x86_64",
                processor: .value(processor), cores: 2,
                memoryBytes: 1, swiftVersion: .value("6.3.1"), configuration: "release", isTracing: false,
                jemalloc: .value("5"),
                loadAverage: .unavailable("test")),
            commit: .value(Commit(sha: sha, isDirty: true)),
            control: .sampled(MetricDefinition(name: "control", unit: "ns/step"), [1]),
            benchmarks: benchmarks)
    }
}
