import Foundation
import RxBench
import Testing

@Suite("rxbench with bad input", .serialized) struct BadInputTests {
    @Test func `a filter that selects nothing names the nearest IDs`() throws {
        let result = try Tool.fixture("run", "fixture/loop/shorts")
        #expect(result.code == 64)
        #expect(
            result.sentence == """
                Error: No benchmark matches 'fixture/loop/shorts'. The nearest: 'fixture/loop/short', \
                'fixture/loop/long', 'fixture/loop/extra'.
                """)
        #expect(result.output == "")
    }

    @Test func `an unknown tag names the tags`() throws {
        let result = try Tool.fixture("list", "tag:fast")
        #expect(result.code == 64)
        #expect(result.sentence == "Error: No benchmark matches 'tag:fast'. The tags are clean, fault, race.")
    }

    @Test func `an unknown commit`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool.fixture("compare", "a1b2c3", "latest", "--output", folder.path)
        #expect(result.code == 64)
        #expect(
            result.sentence == """
                Error: No result for commit 'a1b2c3'. Run 'RxBenchFixture run' on it, or \
                'RxBenchFixture list --results' to see what \
                is stored.
                """)
    }

    @Test func `latest without results`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool.fixture("compare", "latest", "latest", "--output", folder.path)
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

    @Test(arguments: [
        (
            "empty.json", "", 64 as Int32,
            "is broken: it holds no complete JSON. Restore it or run 'RxBenchFixture run' again."
        ),
        (
            "broken.json", "{\"schemaVersion\":", 64,
            "is broken: it holds no complete JSON. Restore it or run 'RxBenchFixture run' again."
        ),
        (
            "foreign.json", "{\"a\":1}", 64,
            "is JSON, but not a result of rxbench. Name a file that 'RxBenchFixture run' has stored."
        ),
        (
            "other-tool.json",
            #"{"context":{"date":"2026-03-15","num_cpus":2},"benchmarks":[{"name":"a","real_time":1.5}]}"#,
            64,
            "is JSON, but not a result of rxbench. Name a file that 'RxBenchFixture run' has stored."
        ),
        (
            "half.json", "{\"schemaVersion\":1}", 64,
            "is JSON, but not a result of rxbench. Name a file that 'RxBenchFixture run' has stored."
        ),
        (
            "newer.json", "{\"schemaVersion\":3}", 5,
            "has format version 3; this build reads up to 2. Build a newer rxbench to read it."
        ),
    ]) func `a file that is no result`(name: String, content: String, code: Int32, sentence: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(content, to: name)
        let result = try Tool.fixture("compare", file, file)
        #expect(result.code == code)
        #expect(result.sentence == "Error: '\(file)' \(sentence)")
    }

    @Test func `a result that was cut anywhere`() throws {
        let folder = try TemporaryFolder()
        let whole = try Tool.fixture(
            "run", "fixture/loop/short", "--json", "--no-store", "--time", "0.1", "--processes", "1"
        ).output
        for share in [0.1, 0.5, 0.99] {
            let file = try folder.write(String(whole.prefix(Int(Double(whole.count) * share))), to: "cut.json")
            let result = try Tool.fixture("compare", file, file)
            #expect(result.code == 64)
            #expect(
                result.sentence
                    == """
                    Error: '\(file)' is broken: it holds no complete JSON. Restore it or run 'RxBenchFixture run' again.
                    """)
        }
    }

    @Test func `a results folder that does not exist holds nothing, and a run makes it`() throws {
        let folder = try TemporaryFolder()
        let missing = "\(folder.path)/one/two"
        #expect(
            try Tool.fixture("list", "--results", "--output", missing).output == "0 stored results in '\(missing)'.\n")
        #expect(try Tool.fixture("compare", "previous", "latest", "--output", missing).code == 64)
        #expect(
            try Tool.fixture("run", "fixture/loop/short", "--time", "0.1", "--processes", "1", "--output", missing).code
                == 0)
        #expect(folder.files.count == 1)
    }

    @Test func `a path without a file`() throws {
        let result = try Tool.fixture("compare", "./nowhere.json", "./nowhere.json")
        #expect(result.code == 64)
        #expect(
            result.sentence
                == """
                Error: No file can be read at './nowhere.json'. Run 'RxBenchFixture list --results' to see what is \
                stored.
                """
        )
    }

    @Test func `a folder that cannot be written is refused before measuring`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "file.txt")
        let result = try Tool.fixture("run", "fixture/loop/short", "--output", file)
        #expect(result.code == 64)
        #expect(result.sentence.hasPrefix("Error: '\(file)/"))
        #expect(
            result.sentence.hasSuffix(
                "' cannot be written: Not a directory. Choose another folder with '--output', or run with '--no-store'."
            ))
        #expect(folder.files == ["file.txt"])
    }

    @Test(arguments: [("/proc", "No such file or directory"), ("/dev/full", "Not a directory")])
    func `a folder of the system in which nothing can be made`(folder: String, reason: String) throws {
        let result = try Tool.fixture("run", "fixture/loop/short", "--output", folder)
        #expect(result.code == 64)
        #expect(result.sentence.hasPrefix("Error: '\(folder)/"))
        #expect(
            result.sentence.hasSuffix(
                "' cannot be written: \(reason). Choose another folder with '--output', or run with '--no-store'."))
        #expect(result.output == "")
    }

    @Test(arguments: [
        (["run", "--time=-3"], "'--time -3.0' is not between 0 and 86400 seconds."),
        (["run", "--processes", "0"], "'--processes 0' is not between 1 and 1000."),
        (["compare", "a", "b", "--margin=-1"], "'--margin -1.0' is not between 0 and 1000 per cent."),
    ]) func `an option out of its range`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", arguments, [:])
        #expect(result.code == 64)
        #expect(result.sentence.split(separator: "\n").first.map(String.init) == "Error: \(sentence)")
    }

    @Test func `an unknown verb`() throws {
        #expect(try Tool.fixture("rum").code == 64)
    }
}

@Suite("rxbench list", .serialized) struct ListCommandTests {
    @Test func `shows IDs, tags and decisions, and the number in the last line`() throws {
        let result = try Tool.fixture("list", "fixture/heap")
        #expect(result.code == 0)
        #expect(
            result.output == """
                Measured              tags   decides
                fixture/heap/exact    clean  Nothing: a thousand blocks of 32 bytes.
                fixture/heap/extra           Nothing: a regression on demand.
                fixture/heap/threads         Nothing: another thread allocates.

                3 benchmarks.

                """)
    }

    @Test func `JSON holds what the table shows`() throws {
        let result = try Tool.fixture("list", "fixture/loop/long", "--json")
        let list = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        #expect(list.first?["id"] as? String == "fixture/loop/long")
        #expect(list.first?["baseline"] as? String == "fixture/loop/short")
    }

    @Test func `stored results without any`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool.fixture("list", "--results", "--output", folder.path)
        #expect(result.output == "0 stored results in '\(folder.path)'.\n")
    }

    @Test func `many are shown by family, a line each`() throws {
        let result = try Tool.fixture("list")
        #expect(result.code == 0)
        #expect(
            result.output == """
                Measured         benchmarks  decides
                fixture/loop              3  Nothing: clean. (2 more)
                fixture/heap              3  Nothing: a thousand blocks of 32 bytes. (2 more)
                fixture/keeping           1  Nothing: a leak on demand.
                fixture/stages            1  Nothing: a chain of known costs.
                fixture/latency           1  Nothing: a known distribution.
                fixture/print             1  Nothing: prints to standard output.

                Limited                   benchmarks  decides
                fixture/budget/operation           2  Nothing: 201 allocations. (1 more)
                fixture/budget/iteration           3  Nothing: 4 allocations. (2 more)
                fixture/live                       3  Nothing: keeps 2. (1 more)
                fixture/bar/ratio                  2  Nothing: 10000 steps.
                fixture/bar/time                   2  Nothing: 10000 steps.

                Reactive          benchmarks  decides
                fixture/reactive           2  Nothing: keeps a subscription. (1 more)

                Failing       benchmarks  decides
                fixture/fail           7  Nothing. (1 more)
                fixture                1  Nothing: its check is to notice when it stops.
                fixture/hang           2  Nothing. (1 more)
                fixture/leak           2  Nothing: keeps what it takes. (1 more)

                Racing        benchmarks  decides
                fixture/race           3  Nothing: two increments.

                Paired          benchmarks  decides
                fixture/paired           8  Nothing: half of a comparison. (2 more)

                47 benchmarks in 18 families: 'RxBenchFixture list ID' shows those with 'ID' in theirs, \
                'RxBenchFixture list --all' each.

                """)
    }

    @Test func `on request each is shown`() throws {
        let all = try Tool.fixture("list", "--all")
        #expect(all.code == 0)
        #expect(all.output.contains("\nfixture/heap/exact "))
        let list = try #require(
            try JSONSerialization.jsonObject(with: Data(Tool.fixture("list", "--json").output.utf8)) as? [Any])
        #expect(all.verdict == "\(list.count) benchmarks.")
    }

    @Test(arguments: [["fixture/heap"], ["--results"]])
    func `each, and some, are alternatives`(other: [String]) throws {
        let result = try Tool.run("RxBenchFixture", ["list", "--all"] + other, [:])
        #expect(result.code == 64)
        #expect(result.sentence.hasPrefix("Error: '--all' and '\(other[0])' are alternatives. Give one of them."))
    }

    @Test func `the product lists its suites, in fewer lines than a page has`() throws {
        let result = try Tool.rxbench("list")
        #expect(result.code == 0)
        #expect(result.output.contains("\noperator/subscribe "))
        #expect(result.output.split(separator: "\n").count < 60, "\(result.output)")
        #expect(try Tool.rxbench("list", "--all").output.split(separator: "\n").count > 160)
    }

    @Test func `families fit the terminal that shows them`() throws {
        let shown = try Terminal.text(on: .results, of: Tool.path("RxBenchFixture"), ["list"], columns: 60)
        let table = shown.split(whereSeparator: \.isNewline).prefix { !$0.contains("families: ") }
        #expect(table.count > 10)
        #expect(table.allSatisfy { $0.count <= 60 }, "\(shown)")
    }
}
