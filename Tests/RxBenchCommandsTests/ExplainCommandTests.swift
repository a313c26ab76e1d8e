import Foundation
import RxBench
import Testing

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

    @Test func `too few processes judge nothing`() throws {
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
    }
}
