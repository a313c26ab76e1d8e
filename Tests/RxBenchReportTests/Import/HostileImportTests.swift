import Foundation
import RxBenchStatistics
import Testing

@testable import RxBench
@testable import RxBenchReport

@Suite("Import of what cannot be imported") struct HostileImportTests {
    private func problem(_ text: String, format: String? = nil) -> String? {
        do throws(ImportError) {
            _ = try ImportDocuments.imported(text: text, format: format)
            return nil
        } catch { return error.description }
    }

    private static let entry = #""run_type": "iteration", "real_time": 1, "time_unit": "ns""#

    @Test(arguments: [
        ("", "it is empty"), (" \n\t\r\n", "it is empty"), ("\u{0}\u{1}BenchmarkA", "it is no text in UTF-8"),
        ("Hello.\n", "it is in none of the formats benchstat, google-benchmark, jmh, csv; it begins with 'Hello.'"),
        (
            "# HELP rxbench_run x\n# EOF\n",
            """
            it is OpenMetrics, which has one figure for each metric and not those of the processes; export as csv, \
            which has all of them
            """
        ),
        (
            "BenchmarkA-8 100 12.5\n",
            "line 1 is cut off: behind the number of iterations, values and units come in pairs"
        ),
        ("\nBenchmarkA-8 100\n", "line 2 is cut off: behind the number of iterations, values and units come in pairs"),
        ("BenchmarkA-8 0 12.5 ns/op\n", "line 1 has '0' where the number of iterations belongs"),
        ("BenchmarkA-8 100 12,5 ns/op\n", "line 1 has '12,5' where a number belongs"),
        ("BenchmarkA-8 100 1e999 ns/op\n", "line 1 has the number 'inf', which no measurement gives"),
        ("BenchmarkA-8 100 NaN ns/op\n", "line 1 has the number 'nan', which no measurement gives"),
        ("BenchmarkA-8 100 -5 ns/op\n", "line 1 has the time '-5.0', which is below 0"),
        ("BenchmarkA-8 100 5 ns/op 6 ns/op\n", "line 1 has two values in 'ns/op'"),
        ("BenchmarkA-8 100 5 p-ns 6 p-ms\n", "line 1 gives 'p' in 'ms', and before in 'ns'"),
        (
            "BenchmarkFooBar 1 5 ns/op\nBenchmarkFoo_Bar 1 5 ns/op\n",
            """
            line 2: 'BenchmarkFooBar' and 'BenchmarkFoo_Bar' would both be called 'imported/foo-bar'; rename one \
            of them
            """
        ),
        ("{", "line 1 has no name where a member of an object begins"),
        ("{\"benchmarks\": [\n{\"name\": \"a\"", "line 2 does not end an object that was begun"),
        ("{\"benchmarks\": []} x", "line 1 goes on behind the end of the JSON"),
        ("{\"benchmarks\": []}", "it has no benchmark"),
        ("{\"a\": 1}", "it is JSON without the list 'benchmarks' of Google Benchmark"),
        ("{\"schemaVersion\": 1}", "it is a stored result already; name it where a result is wanted"),
        ("{\"benchmarks\": [\n\n{\(entry)}]}", "line 3: entry 1 of 'benchmarks' has no name"),
        ("{\"benchmarks\": [{\"name\": \"a\"}]}", "line 1, entry 'a', has no number 'real_time'"),
        (
            "{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"years\"}]}",
            "line 1, entry 'a', has the time unit 'years', which is none of ns, us, ms, s"
        ),
        (
            "{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1e400}]}",
            "line 1, entry 'a', has the number 'inf', which no measurement gives"
        ),
        (
            "{\"benchmarks\": [{\"name\": \"aB\", \(entry)}, {\"name\": \"a b\", \(entry)}]}",
            "line 1, entry 'a b',: 'aB' and 'a b' would both be called 'imported/a-b'; rename one of them"
        ),
        ("[]", "it has no benchmark"), ("[1]", "line 1: entry 1 has no text 'benchmark'"),
        ("[{\"benchmark\": \"a.b\"}]", "line 1, entry 'a.b', has no 'primaryMetric'"),
        (
            "[{\"benchmark\": \"a.b\", \"mode\": \"all\", \"primaryMetric\": {}}]",
            "line 1, entry 'a.b', has the mode 'all', which is none of avgt, sample, ss, thrpt"
        ),
        (
            "[{\"benchmark\": \"a.b\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"ops/s\"}}]",
            "line 1, entry 'a.b', has the unit 'ops/s', which is no time of an operation as 'ns/op'"
        ),
        (
            """
            [{\"benchmark\": \"a.b\", \"mode\": \"thrpt\", \"primaryMetric\": {\"scoreUnit\": \"ops/s\", \
            \"rawData\": [[0]]}}]
            """,
            "line 1, entry 'a.b', has the number 'inf', which no measurement gives"
        ),
        (
            "[{\"benchmark\": \"a.b\", \"primaryMetric\": {\"scoreUnit\": \"ns/op\", \"rawData\": [[1,\n[]]]}}]",
            "line 1, entry 'a.b', has something else in line 2 where a number belongs"
        ),
        (
            "[{\"benchmark\": \"a.b\", \"primaryMetric\": {\"scoreUnit\": \"ns/op\"}}]",
            "line 1, entry 'a.b', has neither 'rawData' nor a 'score'"
        ),
        ("benchmark,metric\r\n", "line 1 has no column 'unit', which 'rxbench export --format csv' writes"),
    ])
    func `a document that is none is refused with the place`(text: String, clause: String) {
        #expect(problem(text) == "'test' cannot be imported: \(clause).")
    }

    @Test func `a table that is none is refused with the row`() {
        let header = CSVFormat.columns.joined(separator: ",") + "\r\n"
        let row = "a/b,time,ns/operation,sampled,5.0,,,,,,,5.0,1,,2026-03-15T12:00:00Z,,,m,release,false\r\n"
        func clause(_ text: String) -> String? {
            problem(header + text)?.replacing("'test' cannot be imported: ", with: "")
        }
        #expect(clause("") == "it has no row below its header.")
        #expect(clause("a,b\r\n") == "line 2 has 2 fields instead of 20.")
        #expect(clause("a\r\n") == "line 2 has 1 field instead of 20.")
        #expect(clause(row + row) == "line 3 is the second row of 'time' of 'a/b'.")
        #expect(
            clause(row.replacing("a/b", with: "A/b"))?.hasPrefix("line 2: 'A/b' is no benchmark's ID: a path segment")
                == true)
        #expect(clause(row.replacing("5.0,,,", with: "x,,,")) == "line 2 has 'x' where a number belongs.")
        #expect(
            clause(row.replacing(",1,,", with: ",-1,,")) == "line 2 has '-1' where the number of operations belongs.")
        #expect(clause(row.replacing("sampled", with: "guessed"))?.hasPrefix("line 2 has the kind 'guessed'") == true)
        #expect(clause("\"a/b,time\r\n") == "line 2 begins a field in quotes that does not end.")
        #expect(clause("\"a/b\"x,time\r\n") == "line 2 has something between a field in quotes and the next comma.")
    }

    @Test func `bytes that are no UTF-8, and UTF-16, are refused`() {
        func problem(_ bytes: [UInt8]) -> String? {
            do throws(ImportError) {
                _ = try ResultImport(bytes, name: "test", moment: ImportDocuments.moment)
                return nil
            } catch { return error.description }
        }
        #expect(problem([0x42, 0xC3, 0x28]) == "'test' cannot be imported: it is no text in UTF-8.")
        #expect(
            problem([0xFF, 0xFE, 0x42, 0])
                == "'test' cannot be imported: it is UTF-16, which PowerShell's '>' writes; write it as UTF-8.")
        #expect(problem([0xEF, 0xBB, 0xBF] + Array("BenchmarkA 1 5 ns/op\r\n".utf8)) == nil)
    }

    @Test func `depth is limited, length is not`() throws {
        #expect(
            problem(String(repeating: "[", count: 100_000)) == "'test' cannot be imported: line 1 is nested too deeply."
        )
        let lines = (0..<20_000).map { "BenchmarkA/n=\($0)-8\t100\t\($0 + 1) ns/op\n" }.joined()
        #expect(try ImportDocuments.imported(text: lines).results[0].benchmarks.count == 20_000)
        let many = String(repeating: "BenchmarkA-8\t100\t5 ns/op\n", count: 2_001)
        #expect(
            problem(many)
                == """
                'test' cannot be imported: line 2001 is one more than the 2000 measurements of one benchmark that \
                a result can hold.
                """
        )
    }

    @Test func `a document of one format named as another is refused`() {
        #expect(
            problem("BenchmarkA 1 5 ns/op\n", format: "jmh")
                == "'test' cannot be imported: line 1 has 'BenchmarkA' where a value of JSON belongs.")
        #expect(
            problem("[]", format: "google-benchmark")
                == "'test' cannot be imported: it is JSON without the list 'benchmarks' of Google Benchmark.")
        #expect(
            problem("{}", format: "benchstat")
                == "'test' cannot be imported: it has no line that begins with 'Benchmark'.")
    }

    @Test func `every beginning of a document is read or refused in a sentence`() throws {
        for name in [
            "go-bench.txt", "google-benchmark.json", "jmh.json", "package-benchmark.json", "swift-benchmark.json",
        ] {
            let bytes = try ImportDocuments.bytes(name)
            for count in stride(from: 0, to: bytes.count, by: 23) {
                do throws(ImportError) {
                    let imported = try ResultImport(
                        Array(bytes.prefix(count)), name: "test", moment: ImportDocuments.moment)
                    for result in imported.results { _ = result.encoded() }
                } catch {
                    #expect(
                        error.description.hasPrefix("'test' cannot be imported: ") && error.description.hasSuffix("."))
                    #expect(!error.description.contains("\n"))
                }
            }
        }
    }
}
