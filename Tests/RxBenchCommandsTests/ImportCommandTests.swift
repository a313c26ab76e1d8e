import Foundation
import Testing

@testable import RxBench

@Suite("rxbench import", .serialized) struct ImportCommandTests {
    /// What Go prints for one benchmark, ten times, noisy by 1 %.
    private func goText(slowdown: Double = 1, commit: String? = nil) -> String {
        let noise = [0.4, -0.9, 0.7, -0.2, 1.1, -1.2, 0.1, 0.6, -0.7, -0.4]
        let lines = ["Merge", "Zip"].flatMap { name in
            noise.map {
                """
                Benchmark\(name)-8\t1000\t\(700 * (name == "Zip" ? slowdown : 1) * (1 + $0 / 100)) ns/op\t5 \
                allocs/op\n
                """
            }
        }
        return "goos: linux\ngoarch: amd64\npkg: streams\ncpu: Test CPU\n" + (commit.map { "commit: \($0)\n" } ?? "")
            + lines.joined() + "PASS\n"
    }

    private func store(_ folder: TemporaryFolder, _ text: String, _ arguments: String...) throws -> String {
        let file = try folder.write(text, to: "go.txt")
        let result = try Tool.run(
            "RxBenchFixture", ["import", file, "--output", "\(folder.path)/results"] + arguments, [:])
        #expect(result.code == 0, "\(result.errors)")
        let line = try #require(result.errors.split(separator: "\n").last { $0.hasPrefix("Stored in '") })
        return String(line.dropFirst("Stored in '".count).dropLast(2))
    }

    @Test func `a planted slowdown is found, and the same file twice is not called changed`() throws {
        let folder = try TemporaryFolder()
        let before = try store(folder, goText())
        let after = try store(folder, goText(slowdown: 1.2))
        let again = try store(folder, goText())
        #expect(before.hasSuffix("/results/linux-amd64-test/" + (before as NSString).lastPathComponent))
        let changed = try Tool.fixture("compare", before, after, "--gate-time")
        #expect(changed.code == 1)
        #expect(
            changed.output.contains("streams/zip    time     702 ns  842 ns  +20.0 %")
                || changed.output.contains("+20.0 %"), "\(changed.output)")
        #expect(changed.verdict == "streams/zip is 20 % slower (19–21 %); 1 other within 5 %.")
        #expect(
            changed.output.contains("Whether the machine moved is not known: imported results have no control loop."))
        let same = try Tool.fixture("compare", before, again, "--gate-time")
        #expect(same.code == 0)
        #expect(same.verdict == "2 benchmarks within 5 %.")
    }

    @Test func `a measured result is not compared with an imported one unless told so`() throws {
        let folder = try TemporaryFolder()
        let imported = try store(folder, goText())
        let run = try Tool.fixture(
            "run", "fixture/heap/extra", "--json", "--no-store", "--time", "0.1", "--processes", "2")
        let native = try folder.write(run.output, to: "native.json")
        let refused = try Tool.fixture("compare", imported, native)
        #expect(refused.code == 5)
        #expect(
            refused.sentence.contains(
                """
                Error: The results are not comparable: the origin differs ('imported from a benchstat document' \
                and 'measured by rxbench'), and 
                """
            ))
        #expect(try Tool.fixture("compare", imported, native, "--allow-different").code == 0)
        let merged = try Tool.fixture("merge", imported, native, "--no-store")
        #expect(merged.code == 5)
        #expect(
            merged.sentence
                == """
                Error: '\(imported)' is imported and no shard. Put the other tool's files together first, and \
                import that.
                """
        )
        let budget = try Tool.fixture("compare", imported, "--budget", "\(folder.path)/budgets.json", "--update-budget")
        #expect(budget.code == 5)
        #expect(
            budget.sentence.contains(
                "the result was imported from a benchstat document, and budgets are for what rxbench counted"))
    }

    @Test func `'latest' is never an imported result, even of this machine`() throws {
        let folder = try TemporaryFolder()
        let results = "\(folder.path)/results"
        _ = try Tool.fixture("run", "fixture/heap/extra", "--output", results, "--time", "0.1", "--processes", "1")
        let machine = try #require(ResultStore(folder: results).files.last).machine
        let path = try store(folder, goText(), "--machine", machine, "--date", "2036-01-01T00:00:00Z")
        #expect(path.contains("/\(machine)/20360101T000000Z-nocommit-imported.json"))
        let exported = try Tool.fixture("export", "--format", "csv", "--results", results)
        #expect(
            exported.code == 0 && exported.output.contains("fixture/heap/extra")
                && !exported.output.contains("streams/merge"))
    }

    @Test func `history, page and export work on imported results`() throws {
        let folder = try TemporaryFolder()
        let paths = try (1...3).map { day in
            try store(
                folder, goText(commit: String(repeating: "\(day)", count: 40)), "--date", "2026-03-0\(day)T12:00:00Z")
        }
        #expect(paths[0].hasSuffix("20260301T120000Z-111111111111-imported.json"))
        let trend = try Tool.fixture("trend", "--output", "\(folder.path)/results")
        #expect(trend.code == 0)
        #expect(
            trend.output.hasPrefix(
                "linux-amd64-test, imported from a benchstat document: 3 results, from 1111111 to 3333333\n"),
            "\(trend.output)")
        let page = try Tool.fixture(
            "report", paths[2], "--baseline", paths[1], "--results", "\(folder.path)/results", "--output",
            "\(folder.path)/a.html")
        #expect(page.code == 0)
        let html = try String(contentsOfFile: "\(folder.path)/a.html", encoding: .utf8)
        #expect(
            html.contains("unavailable: the imported file does not say")
                && html.contains("imported from a benchstat document"))
        let markdown = try Tool.fixture("report", paths[2], "--format", "markdown", "--output", "-")
        #expect(markdown.code == 0 && markdown.output.contains("imported from a benchstat document"))
        for format in ["benchstat", "google-benchmark", "jmh", "openmetrics", "csv"] {
            let exported = try Tool.fixture("export", paths[0], "--format", format)
            #expect(exported.code == 0 && exported.output.lowercased().contains("merge"))
        }
        #expect(
            try Tool.fixture("list", "--results", "--output", "\(folder.path)/results").verdict.hasPrefix(
                "3 stored results"))
    }

    @Test func `standard input is read, and JSON is the result`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(goText(), to: "go.txt")
        let child = try ChildProcess(
            executable: "/bin/sh",
            arguments: ["-c", "\"$1\" import - --no-store --json <\"$2\"", "sh", Tool.path("RxBenchFixture"), file])
        let result = try child.wait(timeoutSeconds: 60)
        #expect(result.ending == .exited(0))
        let decoded = try RunResult.decoded(from: result.output, name: "output")
        #expect(decoded.benchmarks.map(\.id) == ["streams/merge", "streams/zip"])
        #expect(result.complaints.hasSuffix("2 benchmarks imported from benchstat.\n"))
        #expect(folder.files == ["go.txt"])
    }

    @Test func `of several files one that is wrong keeps all from being stored`() throws {
        let folder = try TemporaryFolder()
        let good = try folder.write(goText(), to: "good.txt")
        let bad = try folder.write("BenchmarkA 1 x ns/op\n", to: "bad.txt")
        let refused = try Tool.fixture("import", good, bad, "--output", "\(folder.path)/results")
        #expect(refused.code == 64)
        #expect(refused.output == "")
        #expect(refused.sentence == "Error: '\(bad)' cannot be imported: line 1 has 'x' where a number belongs.")
        #expect(folder.files == ["bad.txt", "good.txt"])
        let both = try Tool.fixture("import", good, good, "--output", "\(folder.path)/results")
        #expect(both.verdict == "4 benchmarks of 2 results imported from benchstat.")
        #expect(ResultStore(folder: "\(folder.path)/results").files.count == 2)
    }

    @Test func `a failure is stored as one, and the verdict says so`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("BenchmarkA 1 5 ns/op\n--- FAIL: BenchmarkB\n    planted\n", to: "go.txt")
        let result = try Tool.fixture("import", file, "--no-store")
        #expect(result.code == 0)
        #expect(result.output.contains("failed: imported/b: planted\n"))
        #expect(result.verdict == "2 benchmarks imported from benchstat, of which 1 had failed there.")
    }

    @Test(arguments: [
        (
            ["--format", "openmetrics"],
            """
            OpenMetrics is not imported: it holds one figure for each metric and not those of the processes, so \
            that nothing could be compared. Use '--format csv' of 'rxbench export', which holds all of them.
            """
        ),
        (
            ["--format", "xml"],
            "'--format xml' is no format of 'import'. Give one of 'benchstat', 'google-benchmark', 'jmh', 'csv'."
        ),
        (
            ["--machine", "My Mac"],
            """
            '--machine My Mac' is no machine's name: write lowercase words with hyphens, as in \
            'linux-x86_64-amd-epyc-2c'.
            """
        ),
        (
            ["--commit", "a1b2c3"],
            "'--commit a1b2c3' is no full hash. 'git rev-parse a1b2c3' prints the 40 characters."
        ),
        (
            ["--date", "yesterday"],
            "'--date yesterday' is no moment: write it as in '2026-03-15T12:00:00Z', with its time zone."
        ),
        (
            ["--no-store"],
            "No file can be read at '/nowhere/go.txt'. Name a file of figures, or '-' for standard input."
        ),
    ])
    func `wrong usage is refused with a sentence`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", ["import", "/nowhere/go.txt"] + arguments, [:])
        #expect(result.code == 64)
        #expect(result.output == "")
        // Verbs are those of the tool that says them.
        let own = sentence.replacing("'rxbench ", with: "'RxBenchFixture ")
        #expect(result.sentence.split(separator: "\n").first == "Error: \(own)")
    }
}
