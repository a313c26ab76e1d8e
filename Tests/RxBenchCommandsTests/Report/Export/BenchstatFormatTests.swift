import Foundation
import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("Export to benchstat") struct BenchstatFormatTests {
    @Test func `a result is units, configuration and one line for each process`() {
        let lines = BenchstatFormat().document(of: [ExportSamples.result()]).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        #expect(
            lines == [
                "Unit ns/op better=lower", "Unit allocs/op better=lower assume=exact", "Unit B/op better=lower",
                "Unit latency-p99-ns better=lower",
                "Unit peak-resident-bytes better=lower", "tool: rxbench", "machine: linux-test-2c", "arch: x86_64",
                "configuration: release",
                "tracing: off", "cpu: Test CPU", "Commit 0123456789abcdef-dirty, run at 2026-03-15T12:00:00Z", "",
                """
                BenchmarkOperator/merge/sync/sources=8/kind=hot-2\t20\t20.0 ns/op\t0.4 allocs/op\t12.8 B/op\t900.0 \
                latency-p99-ns\t4096.0 peak-resident-bytes
                """,
                """
                BenchmarkOperator/merge/sync/sources=8/kind=hot-2\t20\t21.0 ns/op\t0.4 allocs/op\t16.0 \
                B/op\t1000.0 latency-p99-ns\t4096.0 peak-resident-bytes
                """,
                """
                BenchmarkOperator/merge/sync/sources=8/kind=hot-2\t20\t22.0 ns/op\t0.4 allocs/op\t1100.0 \
                latency-p99-ns\t8192.0 peak-resident-bytes
                """,
                "",
            ])
    }

    @Test func `several results are told apart by their commit`() {
        let text = BenchstatFormat().document(of: [ExportSamples.result(), ExportSamples.result(sha: "fedcba")])
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("commit: ") } == [
                "commit: 0123456789abcdef-dirty", "commit: fedcba-dirty",
            ])
        #expect(text.split(separator: "\n").count { $0.hasPrefix("Unit ns/op") } == 1)
        #expect(GoBenchmarkGrammar.problems(in: text) == [])
    }

    @Test func `the grammar finds what is planted`() {
        #expect(
            GoBenchmarkGrammar.problems(
                in: "key: value\nUnit ns/op better=lower\nBenchmarkA-2\t10\t1.5 ns/op\n\nOther text\n") == [])
        #expect(GoBenchmarkGrammar.problems(in: "BenchmarkA b\t10\t1.5 ns/op\n") != [])
        #expect(GoBenchmarkGrammar.problems(in: "Benchmarka\t10\t1.5 ns/op\n") != [])
        #expect(GoBenchmarkGrammar.problems(in: "BenchmarkA\t0\t1.5 ns/op\n") != [])
        #expect(GoBenchmarkGrammar.problems(in: "BenchmarkA\t10\tn/a ns/op\n") != [])
        #expect(GoBenchmarkGrammar.problems(in: "BenchmarkA\t10\t1.5\n") != [])
        #expect(GoBenchmarkGrammar.problems(in: "BenchmarkA\t10\n") != [])
        #expect(GoBenchmarkGrammar.problems(in: "Unit ns/op better\n") != [])
    }

    @Test func `names and values with white space stay one word and one line`() {
        let odd = BenchmarkResult(
            ExportSamples.benchmark("test/one"),
            metrics: [
                .sampled(ExportSamples.time, [1]), .exact(MetricDefinition(name: "odd name", unit: "big\nunits"), [2]),
            ])
        let text = BenchstatFormat().document(of: [
            ExportSamples.result([odd], processor: "a\r\nBenchmarkFake\t1\t1 ns/op")
        ])
        #expect(GoBenchmarkGrammar.problems(in: text) == [])
        #expect(text.contains("2.0 odd%20name-big%0Aunits"))
        #expect(text.split(whereSeparator: \.isNewline).count { $0.hasPrefix("Benchmark") } == 1)
    }

    @Test func `every stored result fits the grammar`() throws {
        let results = try StoredSamples.all()
        #expect(!results.isEmpty)
        for result in results {
            let text = BenchstatFormat().document(of: [result])
            #expect(GoBenchmarkGrammar.problems(in: text) == [])
            let measured = result.benchmarks.filter { $0.failure == nil }
            #expect(
                text.split(separator: "\n").count { $0.hasPrefix("Benchmark") }
                    == measured.reduce(0) { $0 + $1.processes })
        }
    }
}

/// The line grammar of golang.org/design/14313-benchmark-format with the unit lines of golang.org/x/perf/benchfmt.
enum GoBenchmarkGrammar {
    static func problems(in text: String) -> [String] {
        text.split(separator: "\n").enumerated().compactMap { number, line in
            problem(in: line).map { "line \(number + 1): \($0): \(line)" }
        }
    }

    private static func problem(in line: Substring) -> String? {
        if line.unicodeScalars.contains(where: { $0 == "\r" || $0.properties.generalCategory == .control && $0 != "\t" }
        ) {
            return "control character"
        }
        if line.hasPrefix("Benchmark") { return benchmark(line.split(whereSeparator: \.isWhitespace)) }
        let words = line.split(separator: " ")
        if words.first == "Unit" {
            let isComplete = words.count >= 3 && words.dropFirst(2).allSatisfy { $0.split(separator: "=").count == 2 }
            return isComplete ? nil : "a unit line is 'Unit <unit> <key>=<value>…'"
        }
        guard line.first?.isLowercase == true else { return nil }
        guard let colon = line.firstIndex(of: ":"),
            !line[..<colon].contains(where: { $0.isWhitespace || $0.isUppercase }),
            line[colon...].hasPrefix(": ")
        else { return "a configuration line is 'key: value'" }
        return nil
    }

    private static func benchmark(_ words: [Substring]) -> String? {
        guard let first = words[0].dropFirst("Benchmark".count).first, !first.isLowercase else {
            return "no capital after 'Benchmark'"
        }
        guard words.count >= 4, words.count.isMultiple(of: 2) else {
            return "name, iterations and pairs of value and unit"
        }
        guard let iterations = Int(words[1]), iterations > 0 else { return "the iterations are no positive number" }
        for index in stride(from: 2, to: words.count, by: 2) where Double(words[index])?.isFinite != true {
            return "a value is no number"
        }
        return nil
    }
}

/// The results that are stored in the repository.
enum StoredSamples {
    static let repository = URL(fileURLWithPath: #filePath).appending(path: "../../../../..").standardizedFileURL

    static func all() throws -> [RunResult] {
        let store = ResultStore(folder: repository.appending(path: "results").path)
        return try store.files.map { try store.result(named: $0.path, machine: "").result }
    }
}
