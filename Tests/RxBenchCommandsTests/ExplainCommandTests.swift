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
        let result = try Tool.fixture("explain", "fixture/stages/known", "--time", "1", "--processes", "3", "--json")
        #expect(result.code == 0, "\(result.errors)")
        let steps = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8)).steps
        #expect(steps.map(\.name) == ["short", "long"])
        #expect(steps.map(\.addedAllocations) == [0, 2])
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
                Error: 'fixture/loop/short' has no stages, so that nothing can be grown. Give 'stages:' in its definition. \
                Those that have: 'fixture/stages/known'.
                """)
    }

    @Test(.enabled(if: ChildProcess.find("valgrind") != nil, "valgrind is not installed"))
    func `folded stacks hold the instructions of the whole`() throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/stacks.folded"
        let result = try Tool.fixture(
            "explain", "fixture/stages/known", "--time", "0.2", "--processes", "1", "--instructions", "--json", "--folded", file)
        #expect(result.code == 0)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        let total = lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
        // The loop of ten thousand steps and what surrounds it.
        #expect(total > 10_000)
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

    @Test func `names of Swift's are demangled, and a stack keeps its separators`() {
        #expect(Demangler.readable("$sSi1poiyS2i_SitFZ") == "static Swift.Int.+ infix(Swift.Int, Swift.Int) -> Swift.Int")
        #expect(Demangler.readable("main") == "main")
    }
}
