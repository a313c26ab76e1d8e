import Foundation
import Testing

@testable import RxBench
@testable import RxBenchReport

@Suite("Export and import again") struct RoundTripTests {
    private static let sha = "0123456789abcdef0123456789abcdef01234567"
    private static let result = ExportSamples.result(sha: sha, processor: "Test CPU")
    private static let id = "operator/merge/sync?sources=8&kind=hot"

    private func again(_ result: RunResult, _ format: String) throws -> RunResult {
        let document = try #require(ExportFormats.named(format)).document(of: [result])
        let imported = try ImportDocuments.imported(text: document)
        #expect(imported.format == format)
        return try #require(imported.results.first)
    }

    /// What the exports that know of operations alone keep of a metric: its name, unit and the value of each process.
    private func perOperation(_ result: RunResult) -> [String: [Double]] {
        var figures: [String: [Double]] = [:]
        for benchmark in result.benchmarks where benchmark.failure == nil {
            for figure in benchmark.availableFigures {
                let count = figure.metric.isStable == true ? 1 : figure.metric.values.count
                let values = (0..<count).compactMap { figure.reading(ofProcess: $0) }
                figures[
                    """
                    \(benchmark.id) \(figure.metric.name) \
                    \(ExportedFigure.storedUnit(figure.unit, of: figure.metric.name))
                    """
                ] =
                    Set(values).count == 1 ? Array(values.prefix(1)) : values
            }
        }
        return figures
    }

    private func figures(_ result: RunResult) -> [String: [Double]] {
        var figures: [String: [Double]] = [:]
        for benchmark in result.benchmarks {
            for metric in benchmark.metrics {
                figures["\(benchmark.id) \(metric.name) \(metric.unit)"] =
                    Set(metric.values).count == 1 ? Array(metric.values.prefix(1)) : metric.values
            }
        }
        return figures
    }

    @Test(arguments: ["benchstat", "google-benchmark", "jmh"])
    func `IDs, units and the values of processes are the same`(format: String) throws {
        let again = try again(Self.result, format)
        #expect(again.benchmarks.first?.id == Self.id)
        #expect(figures(again) == perOperation(Self.result))
        #expect(again.values(Self.id, "time") == [20, 21, 22])
        #expect(
            again.benchmark("operator/failed")?.failure
                == (format == "google-benchmark" ? "It failed, \"badly\"." : nil))
    }

    @Test(arguments: ["benchstat", "google-benchmark", "jmh", "csv"])
    func `the newest stored result comes back`(format: String) throws {
        let result = try #require(try StoredSamples.all().last)
        let again = try again(result, format)
        #expect(
            again.benchmarks.filter { $0.failure == nil }.map(\.id)
                == result.benchmarks.filter { $0.failure == nil }.map(\.id))
        if format == "csv" {
            #expect(again.benchmarks.map(\.metrics.count) == result.benchmarks.map(\.metrics.count))
        } else {
            #expect(figures(again) == perOperation(result))
        }
    }

    @Test func `a table keeps every figure, interval, outcome, failure and reason`() throws {
        let again = try again(Self.result, "csv")
        #expect(again.benchmarks.map(\.id) == Self.result.benchmarks.map(\.id))
        #expect(again.benchmarks.map(\.operations) == [10, 10])
        #expect(again.benchmarks.map(\.failure) == Self.result.benchmarks.map(\.failure))
        #expect(again.benchmarks.map(\.outcomes) == Self.result.benchmarks.map(\.outcomes))
        for (old, new) in zip(Self.result.benchmarks.flatMap(\.metrics), again.benchmarks.flatMap(\.metrics)) {
            #expect(
                [old.name, old.unit, "\(old.kind)", "\(old.reading)"] == [
                    new.name, new.unit, "\(new.kind)", "\(new.reading)",
                ])
            #expect(old.values == new.values && old.interval == new.interval && old.isStable == new.isStable)
        }
        #expect(again.run.date == Self.result.run.date)
        #expect(again.commit == Self.result.commit)
        #expect(again.environment.machine == Self.result.environment.machine)
        #expect(again.environment.configuration == .value("release"))
        #expect(again.environment.isTracing == .value(false))
    }

    @Test func `a table keeps which counts are those of several threads`() throws {
        let metrics: [Metric] = [
            .exact(SampleRun.allocations, [4, 4], isThreaded: true), .exact(SampleRun.bytes, [64, 64]),
        ]
        let again = try again(
            SampleRun.run([
                BenchmarkResult(Benchmark("race/one", decides: "Nothing.") { Workload {} }, metrics: metrics)
            ]), "csv")
        #expect(again.benchmarks[0].metrics.map(\.isThreaded) == [true, nil])
    }

    @Test func `several results in one table are several results again`() throws {
        let other = ExportSamples.result(sha: String(Self.sha.reversed()), processor: "Test CPU")
        for format in ["csv", "benchstat"] {
            let document = try #require(ExportFormats.named(format)).document(of: [Self.result, other])
            let imported = try ImportDocuments.imported(text: document)
            #expect(imported.results.map(\.commit) == [Self.result.commit, other.commit])
        }
    }

    @Test func `what is said of the run comes back where the format has a place for it`() throws {
        let benchstat = try again(Self.result, "benchstat")
        #expect(benchstat.run.importedFrom?.tool == .value("rxbench"))
        #expect(benchstat.environment.machine == "linux-test-2c")
        #expect(benchstat.commit == Self.result.commit)
        #expect(benchstat.run.date == "2026-03-15T12:00:00Z")
        let google = try again(Self.result, "google-benchmark")
        #expect(google.environment.cores == .value(2))
        #expect(google.environment.configuration == .value("release"))
        #expect(google.environment.machine == "linux-test-2c")
        #expect(google.values(Self.id, "processorTime") == nil)
        let jmh = try again(Self.result, "jmh")
        #expect(jmh.environment.machine == "unknown")
        #expect(jmh.run.importedFrom?.tool == .unavailable(ImportSource.silence))
    }

    @Test(arguments: ["benchstat", "google-benchmark", "jmh", "csv"])
    func `an imported result is exported and imported again without loss`(format: String) throws {
        let first = try again(Self.result, format)
        let second = try again(first, format)
        #expect(figures(second) == figures(first))
        #expect(second.benchmarks.map(\.id) == first.benchmarks.map(\.id))
    }

    @Test func `an imported result has the stored form, and a summary of it tells where it comes from`() throws {
        let again = try again(Self.result, "jmh")
        let bytes = again.encoded()
        #expect(try RunResult.decoded(from: bytes, name: "test") == again)
        let summary = try ResultSummary.decoded(from: bytes, name: "test")
        #expect(summary == ResultSummary(again))
        #expect(summary.origin == "imported from a jmh document")
        let whole = try self.again(Self.result, "csv")
        #expect(try ResultSummary.decoded(from: whole.encoded(), name: "test").origin == "imported from rxbench")
    }
}
