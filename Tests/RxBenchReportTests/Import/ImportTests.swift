import Foundation
import Testing

@testable import RxBench
@testable import RxBenchReport

@Suite("Import of other tools' documents") struct ImportTests {
    private static let silence = "the imported file does not say"

    @Test func `Go: lines of one name are processes, packages and parameters make the ID`() throws {
        let imported = try ImportDocuments.imported("go-bench.txt")
        #expect(imported.format == "benchstat")
        let result = try #require(imported.results.first)
        #expect(imported.results.count == 1)
        let merge = "example.com/streams/merge"
        #expect(merge.contains("."))
        #expect(
            result.benchmarks.map(\.id) == [
                "example-com/streams/merge/merge?sources=8", "example-com/streams/merge/parse-json",
                "example-com/streams/merge/broken",
                "example-com/streams/zip/zip", "example-com/streams/zip/late",
            ])
        let id = "example-com/streams/merge/merge?sources=8"
        #expect(result.values(id, "time") == [7012, 7133, 6998])
        #expect(result.unit(id, "time") == "ns/operation")
        #expect(result.values(id, "allocations") == [12, 12, 12])
        #expect(result.benchmark(id)?.metric("allocations")?.isStable == true)
        #expect(result.values(id, "allocatedBytes") == [1024, 1024, 1030])
        #expect(result.benchmark(id)?.metric("allocatedBytes")?.kind == .sampled)
        #expect(result.benchmark(id)?.decides == "Imported: 'example.com/streams/merge BenchmarkMerge/sources=8'.")
        #expect(result.run.processes == 3)
    }

    @Test func `Go: other units are metrics with names of their own`() throws {
        let result = try #require(try ImportDocuments.imported("go-bench.txt").results.first)
        let metrics = try #require(result.benchmark("example-com/streams/merge/parse-json")?.metrics)
        #expect(metrics.map(\.name) == ["time", "throughput", "p99", "cacheMisses"])
        #expect(metrics.map(\.unit) == ["ns/operation", "MB/s", "ns", "count/operation"])
        #expect(metrics.map(\.reading.value) == [1043.5, 95.83, 812, 0.25])
    }

    @Test func `Go: a benchmark that failed has failed, with its message, and a package is noted`() throws {
        let imported = try ImportDocuments.imported("go-bench.txt")
        let failures = imported.results[0].benchmarks.compactMap { benchmark in
            benchmark.failure.map { [benchmark.id, $0] }
        }
        #expect(
            failures == [
                ["example-com/streams/merge/broken", "merge_test.go:12: expected 8 values, got 7"],
                ["example-com/streams/zip/late", "It failed there, and the file does not say why."],
            ])
        #expect(imported.notes == ["Line 25: the tests of package 'example.com/streams/zip' failed there."])
    }

    @Test func `what a document says of its machine is kept, all else is unavailable`() throws {
        let result = try #require(try ImportDocuments.imported("go-bench.txt").results.first)
        let environment = result.environment
        #expect(environment.machine == "linux-amd64-intel-xeon-e5-2680-v4")
        #expect(environment.operatingSystem == .value("linux"))
        #expect(environment.processor == .value("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"))
        #expect(environment.cores == .unavailable(Self.silence))
        #expect(environment.configuration == .unavailable(Self.silence))
        #expect(environment.isTracing == .unavailable(Self.silence))
        #expect(environment.swiftVersion == .unavailable(Self.silence))
        #expect(result.commit == .unavailable(Self.silence))
        #expect(result.control.reading == .unavailable(Self.silence))
        #expect(result.run.seed == .unavailable(Self.silence))
        #expect(result.run.date == ImportDocuments.moment)
        #expect(result.run.importedFrom?.date == .unavailable(Self.silence))
        #expect(result.run.importedFrom?.origin == "imported from a benchstat document")
    }

    @Test func `Google Benchmark: repetitions are processes in nanoseconds, counters are metrics`() throws {
        let result = try #require(try ImportDocuments.imported("google-benchmark.json").results.first)
        let id = "bm-string-copy-std-string/1024?threads=2"
        #expect(result.benchmarks.map(\.id) == [id, "imported/bm-broken", "imported/bm-only"])
        #expect(result.values(id, "time") == [1500, 1750])
        #expect(result.values(id, "processorTime") == [1250, 1500])
        #expect(result.benchmark(id)?.metrics.map(\.name) == ["time", "processorTime", "bytesPerSecond", "hits"])
        #expect(result.benchmark("imported/bm-broken")?.failure == "planted: no such file")
        #expect(result.values("imported/bm-only", "time") == [12e6])
        #expect(result.environment.cores == .value(8))
        #expect(result.environment.machine == "unknown-8c")
        #expect(result.environment.configuration == .unavailable(Self.silence))
        #expect(result.environment.loadAverage == .value(1.5))
        #expect(result.run.date == "2026-03-15T12:00:00Z")
        #expect(
            result.run.importedFrom
                == ImportSource(
                    format: "google-benchmark", tool: .value("Google Benchmark"), toolVersion: .value("v1.8.3"),
                    date: .value("2026-03-15T12:00:00Z")))
        let text = String(decoding: result.encoded(), as: UTF8.self)
        #expect(!text.contains("secret-host") && !text.contains("somebody"))
    }

    @Test func `google swift-benchmark: times without a context`() throws {
        let result = try #require(try ImportDocuments.imported("swift-benchmark.json").results.first)
        #expect(
            result.benchmarks.map(\.id) == [
                "imported/add-string-no-capacity", "imported/strings-add-string-reserved-capacity",
            ])
        #expect(result.values("imported/add-string-no-capacity", "time") == [37_099])
        #expect(result.environment.machine == "unknown")
    }

    @Test func `JMH: forks are processes, their medians the figures, iterations the samples`() throws {
        let result = try #require(try ImportDocuments.imported("jmh.json").results.first)
        let id = "com/example/merge-benchmark/merge-sync?kind=hot&sources=8"
        #expect(result.benchmarks.map(\.id) == [id, "com/example/merge-benchmark/sampled"])
        #expect(result.values(id, "time")?.map { $0.rounded() } == [2010, 2060])
        #expect(
            result.benchmark(id)?.metric("time")?.samples?.map { $0.map { $0.rounded() } } == [
                [2010, 2000, 2020], [2050, 2060, 2080],
            ])
        #expect(result.unit(id, "gcAllocRateNorm") == "bytes/operation")
        #expect(result.values(id, "gcAllocRateNorm") == [96.001, 96.001])
        #expect(result.values("com/example/merge-benchmark/sampled", "time") == [12])
        #expect(result.run.importedFrom?.tool == .value("JMH"))
        #expect(result.run.importedFrom?.toolVersion == .value("1.37"))
    }

    @Test func `package-benchmark: a throughput is turned round, sample by sample`() throws {
        let result = try #require(try ImportDocuments.imported("package-benchmark.json").results.first)
        let id = "package/benchmark/streams/merge-8-sources"
        #expect(result.values(id, "time") == [400_000])
        #expect(result.benchmark(id)?.metric("time")?.samples == [[500_000, 400_000, 250_000]])
        #expect(
            result.benchmark(id)?.metrics.map(\.name) == ["time", "mallocTotal", "mallocFreeDelta", "timeWallClock"])
        #expect(result.unit(id, "timeWallClock") == "μs")
        #expect(result.run.importedFrom?.origin == "imported from package-benchmark")
    }

    @Test(arguments: [
        "go-bench.txt", "google-benchmark.json", "swift-benchmark.json", "jmh.json", "package-benchmark.json",
    ])
    func `what is stored of a document fits the schema`(name: String) throws {
        let schema = StoredSamples.repository.appending(path: "results/schema/result-v1.schema.json")
        let validator = try SchemaValidator(Data(contentsOf: schema))
        for result in try ImportDocuments.imported(name).results {
            #expect(try validator.problems(in: Data(result.encoded())) == [])
        }
    }

    @Test func `what a person says goes before what a document does`() throws {
        let commit = Commit(sha: String(repeating: "a", count: 40), isDirty: false)
        let statements = ResultImport.Statements(
            machine: "build-server-3", commit: commit, date: "2026-01-01T00:00:00Z")
        let imported = try ResultImport(
            ImportDocuments.bytes("google-benchmark.json"), name: "test", statements: statements,
            moment: ImportDocuments.moment)
        #expect(imported.results[0].environment.machine == "build-server-3")
        #expect(imported.results[0].commit == .value(commit))
        #expect(imported.results[0].run.date == "2026-01-01T00:00:00Z")
        #expect(imported.results[0].run.importedFrom?.date == .value("2026-01-01T00:00:00Z"))
    }

    @Test func `a configuration that changes begins another run, a package does not`() throws {
        let line = "BenchmarkA-8 10 5 ns/op\n"
        let imported = try ImportDocuments.imported(
            text: "cpu: one\npkg: a\n\(line)pkg: b\n\(line)cpu: two\npkg: a\n\(line)")
        #expect(imported.results.map { $0.benchmarks.map(\.id) } == [["a/a", "b/a"], ["a/a"]])
        #expect(imported.results.map(\.environment.processor) == [.value("one"), .value("two")])
    }

    @Test func `numbers of processors that differ are a parameter, equal ones are left out`() throws {
        let same = try ImportDocuments.imported(text: "BenchmarkA/size-16-8 1 5 ns/op\nBenchmarkB-8 1 5 ns/op\n")
            .results[0]
        #expect(same.benchmarks.map(\.id) == ["a/size-16", "imported/b"])
        let several = try ImportDocuments.imported(
            text: "BenchmarkA 1 5 ns/op\nBenchmarkA-4 1 5 ns/op\nBenchmarkB/n=1-4 1 5 ns/op\n"
        ).results[0]
        #expect(several.benchmarks.map(\.id) == ["imported/a?procs=1", "imported/a?procs=4", "imported/b?n=1&procs=4"])
    }

    @Test func `bytes are averages in Go, and counts where the document says so`() throws {
        let line = "BenchmarkA-8 10 5 ns/op 1024 B/op\n"
        #expect(
            try ImportDocuments.imported(text: line).results[0].benchmarks[0].metric("allocatedBytes")?.kind == .sampled
        )
        let declared = try ImportDocuments.imported(text: "Unit B/op better=lower assume=exact\n\(line)").results[0]
        #expect(declared.benchmarks[0].metric("allocatedBytes")?.kind == .exact)
    }

    @Test func `averages of unchanged code are not called more, doubled ones and single counts are`() throws {
        func verdict(_ before: [Int], _ after: [Int], _ unit: String) throws -> ResultComparison.Verdict? {
            let runs = try [before, after].map { values in
                try ImportDocuments.imported(text: values.map { "BenchmarkA-8 10 5 ns/op \($0) \(unit)\n" }.joined())
                    .results[0]
            }
            return ResultComparison(runs[0], runs[1]).rows.last?.verdict
        }
        let ten = Array(repeating: 1024, count: 10)
        #expect(try verdict(ten, ten.map { $0 + 1 }, "B/op") == .same)
        #expect(try verdict(ten, ten, "B/op") == .unchanged)
        #expect(try verdict(ten.map { $0 * 0 }, ten.map { $0 * 0 }, "B/op") == .unchanged)
        #expect(try verdict(ten, ten.map { $0 * 2 }, "B/op") == .regressed)
        #expect(try verdict([1024], [1025], "B/op") == .inconclusive)
        #expect(try verdict([5], [6], "allocs/op") == .inconclusive)
        #expect(try verdict([5, 5], [6, 6], "allocs/op") == .regressed)
        #expect(try verdict([5], [5], "allocs/op") == .unchanged)
    }

    @Test func `a count that was taken once is not known to be stable`() throws {
        let once = try ImportDocuments.imported(text: "BenchmarkA 1 5 ns/op 7 allocs/op\n").results[0]
        #expect(once.benchmarks[0].metric("allocations")?.isStable == nil)
        #expect(once.benchmarks[0].metric("allocations")?.reading == .value(7))
    }

    @Test(arguments: [
        (["BM_Copy<int>", "8"], "bm-copy-int/8"), (["parseJSONText"], "imported/parse-json-text"),
        (["a b", "--", "c++"], "a-b/--/c"),
        (["Über", "x"], "u00dcber/x"), (["Sort", "n=1e+06", "n=2"], "sort/n-2?n=1e06"),
        (["x", "size:1K"], "imported/x?size=1k"),
        (["std::sort"], "imported/std-sort"), (["operator", "merge?sources=8"], "operator/merge?sources=8"),
        (["?"], "imported/-"),
        (["n=1"], "imported/unnamed?n=1"),
    ])
    func `names become IDs in one way`(parts: [String], id: String) throws {
        #expect(try ImportedName.id(of: parts, place: "line 1").text == id)
    }
}
