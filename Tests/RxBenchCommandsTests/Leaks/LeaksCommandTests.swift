import Foundation
import HeapTrace
import Testing

@Suite("rxbench leaks", .serialized) struct LeaksCommandTests {
    #if DEBUG
        private func records(_ output: String) throws -> [GrowthReport] {
            try LeakJSON().document(in: Array(output.utf8)).scenarios
        }

        @Test func `a planted leak ends with exit code 1 and is named, its clean twin with 0`() throws {
            let faulty = try Tool.fixture("leaks", "fixture/reactive/leak", "--maximum-runs", "160")
            #expect(faulty.code == 1)
            let first = faulty.output.split(separator: "\n").prefix(2).joined(separator: "\n")
            #expect(first.hasPrefix("fixture/reactive/leak: leaks, after 163 runs\n├─ subscribe, held by "))
            #expect(first.contains(": remove from 'Shelf.subscriptions' what is made at Limits.swift:64 "))
            #expect(faulty.output.contains("│  ├─ subscribe (sink): growing by 1 a run [1 1]\n"))
            #expect(
                faulty.output.contains(
                    "├─ and with it SubjectSubscription (disposable): 1 a run, map<Int> (sink): 1 a run\n"))
            #expect(faulty.verdict == "1 round trip: 1 leaking (fixture/reactive/leak).")
            let clean = try Tool.fixture("leaks", "fixture/reactive/clean")
            #expect(clean.code == 0)
            #expect(
                clean.output == """
                    fixture/reactive/clean: clean, after 23 runs
                    └─ looked at: resources of Rx; the bytes of the heap that the thread of the runs has taken; \
                    the elements of collections
                    1 round trip: 1 without growth.

                    """)
        }

        @Test func `JSON holds a record for each benchmark and the verdict goes to standard error`() throws {
            let result = try Tool.fixture("leaks", "fixture/reactive", "--maximum-runs", "20", "--json")
            #expect(result.code == 1)
            let records = try records(result.output)
            #expect(records.map(\.name) == ["fixture/reactive/leak", "fixture/reactive/clean"])
            #expect(records.map(\.outcome) == [.found, .clean])
            #expect(records.map(\.runs) == [23, 23])
            #expect(result.errors.contains("\n2 round trips: 1 leaking (fixture/reactive/leak), 1 without growth.\n"))
        }

        @Test func `a benchmark that fails ends with exit code 3 and its reason, and the others continue`() throws {
            let result = try Tool.fixture(
                "leaks", "tag:fault", "fixture/hang/forever", "fixture/reactive/clean", "--timeout", "5", "--json")
            #expect(result.code == 3)
            let failures = Dictionary(uniqueKeysWithValues: try records(result.output).map { ($0.name, $0.failure) })
            #expect(failures["fixture/fail/set-up"] == "Its set-up threw 'planted'.")
            #expect(failures["fixture/fail/iteration"] == "An iteration threw 'planted'.")
            #expect(failures["fixture/fail/check"] == "Its check found a wrong result after the first iteration.")
            #expect(failures["fixture/fail/tiring"] == "Its check expected 1000 and got 0 after the last iteration.")
            #expect(failures["fixture/fail/exit"] == "Its process exited with code 7.")
            #expect(failures["fixture/fail/crash"] == "Its process crashed with signal 6.")
            #expect(failures["fixture/hang/forever"] == "Its process did not end within 5 s; '--timeout' allows more.")
            #expect(failures["fixture/reactive/clean"] == .some(nil))
        }

        @Test func `files for other tools are written, and a baseline lets the leak pass until its day`() throws {
            let folder = try TemporaryFolder()
            func path(_ name: String) -> String { "\(folder.path)/\(name)" }
            let first = try Tool.fixture(
                "leaks", "fixture/reactive", "--maximum-runs", "20", "--junit", path("leaks.xml"), "--sarif",
                path("leaks.sarif"), "--baseline", path("known.json"), "--until", "2999-12-31", "--because",
                "Planted.")
            #expect(first.code == 1)
            #expect(folder.files == ["known.json", "leaks.sarif", "leaks.xml"])
            #expect(try String(contentsOfFile: path("leaks.xml"), encoding: .utf8).contains("<failure message=\""))
            let allowed = try Tool.fixture(
                "leaks", "fixture/reactive", "--maximum-runs", "20", "--allow", path("known.json"))
            #expect(allowed.code == 0)
            #expect(allowed.output.contains("fixture/reactive/leak: leaks as allowed, after 23 runs\n"))
            #expect(allowed.verdict == "2 round trips: 1 allowed to leak (fixture/reactive/leak), 1 without growth.")
        }

        @Test func `a report heads a leak as the search does: how it is held, and what to change`() throws {
            let folder = try TemporaryFolder()
            let leaks = try folder.write(
                Tool.fixture("leaks", "fixture/reactive/leak", "--json").output, to: "leaks.json")
            let result = try folder.write(
                Tool.fixture("run", "fixture/reactive/clean", "--exact-only", "--json", "--no-store").output,
                to: "result.json")
            let report = try Tool.fixture("report", result, "--leaks", leaks, "--output", "-")
            #expect(
                report.output.contains("<code>fixture/reactive/leak</code> leaks: subscribe, held by "),
                "\(report.errors)")
        }

        @Test func `an entry that matches nothing any more, or has expired, is reported`() throws {
            let folder = try TemporaryFolder()
            let list = try folder.write(
                """
                [{"type": "Gone", "in": "fixture/reactive/clean", "until": "2999-12-31", "because": "Mended since."},
                 {"type": "*", "in": "fixture/reactive/leak", "until": "2020-01-01", "because": "Too long ago."}]
                """, to: "known.json")
            let result = try Tool.fixture("leaks", "fixture/reactive", "--maximum-runs", "20", "--allow", list)
            #expect(result.code == 1)
            #expect(
                result.errors.contains(
                    """
                    Warning: known.json, entry 1: 'type \"Gone\" in \"fixture/reactive/clean\" until 2999-12-31 \
                    because \"Mended since.\"' matches no leak any more. Remove it.\n
                    """
                ))
            #expect(result.errors.contains("Warning: known.json, entry 2: "))
            #expect(result.verdict.hasSuffix(", 2 stale allowances."))
        }

        @Test func `an interruption ends the workers and leaves with the signal's code`() throws {
            let result = try Tool.fixture("leaks", "fixture/hang/interrupt")
            #expect(result.code == 128 + 15)
            #expect(result.errors.contains("Interrupted: the workers have ended.\n"))
        }
    #else
        @Test func `a build that does not trace says so, with the command to type`() throws {
            let result = try Tool.fixture("leaks")
            #expect(result.code == 64)
            #expect(
                result.sentence == """
                    Error: This build does not trace resources, so nothing can be seen of leaks. Type \
                    'swift run -c release --traits TRACE_RESOURCES RxBenchFixture leaks', or use a debug build.
                    """)
        }
    #endif

    @Test(arguments: [
        (["--runs", "3"], "'--runs 3' is not between 16 and 10000."),
        (["--maximum-runs", "19"], "'--maximum-runs 19' is not between '--runs' and 100000."),
        (["--timeout", "0"], "'--timeout 0.0' is not between 0 and 86400 seconds."),
        (["--until", "2027-02-30"], "'--until 2027-02-30' is no day. Write it as in '--until 2027-01-31'."),
        (["--because", "x"], "'--until' and '--because' belong to '--baseline'. Add it, or leave them out."),
        (
            ["--baseline", "x"],
            "A baseline needs a reason and a day on which it ends. Add '--because' and '--until 2027-01-31'."
        ),
    ]) func `bad input is refused in one sentence`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", ["leaks"] + arguments, [:])
        #expect(result.code == 64)
        #expect(result.errors.contains("Error: \(sentence)\n"), "\(result.errors)")
    }

    #if DEBUG
        @Test(arguments: [
            (["nowhere"], "No benchmark matches 'nowhere'."),
            (["--allow", "/nowhere/known.json"], "/nowhere/known.json: The file cannot be read as UTF-8 text."),
            (["--sarif", "/nowhere/leaks.sarif"], "'/nowhere/leaks.sarif' is in no folder that can be written to."),
            (["--junit", "/dev/null"], "'/dev/null' is no ordinary file and is not replaced. Name a file."),
        ]) func `files and filters that cannot be used are refused before the search`(
            arguments: [String], sentence: String
        ) throws {
            let result = try Tool.run("RxBenchFixture", ["leaks"] + arguments, [:])
            #expect(result.code == 64)
            #expect(result.sentence.hasPrefix("Error: \(sentence)"), "\(result.errors)")
        }
    #endif
}
