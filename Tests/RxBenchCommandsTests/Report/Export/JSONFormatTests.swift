import Foundation
import RxBench
import RxBenchEngine
import Testing

@testable import RxBenchCommands

private typealias Object = [String: Any]

@Suite("Export to Google Benchmark") struct GoogleBenchmarkFormatTests {
    private func document(_ result: RunResult) throws -> (context: Object, benchmarks: [Object]) {
        let text = GoogleBenchmarkFormat().document(of: [result])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
        return (try #require(object["context"] as? Object), try #require(object["benchmarks"] as? [Object]))
    }

    @Test func `each process is an entry with its time and its counts`() throws {
        let (context, benchmarks) = try document(ExportSamples.result())
        #expect(context["num_cpus"] as? Int == 2)
        #expect(context["library_build_type"] as? String == "release")
        #expect(context["cpu_time"] as? String == "not measured; it repeats real_time")
        #expect(context["load_avg"] == nil)
        let processes = benchmarks.filter { $0["run_type"] as? String == "iteration" }
        #expect(processes.map { $0["real_time"] as? Double } == [20, 21, 22])
        #expect(processes.map { $0["repetition_index"] as? Int } == [0, 1, 2])
        #expect(
            processes.allSatisfy {
                $0["name"] as? String == "operator/merge/sync?sources=8&kind=hot" && $0["time_unit"] as? String == "ns"
            })
        #expect(processes.map { $0["allocations (count/op)"] as? Double } == [0.4, 0.4, 0.4])
        #expect(processes.map { $0["allocatedBytes (B/op)"] as? Double } == [12.8, 16, nil])
    }

    @Test func `median, interval and detectable change are aggregates`() throws {
        func aggregates(_ result: RunResult) throws -> [Object] {
            try document(result).benchmarks.filter { $0["run_type"] as? String == "aggregate" }
        }
        let steady = try aggregates(ExportSamples.result([ExportSamples.steady]))
        #expect(
            steady.map { $0["aggregate_name"] as? String } == ["median", "interval_low", "interval_high", "detectable"])
        #expect(steady.last?["aggregate_unit"] as? String == "percentage")
        // Three processes are too few to give a detectable change.
        let aggregates = try aggregates(ExportSamples.result())
        #expect(aggregates.map { $0["aggregate_name"] as? String } == ["median", "interval_low", "interval_high"])
        #expect(aggregates.prefix(3).map { $0["real_time"] as? Double } == [21, 20, 22])
        #expect(aggregates.first?["name"] as? String == "operator/merge/sync?sources=8&kind=hot_median")
    }

    @Test func `an unavailable figure has no counter, and a failure no entry but a place in the context`() throws {
        let (context, benchmarks) = try document(ExportSamples.result())
        #expect(!benchmarks.contains { $0.keys.contains { $0.hasPrefix("liveResources") } })
        #expect(!benchmarks.contains { $0["run_name"] as? String == "operator/failed" })
        #expect(context["failed"] as? [String: String] == ["operator/failed": "It failed, \"badly\"."])
        #expect(benchmarks.allSatisfy { $0["real_time"] as? Double != 0 && $0["real_time"] != nil })
    }
}
