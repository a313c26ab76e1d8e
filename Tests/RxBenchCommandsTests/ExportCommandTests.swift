import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench export", .serialized) struct ExportCommandTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    private func store(_ folder: TemporaryFolder, seed: String = "1") throws {
        let run = try Tool.fixture(
            "run", "fixture/heap/extra", "--output", folder.path, "--time", "0.1", "--processes", "2", "--seed", seed)
        #expect(run.code == 0)
    }

    @Test func `the newest result goes to standard output, and the verdict to standard error`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let path = try #require(ResultStore(folder: folder.path).files.last).path
        let result = try Tool.fixture("export", "--format", "benchstat", "--results", folder.path)
        #expect(result.code == 0)
        #expect(result.output.split(separator: "\n").count { $0.hasPrefix("BenchmarkFixture/heap/extra-") } == 2)
        #expect(result.sentence == "1 benchmark exported as benchstat from '\(path)'.")
    }

    @Test(arguments: ["benchstat", "google-benchmark", "csv"])
    func `a file holds what standard output would`(format: String) throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let path = try #require(ResultStore(folder: folder.path).files.last).path
        let shown = try Tool.fixture("export", path, "--format", format)
        let file = "\(folder.path)/export.txt"
        let written = try Tool.fixture("export", path, "--format", format, "--output", file)
        #expect(written.code == 0)
        #expect(written.verdict == "1 benchmark exported as \(format) from '\(path)' to '\(file)'.")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == shown.output)
    }

    @Test func `JSON describes the file that was written`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let result = try Tool.fixture(
            "export", "latest", "--format", "csv", "--results", folder.path, "--output", "\(folder.path)/a.csv",
            "--json")
        #expect(result.code == 0)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(object["benchmarks"] as? Int == 1)
        #expect(object["format"] as? String == "csv")
        #expect(object["leftOut"] as? [String] == [])
    }

    @Test func `several results share a table, but not a document of one result`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        try store(folder, seed: "2")
        let one = try Tool.fixture("export", "latest", "--format", "csv", "--results", folder.path)
        let two = try Tool.fixture("export", "previous", "latest", "--format", "csv", "--results", folder.path)
        #expect(two.code == 0)
        #expect(two.output.split(separator: "\r\n").count == 2 * one.output.split(separator: "\r\n").count - 1)
        let refused = try Tool.fixture(
            "export", "previous", "latest", "--format", "google-benchmark", "--results", folder.path)
        #expect(refused.code == 64)
        #expect(
            refused.sentence.hasPrefix(
                "Error: A document of format 'google-benchmark' holds one result, not 2. Export them one by one.\n"))
    }

    @Test func `a benchmark that failed is named where the format has no place for it`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let path = try #require(ResultStore(folder: folder.path).files.last).path
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
        var benchmarks = try #require(object["benchmarks"] as? [[String: Any]])
        benchmarks[0]["failure"] = "Planted."
        object["benchmarks"] = benchmarks
        let planted = try folder.write(
            String(decoding: JSONSerialization.data(withJSONObject: object), as: UTF8.self), to: "failed.json")
        let left = try Tool.fixture("export", planted, "--format", "benchstat")
        #expect(left.code == 0)
        #expect(
            left.errors.contains(
                "Warning: 'benchstat' has no place for benchmarks that failed; left out: fixture/heap/extra."))
        let kept = try Tool.fixture("export", planted, "--format", "csv")
        #expect(!kept.errors.contains("left out"))
        #expect(kept.output.contains(",failure,") && kept.output.contains("Planted."))
    }

    @Test(arguments: [
        (
            ["--format", "xml"],
            """
            '--format xml' is no format of 'export'. Give one of 'benchstat', 'google-benchmark', 'csv'.
            """
        ),
        (
            ["--format", "csv", "--json"],
            "'--json' describes a file that was written. Add '--output', or leave it out to get the export itself."
        ),
        (
            ["--format", "csv", "/nowhere/a.json"],
            "No file can be read at '/nowhere/a.json'. Run 'RxBenchFixture list --results' to see what is stored."
        ),
        (
            ["--format", "csv", "--results", "/nowhere"],
            "'latest' needs more results of this machine than the 0 that are stored. Run 'RxBenchFixture run' first."
        ),
    ])
    func `wrong usage is refused with a sentence`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", ["export"] + arguments, [:])
        #expect(result.code == 64)
        #expect(result.output == "")
        #expect(result.sentence.split(separator: "\n").first == "Error: \(sentence)")
    }

    @Test func `a file that cannot be written, and what is no ordinary file, are refused`() throws {
        let folder = try TemporaryFolder()
        try store(folder)
        let path = try #require(ResultStore(folder: folder.path).files.last).path
        let missing = try Tool.fixture("export", path, "--format", "csv", "--output", "\(folder.path)/none/a.csv")
        #expect(missing.code == 64)
        #expect(missing.sentence == "Error: '\(folder.path)/none/a.csv' cannot be written: No such file or directory.")
        let device = try Tool.fixture("export", path, "--format", "csv", "--output", folder.path)
        #expect(device.code == 64)
        #expect(
            device.sentence
                == """
                Error: '\(folder.path)' is no ordinary file and is not replaced. Name a file, or leave out \
                '--output' to write to standard output.
                """
        )
    }
}
