import Foundation
import Testing

@testable import RxBench

@Suite("rxbench explain", .serialized) struct ExplainCommandTests {
    private struct Document: Decodable {
        struct Step: Decodable {
            let name: String
            let nanoseconds, addedNanoseconds, addedAllocations, addedSubscribingAllocations, addedInstructions: Double?
        }
        let steps: [Step]
    }

    @Test func `a chain of known costs is taken apart`() throws {
        let result = try Tool.fixture("explain", "fixture/stages/known", "--time", "2", "--processes", "6", "--json")
        #expect(result.code == 0, "\(result.errors)")
        let steps = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8)).steps
        #expect(steps.map(\.name) == ["short", "long"])
        #expect(steps.map(\.addedAllocations) == [0, 0.002])
        #expect(steps.map(\.addedSubscribingAllocations) == [3, 2])
        let (short, long) = (try #require(steps[0].nanoseconds), try #require(steps[1].addedNanoseconds))
        #expect((4...20).contains(long / short))
        #expect(result.sentence.split(separator: "\n").last?.contains("'long' adds the most") == true)
    }

    @Test func `a benchmark without stages is refused with those that have some`() throws {
        let result = try Tool.fixture("explain", "fixture/loop/short")
        #expect(result.code == 64)
        #expect(
            result.sentence == """
                Error: 'fixture/loop/short' has no stages, so that nothing can be grown. Give 'stages:' in its \
                definition. \
                Those that have: 'fixture/stages/known'.
                """)
    }

    @Test(.enabled(if: ChildProcess.find("valgrind") != nil, "valgrind is not installed"))
    func `an interrupt while stacks are collected keeps the table, says so and leaves no file behind`() throws {
        let folder = try TemporaryFolder()
        let temporary = "\(folder.path)/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        // Sent as soon as the table, which comes before the stacks, has reached its reader and callgrind's folder is
        // there.
        let line = """
            "$0" explain fixture/stages/known --time 0.2 --processes 1 --folded '\(folder.path)/stacks.folded' \
            >'\(folder.path)/table.text' & tool=$!
            while [ ! -s '\(folder.path)/table.text' ] || [ -z "$(find "$TMPDIR" -name 'counts-*' -o -name 'vgdb-*' | \
            head -n 1)" ]; do
                kill -0 $tool || exit 99; sleep 0.02
            done
            kill -INT $tool; wait $tool; echo "code $?"
            """
        let child = try ChildProcess(
            executable: "/bin/bash", arguments: ["-m", "-c", line, Tool.path("RxBenchFixture")],
            environment: ["TMPDIR": temporary])
        let result = try child.wait(timeoutSeconds: 120)
        #expect(String(decoding: result.output, as: UTF8.self) == "code 130\n", "\(result.complaints)")
        #expect(result.complaints.hasSuffix("Interrupted: no stacks were written.\n"))
        #expect(try String(contentsOfFile: "\(folder.path)/table.text", encoding: .utf8).hasPrefix("stage "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/stacks.folded"))
    }

    @Test func `too few processes judge nothing, and a file that cannot be written is refused first`() throws {
        let result = try Tool.fixture(
            "explain", "fixture/stages/known", "--time", "0.5", "--processes", "2", "--markdown")
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            result.output.hasPrefix(
                "| stage | time/op | adds | [low high] | waterfall | allocs/op | subscribe | allocs/subscribe |\n"))
        #expect(
            result.output.contains(
                "a confidence of 50.0 %, which is too little to judge by; measure with more '--processes'."))
        #expect(result.verdict.contains("no stage clearly adds something"))
        let refused = try Tool.fixture("explain", "fixture/stages/known", "--folded", "/nowhere/at/all")
        #expect(refused.code == 64)
        #expect(
            refused.sentence
                == """
                Error: '/nowhere/at/all' cannot be written: No such file or directory. Name another file with \
                '--folded'.
                """
        )
    }

    @Test(.enabled(if: ChildProcess.find("valgrind") != nil, "valgrind is not installed"))
    func `folded stacks hold the instructions of the whole`() throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/stacks.folded"
        let result = try Tool.fixture(
            "explain", "fixture/stages/known", "--time", "0.2", "--processes", "1", "--json", "--folded", file)
        #expect(result.code == 0)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let total = lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
        // The loop of ten thousand steps and what surrounds it.
        #expect(total > 10_000)
        func instructions(_ stage: String) -> Double {
            lines.filter { $0.hasPrefix("\(stage);") }.compactMap {
                $0.split(separator: " ").last.flatMap { Double($0) }
            }.reduce(0, +)
        }
        // What 'long' adds is several times what 'short' costs, and every line belongs to one of them.
        #expect(instructions("long") > 4 * instructions("short") && instructions("short") > 0)
        #expect(instructions("long") + instructions("short") == total)
        #expect(lines.contains { $0.contains("RxBenchFixture") })
    }
}

@Suite("Files of callgrind's") struct CallgrindFileTests {
    @Test func `own costs are added up by context, and callees' are left out`() {
        let file = CallgrindFile(
            """
            events: Ir
            fn=(1) inner'middle'outer
            10 5
            11 7
            calls=1 0
            12 1000
            13 1
            fn=(2) middle'outer
            +3 2
            cfn=(1)
            calls=2 0
            4 13
            fn=(1)
            5 100
            totals: 115
            """)
        #expect(file.costs == ["inner'middle'outer": 113, "middle'outer": 2])
        #expect(file.folded == "outer;middle 2\nouter;middle;inner 113\n")
    }

    @Test func `callgrind goes before perf, and without either the remedy is said`() {
        #expect(FoldedStacks.Means.choose(valgrind: "/v", perf: "/p") == .value(.callgrind(valgrind: "/v")))
        #expect(FoldedStacks.Means.choose(valgrind: nil, perf: "/p") == .value(.perf("/p")))
        #expect(
            FoldedStacks.Means.choose(valgrind: nil, perf: nil)
                == .unavailable("neither valgrind nor perf is installed; install one ('apt-get install valgrind')"))
    }

    @Test func `samples of perf's are added up by stack, outermost first`() {
        let script = PerfScript(
            """

            \t    7f01 $sSi1poiyS2i_SitFZ
            \t    7f02 run
            \t    7f03 main

            \t    7f01 $sSi1poiyS2i_SitFZ
            \t    7f02 run
            \t    7f03 main

            \t    7f04
            \t    7f03 main
            """)
        let plus = "static Swift.Int.+ infix(Swift.Int, Swift.Int) -> Swift.Int"
        #expect(script.folded == "main;[unknown] 1\nmain;run;\(plus) 2\n")
        #expect(PerfScript("").folded == "")
    }

    @Test(.enabled(if: canRecord, "perf cannot record here"))
    func `perf sees where a planted stage spends its time`() throws {
        let recording = PerfRecording(
            perf: try #require(ChildProcess.find("perf")), executable: Tool.path("RxBenchFixture"), timeoutSeconds: 120)
        let benchmark = Benchmark("fixture/loop/long", decides: "Nothing.") { Workload {} }
        guard case .value(let text) = try recording.stacks(of: benchmark) else { throw Missing() }
        #expect(
            text.split(separator: "\n").contains { $0.contains("RxBenchFixture") || $0.contains("RxBench.") },
            "\(text.prefix(2_000))")
        guard
            case .unavailable(let reason) = try recording.stacks(
                of: Benchmark("fixture/none/x", decides: "Nothing.") { Workload {} })
        else { return }
        #expect(!reason.isEmpty)
    }

    private struct Missing: Error {}
    private static let canRecord: Bool = {
        guard let perf = ChildProcess.find("perf"),
            let child = try? ChildProcess(
                executable: perf,
                arguments: ["record", "--quiet", "--event", "cpu-clock", "--output", "/dev/null", "--", "/bin/true"]),
            let result = try? child.wait(timeoutSeconds: 60)
        else { return false }
        return result.ending == .exited(0)
    }()

    @Test func `names of Swift's are demangled, and a stack keeps its separators`() {
        #expect(
            Demangler.readable("$sSi1poiyS2i_SitFZ") == "static Swift.Int.+ infix(Swift.Int, Swift.Int) -> Swift.Int")
        #expect(Demangler.readable("main") == "main")
    }
}
