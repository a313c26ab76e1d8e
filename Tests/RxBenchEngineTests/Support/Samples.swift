import RxBench

@testable import RxBenchEngine

/// Invented results for tests.
enum Samples {
    static let environment = Environment(
        machine: "linux-x86_64-test-2c", operatingSystem: "Test 1", kernel: "Linux 1", architecture: "x86_64",
        processor: .value("Test"),
        cores: 2, memoryBytes: 1024, swiftVersion: .value("6.3.1"), configuration: "release", isTracing: false,
        jemalloc: .value("5.3.0"),
        loadAverage: .unavailable("no reason"))
    static let commit = Commit(sha: "0123456789abcdef0123456789abcdef01234567", isDirty: false)
    static let time = MetricDefinition(name: Metric.time, unit: "ns/operation")
    static let allocations = MetricDefinition(name: Metric.allocations, unit: "count/iteration")

    /// One limit for each quantity. One of them is exceeded, and one is for a quantity that was not measured.
    static let limits: [Limit] = [
        .allocations(atMost: 0.3), .allocationsPerIteration(atMost: 4), .liveResources(atMost: 1), .ratio(atMost: 1.5),
        .time(atMostNanoseconds: 2),
    ]

    static func benchmark(
        _ id: String = "test/one/plain", relativeTo: String? = nil, limits: [Limit] = []
    ) -> Benchmark {
        Benchmark(id, decides: "Nothing.", tags: ["test"], operations: 10, relativeTo: relativeTo, limits: limits) {
            Workload {}
        }
    }

    static func result(
        _ benchmarks: [BenchmarkResult], commit: Commit? = commit, date: String = "2026-03-15T12:00:00Z"
    ) -> RunResult {
        RunResult(
            run: RunInformation(date: date, arguments: ["run"], seed: 7, processes: 3, durationSeconds: 1.5),
            environment: environment,
            commit: commit.map(Reading.value) ?? .unavailable("not in a git repository with a commit"),
            control: .sampled(MetricDefinition(name: "control", unit: "ns/step"), [1, 1, 1]), benchmarks: benchmarks)
    }

    static let complete = result([
        BenchmarkResult(
            benchmark(relativeTo: "test/one/other", limits: limits),
            metrics: [
                .sampled(time, [1, 2, 3], samples: [[1], [2], [3]], all: [1, 2, 3]),
                .sampled(MetricDefinition(name: Metric.ratioToBaseline, unit: "ratio"), [1.5, 1.5, 1.5]),
                .exact(allocations, [4, 4]),
                .unavailable(
                    MetricDefinition(name: Metric.liveResources, unit: "count/iteration"), .exact,
                    because: "planted reason"),
            ],
            latencies: [LatencyBucket(nanoseconds: 5, count: 2)],
            outcomes: [RaceOutcome(label: "x", expectation: .interesting, count: 1)]),
        BenchmarkResult(benchmark("test/one/other"), failure: "It failed."),
    ])

    /// A shard of a merged run, with rare contents: filters, leaks, threads.
    static let merged = RunResult(
        run: RunInformation(
            date: "2026-03-15T12:00:00Z", arguments: ["merge"], seed: 7, processes: 3, durationSeconds: 1.5,
            filters: ["tag:test"], allocator: "glibc 2.39", shard: Shard("1/2"),
            parts: [
                MergedPart(
                    shard: Shard("1/2"), date: "2026-03-15T12:00:00Z", seed: 7, durationSeconds: 1.5, benchmarks: 1)
            ]),
        environment: environment, commit: .value(commit),
        control: .sampled(MetricDefinition(name: "control", unit: "ns/step"), Array(repeating: 1, count: 9)),
        benchmarks: [
            BenchmarkResult(
                benchmark(),
                metrics: [
                    .sampled(time, [1, 1, 1, 1, 1, 1, 1, 1, 9], share: 0.5),
                    .exact(allocations, [4, 5], isThreaded: true),
                    // A count that another tool took once.
                    Metric(
                        name: "cycles", unit: "count", kind: .exact, reading: .value(7), isStable: false,
                        isThreaded: nil, interval: nil, quantiles: nil, values: [7, 7], samples: nil),
                    .unavailable(
                        MetricDefinition(name: Metric.liveResources, unit: "count/iteration"), .exact, because: "one"),
                ]
            ).marked(withLeaks: ["It leaks."]),
            BenchmarkResult(
                benchmark("test/one/other"),
                metrics: [
                    .sampled(time, [1, 2, 3, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 14, 15]),
                    .exact(allocations, Array(repeating: 1, count: 1_001)),
                    .unavailable(
                        MetricDefinition(name: Metric.liveResources, unit: "count/iteration"), .exact, because: "two"),
                ]),
        ])
}
