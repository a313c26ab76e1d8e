import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench trend", .serialized) struct TrendCommandTests {
    /// Stores twelve results of one benchmark. From the seventh, it takes a fifth more time and one more allocation.
    private func store(_ folder: TemporaryFolder, isPlanted: Bool = true) throws {
        let noise = [0.4, -0.9, 0.7, -0.2, 1.1, -1.2, 0.1, 0.6, -0.7, -0.4, 0.9, -0.1]
        for index in 0..<12 {
            let isChanged = isPlanted && index >= 6
            let time = Metric.sampled(
                MetricDefinition(name: Metric.time, unit: "ns/operation"),
                [(isChanged ? 120 : 100) * (1 + noise[index] / 100)], samples: [[1, 2]])
            let count = Metric.exact(
                MetricDefinition(name: Metric.allocations, unit: "count/iteration"), [isChanged ? 6 : 5])
            let digit = String(index, radix: 16)
            let result = RunResult(
                run: RunInformation(
                    date: "2026-03-15T12:00:\(index + 10)Z", arguments: [], seed: 1, processes: 1, durationSeconds: 1),
                environment: Environment(
                    machine: "linux-test-2c", operatingSystem: "Test", kernel: "Linux", architecture: "x86_64",
                    processor: .value("Test"),
                    cores: 2, memoryBytes: 1, swiftVersion: .value("6.3.1"), configuration: "release", isTracing: false,
                    jemalloc: .value("5"),
                    loadAverage: .value(0)),
                commit: .value(Commit(sha: String(repeating: digit, count: 40), isDirty: false)),
                control: .sampled(MetricDefinition(name: "control", unit: "ns/step"), [1]),
                benchmarks: [
                    BenchmarkResult(
                        Benchmark("test/one/plain", decides: "Nothing.") { Workload {} }, metrics: [time, count])
                ])
            _ = try ResultStore(folder: folder.path).store(result)
        }
    }

    @Test func `planted changes are named with their commits, and change no exit code`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let result = try Tool.fixture("trend", "--output", folder.path)
        #expect(result.code == 0)
        #expect(result.sentence == "")
        #expect(result.output.hasPrefix("linux-test-2c, release: 12 results, from 0000000 to bbbbbbb\n\nbenchmark "))
        #expect(result.output.contains("\n5555555 and 6666666  test/one/plain  time/op    "))
        #expect(
            result.output.contains("\n5555555 and 6666666  test/one/plain  allocs/op       5       6  +1 (+20.0 %)"))
        #expect(!result.output.contains("▁"))
        #expect(result.verdict == "2 changes in 1 benchmark over 12 results: 2 for the worse.")
        #expect(try Tool.fixture("trend", "--output", folder.path, "--sparklines").output.contains("▁"))
    }

    @Test func `a clean history has no change`() throws {
        let folder = try TemporaryFolder()
        try store(folder, isPlanted: false)
        #expect(
            try Tool.fixture("trend", "test/one", "--output", folder.path).verdict
                == "No change in 1 benchmark over 12 results.")
    }

    @Test func `JSON holds points, figures and changes`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let result = try Tool.fixture("trend", "--output", folder.path, "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let group = try #require((object["groups"] as? [[String: Any]])?.first)
        #expect((group["points"] as? [Any])?.count == 12)
        let series = try #require(group["series"] as? [[String: Any]])
        #expect(series.map { ($0["figures"] as? [Any])?.count } == [12, 12])
        #expect(series.map { ($0["changes"] as? [Any])?.count } == [1, 1])
        #expect(result.sentence.hasSuffix("2 changes in 1 benchmark over 12 results: 2 for the worse."))
    }

    @Test func `a broken file is named and left out`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let broken = try folder.write("{\"schema", to: "linux-test-2c/20260316T120000Z-cccccccccccc.json")
        let result = try Tool.fixture("trend", "--output", folder.path)
        #expect(result.code == 0)
        #expect(
            result.errors.contains(
                """
                Warning: '\(broken)' is broken: it holds no complete JSON. Restore it or run \
                'RxBenchFixture run' again. \
                It is left out.\n
                """
            ))
        #expect(result.verdict == "2 changes in 1 benchmark over 12 results: 2 for the worse.")
    }

    @Test func `no results, and a filter that fits none, are refused with what to do`() throws {
        let folder = try TemporaryFolder()
        let empty = try Tool.fixture("trend", "--output", folder.path)
        #expect(empty.code == 64)
        #expect(
            empty.sentence
                == """
                Error: No results are stored in '\(folder.path)'. Run \
                'RxBenchFixture run' first, or name another folder \
                with '--output'.
                """
        )
        try store(folder)
        let idle = try Tool.fixture("trend", "test/one/plane", "--output", folder.path)
        #expect(idle.code == 64)
        #expect(idle.sentence == "Error: No stored benchmark matches 'test/one/plane'. The nearest: 'test/one/plain'.")
        #expect(try Tool.fixture("trend", "--output", folder.path, "--margin", "-1").code == 64)
    }
}
