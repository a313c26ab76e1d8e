import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench compare", .serialized) struct CompareCommandTests {
    private func store(
        _ folder: TemporaryFolder, _ name: String, extra: Bool = false, filter: String = "fixture/heap/extra"
    ) throws -> String {
        let result = try Tool.run(
            "RxBenchFixture", ["run", filter, "--json", "--no-store", "--time", "0.1", "--processes", "2"],
            extra ? ["FIXTURE_EXTRA": "1"] : [:])
        #expect(result.code == 0)
        return try folder.write(result.output, to: name)
    }

    /// Returns the file's text as if the run had no filters.
    private func unfiltered(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8).replacing(/"filters":\[[^\]]*\],?/, with: "")
    }

    @Test func `one added allocation is a regression, one removed an improvement, none neither`() throws {
        let folder = try TemporaryFolder()
        let three = try store(folder, "three.json")
        let again = try store(folder, "again.json")
        let four = try store(folder, "four.json", extra: true)

        let worse = try Tool.fixture("compare", three, four, "--exact-only")
        #expect(worse.code == 1)
        #expect(
            worse.output.hasPrefix(
                """
                benchmark           metric     before  after           change  [low high]  verdict
                fixture/heap/extra  allocs/op       3      4     +1 (+33.3 %)              worse
                fixture/heap/extra  bytes/op     96 B  128 B  +32 B (+33.3 %)              worse

                """))
        #expect(worse.verdict == "fixture/heap/extra makes 1 more allocation.")

        let better = try Tool.fixture("compare", four, three, "--exact-only")
        #expect(better.code == 0)
        #expect(better.verdict == "fixture/heap/extra makes 1 fewer allocation.")

        let equal = try Tool.fixture("compare", three, again, "--exact-only")
        #expect(equal.code == 0)
        #expect(equal.verdict == "1 benchmark with the same counts.")
    }

    @Test func `a result with two benchmarks of one ID is refused, on either side and alone`() throws {
        let folder = try TemporaryFolder()
        let clean = try store(folder, "clean.json")
        var document = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: clean))) as? [String: Any])
        let benchmarks = try #require(document["benchmarks"] as? [Any])
        document["benchmarks"] = benchmarks + benchmarks
        let text = String(decoding: try JSONSerialization.data(withJSONObject: document), as: UTF8.self)
        let twice = try folder.write(text, to: "twice.json")
        for sides in [[twice, clean], [clean, twice], [twice, twice]] {
            let result = try Tool.run("RxBenchFixture", ["compare"] + sides, [:])
            #expect(result.code == 64)
            #expect(result.output == "")
            #expect(result.sentence.contains("has two benchmarks called 'fixture/heap/extra'"), "\(result.sentence)")
        }
        #expect(try Tool.fixture("compare", clean, clean, "--exact-only").code == 0)
    }

    @Test func `JSON has the finding of each benchmark, the verdict and the exit code`() throws {
        let folder = try TemporaryFolder()
        let three = try store(folder, "three.json")
        let four = try store(folder, "four.json", extra: true)
        func document(_ before: String, _ after: String) throws -> (outcomes: [String], exitCode: Int?) {
            let result = try Tool.fixture("compare", before, after, "--exact-only", "--json")
            let json = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            #expect(json["verdict"] as? String == result.errors.split(separator: "\n").last.map(String.init))
            #expect(json["exitCode"] as? Int == Int(result.code))
            let findings = json["findings"] as? [[String: Any]] ?? []
            return (findings.compactMap { $0["outcome"] as? String }, json["exitCode"] as? Int)
        }
        #expect(try document(three, four) == (["worse"], 1))
        #expect(try document(four, three) == (["better"], 0))
        #expect(try document(three, three) == (["same"], 0))
        let whole = try folder.write(try unfiltered(three), to: "whole.json")
        let renamed = try folder.write(
            try unfiltered(three).replacing("heap/extra", with: "heap/other"), to: "renamed.json")
        #expect(try document(whole, renamed).outcomes == ["new", "not judged"])
    }

    @Test func `allocations that are never freed are a regression, though there are fewer of them`() throws {
        let folder = try TemporaryFolder()
        let clean = try store(folder, "clean.json", filter: "fixture/keeping/half")
        let leaking = try store(folder, "leaking.json", extra: true, filter: "fixture/keeping/half")
        let worse = try Tool.fixture("compare", clean, leaking, "--exact-only")
        #expect(worse.code == 1)
        #expect(
            worse.output.contains(
                "fixture/keeping/half  net allocs       0      3                +3              worse\n"))
        #expect(worse.verdict == "fixture/keeping/half leaves 3 more allocations behind.")
        let same = try Tool.fixture("compare", clean, clean, "--exact-only")
        #expect(same.output.contains("note: both are one result, so that no change can show."))
        #expect(same.code == 0)
        #expect(same.verdict == "1 benchmark with the same counts.")
    }

    @Test func `a file from before net allocations were counted has none`() throws {
        let folder = try TemporaryFolder()
        let now = try store(folder, "now.json", extra: true, filter: "fixture/keeping/half")
        let text = try String(contentsOfFile: now, encoding: .utf8)
        let old = try folder.write(text.replacing("\"netAllocations\"", with: "\"earlier\""), to: "old.json")
        #expect(
            try RunResult.decoded(from: Array(text.utf8), name: "now").benchmarks[0].metric(Metric.netAllocations)?
                .reading == .value(3))
        let compared = try Tool.fixture("compare", old, now, "--exact-only")
        #expect(compared.code == 0)
        #expect(compared.verdict == "1 benchmark with the same counts.")
    }

    @Test func `a new benchmark that fails is a failure, and one that works is added`() throws {
        let folder = try TemporaryFolder()
        let one = try folder.write(unfiltered(store(folder, "filtered.json")), to: "one.json")
        func measure(_ name: String, _ filter: String) throws -> String {
            try folder.write(
                Tool.fixture("run", "fixture/heap/extra", filter, "--json", "--no-store", "--exact-only").output,
                to: name)
        }
        let failing = try Tool.fixture(
            "compare", one, try measure("failing.json", "fixture/fail/check"), "--exact-only")
        #expect(failing.code == 3)
        #expect(
            failing.output.contains(
                "note: fixture/fail/check: Its check found a wrong result after the first iteration.\n"))
        #expect(failing.verdict == "1 failed (fixture/fail/check); 1 other with the same counts.")
        let working = try Tool.fixture(
            "compare", one, try measure("working.json", "fixture/heap/exact"), "--exact-only")
        #expect(working.code == 0)
        #expect(
            working.verdict
                == "1 new, without figures of the first run (fixture/heap/exact); 1 other with the same counts.")
    }

    @Test func `a gate does not pass where neither run counted anything, and one count is enough`() throws {
        let folder = try TemporaryFolder()
        let text = try String(contentsOfFile: store(folder, "counted.json"), encoding: .utf8)
        func without(_ isTaken: (String) -> Bool, _ name: String) throws -> String {
            var result = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let metrics = try #require(result["metrics"] as? [[String: Any]])
            result["metrics"] = metrics.filter {
                $0["kind"] as? String != "exact" || !isTaken($0["name"] as? String ?? "")
            }
            let data = try JSONSerialization.data(withJSONObject: result)
            return try folder.write(String(decoding: data, as: UTF8.self), to: name)
        }
        let none = try without({ _ in true }, "none.json")
        let gated = try Tool.fixture("compare", none, none, "--exact-only", "--gate")
        #expect(gated.code == 4)
        #expect(gated.verdict == "1 not judged, without a figure of both runs (fixture/heap/extra).")
        #expect(try Tool.fixture("compare", none, none, "--exact-only").code == 0)
        #expect(try Tool.fixture("compare", none, none, "--gate").code == 4)
        let one = try without({ $0 != Metric.allocations }, "one.json")
        #expect(try Tool.fixture("compare", one, one, "--exact-only", "--gate").code == 0)
    }

    @Test func `what a run's filter left out is not judged, unless the comparison asks for that part`() throws {
        let folder = try TemporaryFolder()
        func measure(_ name: String, _ filters: String...) throws -> String {
            try folder.write(
                Tool.run("RxBenchFixture", ["run", "--json", "--no-store", "--exact-only"] + filters, [:]).output,
                to: name)
        }
        // The selection of 'fixture/heap/e' represents the full run.
        let full = try folder.write(unfiltered(measure("two.json", "fixture/heap/e")), to: "full.json")
        let part = try measure("part.json", "fixture/heap/extra")
        #expect(try String(contentsOfFile: part, encoding: .utf8).contains("\"filters\":[\"fixture/heap/extra\"]"))
        let gated = try Tool.fixture("compare", full, part, "--exact-only", "--gate")
        #expect(gated.code == 4)
        #expect(
            gated.output.contains(
                """
                note: 1 not measured (filter: fixture/heap/extra); to compare the rest alone, add '--filter \
                fixture/heap/extra'.

                """))
        #expect(gated.verdict == "1 not judged, as one run's filter left it out; 1 other with the same counts.")
        #expect(try Tool.fixture("compare", full, part, "--exact-only").code == 0)
        let asked = try Tool.fixture(
            "compare", full, part, "--exact-only", "--gate", "--filter", "fixture/heap/extra")
        #expect(asked.code == 0)
        #expect(asked.verdict == "1 benchmark with the same counts.")
        let reverse = try Tool.fixture("compare", part, full, "--exact-only", "--gate")
        #expect(reverse.code == 4)
        #expect(reverse.output.contains("note: 1 not measured in the first run (filter: fixture/heap/extra); "))
        // A benchmark that the filter selects is lost if it is missing all the same.
        let gone = try measure("gone.json", "fixture/heap/exact")
        let text = try String(contentsOfFile: gone, encoding: .utf8)
        let lost = try folder.write(
            text.replacing("[\"fixture/heap/exact\"]", with: "[\"fixture/heap\"]"), to: "lost.json")
        #expect(try Tool.fixture("compare", full, lost, "--exact-only", "--gate").code == 4)
        // A filter of the comparison itself.
        let own = try Tool.fixture("compare", full, full, "--exact-only", "--gate", "--filter", "extra")
        #expect(own.verdict == "1 benchmark with the same counts.")
        #expect(try Tool.fixture("compare", full, full, "--filter", "nothing-like-it").code == 64)
    }

    @Test func `a stored result is named by its file's stem, and -o is --output`() throws {
        let folder = try TemporaryFolder()
        _ = try Tool.fixture("run", "fixture/heap/extra", "-o", folder.path, "--exact-only")
        let stored = try #require(ResultStore(folder: folder.path).files.last)
        #expect(try !String(contentsOfFile: stored.path, encoding: .utf8).contains("\"-o\""))
        #expect(try Tool.fixture("compare", stored.stem, stored.stem, "--exact-only", "-o", folder.path).code == 0)
    }

    @Test func `times of two processes are inconclusive: exit code 0, and 4 where times are to decide`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder, "one.json")
        let shown = try Tool.fixture("compare", file, file)
        #expect(shown.code == 0)
        #expect(shown.verdict == "1 benchmark with the same counts.")
        let gated = try Tool.fixture("compare", file, file, "--gate-time")
        #expect(gated.code == 4)
        #expect(gated.verdict.hasPrefix("1 inconclusive (fixture/heap/extra"))
    }

    @Test func `a slower time alone: exit code 0, and 1 where times are to decide`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder, "one.json")
        func variant(_ name: String, _ times: [Double]) throws -> String {
            var object = try #require(
                try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
            var benchmarks = try #require(object["benchmarks"] as? [[String: Any]])
            var figures = try #require(benchmarks[0]["figures"] as? [String: Any])
            figures["time"] = ["value": times[4], "values": times] as [String: Any]
            benchmarks[0]["figures"] = figures
            object["benchmarks"] = benchmarks
            return try folder.write(
                String(decoding: JSONSerialization.data(withJSONObject: object), as: UTF8.self), to: name)
        }
        let times: [Double] = [101, 107, 103, 105, 104, 100, 108, 102, 106]
        let fast = try variant("fast.json", times)
        let slow = try variant("slow.json", times.map { $0 * 2 })

        let shown = try Tool.fixture("compare", fast, slow)
        #expect(shown.code == 0)
        #expect(
            shown.verdict
                == """
                fixture/heap/extra is 100 % slower (94–106 %). Slower times do not change the exit code; \
                '--gate-time' lets them.
                """
        )
        let gated = try Tool.fixture("compare", fast, slow, "--gate-time")
        #expect(gated.code == 1)
        #expect(gated.verdict == "fixture/heap/extra is 100 % slower (94–106 %).")
        #expect(try Tool.fixture("compare", fast, fast, "--gate-time").code == 0)
    }

    @Test func `letting times decide and leaving them out at once is refused`() throws {
        let result = try Tool.fixture("compare", "a", "b", "--gate-time", "--exact-only")
        #expect(result.code == 64)
        #expect(
            result.sentence.hasPrefix(
                "Error: '--gate-time' lets times decide, and '--exact-only' leaves them out. Give one of them.\n"))
    }

    @Test(arguments: [
        ("\"configuration\":\"debug\"", "\"configuration\":\"release\"", "the configuration differs"),
        ("\"configuration\":\"release\"", "\"configuration\":\"debug\"", "the configuration differs"),
        ("\"isTracing\":true", "\"isTracing\":false", "tracing differs ('on' and 'off')"),
        ("\"machine\":\"", "\"machine\":\"other-", "the machine differs"),
    ]) func `results that must not be compared are refused`(original: String, planted: String, reason: String) throws {
        let folder = try TemporaryFolder()
        let file = try store(folder, "one.json", filter: "fixture/loop/short")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard text.contains(original) else { return }
        let other = try folder.write(text.replacingOccurrences(of: original, with: planted), to: "other.json")
        let refused = try Tool.fixture("compare", file, other)
        #expect(refused.code == 5)
        #expect(refused.sentence.hasPrefix("Error: The results are not comparable: \(reason)"))
        #expect(refused.sentence.hasSuffix("Add '--allow-different' to compare them all the same."))
        #expect(refused.output == "")
        #expect(try Tool.fixture("compare", file, other, "--allow-different", "--exact-only").code == 0)
    }

    @Test func `another compiler is warned of, and the power of two runs is stated`() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.fixture(
            "run", "fixture/loop/short", "--json", "--no-store", "--time", "0.2", "--processes", "9")
        let file = try folder.write(run.output, to: "one.json")
        let swift = try #require(
            RunResult.decoded(from: Array(run.output.utf8), name: "run").environment.swiftVersion.value)
        let other = try folder.write(
            run.output.replacingOccurrences(of: swift, with: "1.0 (planted)"), to: "other.json")
        let compared = try Tool.fixture("compare", file, other)
        #expect(
            compared.errors.contains(
                "Warning: the compiler differs ('\(swift)' and '1.0 (planted)'); differences may not be the code's.\n"))
        #expect(
            compared.output.contains(
                """
                Two runs show less than \
                'RxBenchFixture ab', which measures both sides in turns: half of these benchmarks \
                would show a change of 
                """
            ))
        #expect(try !Tool.fixture("compare", file, file).errors.contains("the compiler differs"))
        #expect(try !Tool.fixture("compare", file, file, "--exact-only").output.contains("Two runs show less"))
    }

    @Test func `latest, previous and commits name stored results`() throws {
        let folder = try TemporaryFolder()
        for seed in ["1", "2"] {
            _ = try Tool.fixture(
                "run", "fixture/heap/extra", "--output", folder.path, "--time", "0.1", "--processes", "1", "--seed",
                seed)
        }
        #expect(ResultStore(folder: folder.path).files.count == 2)
        let latest = try Tool.fixture("compare", "previous", "latest", "--exact-only", "--output", folder.path)
        #expect(latest.code == 0)
        let entries = ResultStore(folder: folder.path).files
        for (name, typed, entry) in [("before", "previous", entries[0]), ("after", "latest", entries[1])] {
            let commit = entry.commit == "nocommit" ? "unavailable: " : entry.commit
            #expect(latest.output.contains("note: \(name): '\(typed)', commit \(commit)"), "\(latest.output)")
            #expect(latest.output.contains(" ('\(entry.path)').\n"))
        }
        #expect(latest.verdict == "1 benchmark with the same counts.")
        let stored = try #require(ResultStore(folder: folder.path).files.last)
        let commit = try Tool.fixture(
            "compare", String(stored.commit.prefix(6)), "latest", "--exact-only", "--output", folder.path)
        #expect(stored.commit == "nocommit" || commit.code == 0)
    }

    @Test func `JSON holds the rows`() throws {
        let folder = try TemporaryFolder()
        let file = try store(folder, "one.json")
        let result = try Tool.fixture("compare", file, file, "--json", "--exact-only")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect((object["rows"] as? [Any])?.count == 3)
        #expect((object["rows"] as? [[String: Any]])?.first?["operations"] as? Int == 1)
        #expect((object["before"] as? [String: Any])?["named"] as? String == file)
        #expect(result.sentence.hasSuffix("1 benchmark with the same counts."))
    }
}
