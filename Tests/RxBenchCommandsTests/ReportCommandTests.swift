import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench report", .serialized) struct ReportCommandTests {
    private func store(_ folder: TemporaryFolder, _ name: String = "one.json") throws -> String {
        let result = try Tool.fixture(
            "run", "fixture/loop", "--json", "--no-store", "--time", "0.1", "--processes", "2")
        #expect(result.code == 0)
        return try folder.write(result.output, to: name)
    }

    @Test func `writes one page and says where; equal input gives an equal page`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder)
        let page = "\(folder.path)/page.html"
        let first = try Tool.fixture("report", file, "--output", page)
        #expect(first.code == 0 && first.errors == "")
        #expect(first.verdict.hasPrefix("Wrote '\(page)': 3 benchmarks of '\(file)', "))
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.hasPrefix("<!DOCTYPE html>") && text.contains("fixture/loop/short"))
        #expect(try Tool.fixture("report", file, "--output", page).code == 0)
        #expect(try String(contentsOfFile: page, encoding: .utf8) == text)
        #expect(try Tool.fixture("report", file, "--output", "-").output == text)
        #expect(folder.files == ["one.json", "page.html"])
    }

    @Test func `compares with a baseline, and writes Markdown`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder)
        let result = try Tool.fixture("report", file, "--baseline", file, "--format", "markdown", "--output", "-")
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("**3 benchmarks with the same counts.**"))
        #expect(result.output.contains("<details><summary>Environment</summary>"))
    }

    @Test func `JSON says what was written`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder)
        let result = try Tool.fixture("report", file, "--json", "--output", "\(folder.path)/page.html")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(object["benchmarks"] as? Int == 3)
        #expect(object["format"] as? String == "html")
        #expect((object["bytes"] as? Int ?? 0) == folder.size("page.html"))
        #expect(result.sentence.hasPrefix("Wrote '"))
    }

    @Test func `results that must not be compared are refused`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let other = try folder.write(
            text.replacingOccurrences(of: "\"machine\":\"", with: "\"machine\":\"other-"), to: "other.json")
        let page = "\(folder.path)/page.html"
        let refused = try Tool.fixture("report", file, "--baseline", other, "--output", page)
        #expect(refused.code == 5)
        #expect(refused.sentence.hasPrefix("Error: The results are not comparable: the machine differs"))
        #expect(!folder.files.contains("page.html"))
        #expect(try Tool.fixture("report", file, "--baseline", other, "--output", page, "--allow-different").code == 0)
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("Between the two runs the machine differs"))
    }

    @Test func `a place that a report would destroy is refused`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder)
        for (place, reason) in [
            (file, "files that end in '.json' are results"), (folder.path, "it is a folder"),
            ("/dev/null", "it is not a regular file; '--output -' writes to standard output"),
            ("", "it is no name of a file"), ("\(folder.path)/", "it is no name of a file"),
        ] {
            let result = try Tool.fixture("report", file, "--output", place)
            #expect(result.code == 64)
            #expect(
                result.sentence
                    == """
                    Error: The report cannot be written to '\(place)': \(reason). Choose another file with \
                    '--output'.
                    """
            )
        }
        let missing = try Tool.fixture("report", file, "--output", "\(folder.path)/none/page.html")
        #expect(missing.code == 64)
        #expect(
            missing.sentence
                == """
                Error: '\(folder.path)/none/page.html' cannot be written: No such file or directory. Choose \
                another file with '--output'.
                """
        )
        #expect(folder.files == ["one.json"])
    }

    @Test func `a link stays a link`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder)
        let target = try folder.write("old", to: "target.html")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link.html", withDestinationPath: target)
        #expect(try Tool.fixture("report", file, "--output", "\(folder.path)/link.html").code == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link.html") == target)
    }

    @Test(arguments: [
        (
            ["report", "latest", "--output", "-", "--json"],
            "'--json' and '--output -' both write to standard output. Name a file with '--output'."
        ),
        (["report", "--margin=-1"], "'--margin -1.0' is not between 0 and 1000 per cent."),
    ]) func `options that make no sense`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", arguments, [:])
        #expect(result.code == 64)
        #expect(result.sentence.split(separator: "\n").first.map(String.init) == "Error: \(sentence)")
    }

    @Test func `no stored result`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool.fixture("report", "--results", folder.path, "--output", "-")
        #expect(result.code == 64)
        #expect(
            result.sentence
                == """
                Error: 'latest' needs more results of this machine than the 0 that are stored. Run \
                'RxBenchFixture run' \
                first.
                """
        )
    }
}

extension TemporaryFolder {
    fileprivate func size(_ name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"))?[.size] as? Int
    }
}
