import Foundation
import RxBench
import Testing

@Suite("Mutated result files") struct MutationTests {
    @Test func `none of a thousand ends the process, and each that is refused is refused in a sentence`() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.fixture(
            "run", "fixture/latency/known", "fixture/race/add", "fixture/loop/long", "fixture/fail/check", "--json",
            "--no-store", "--time", "0.1",
            "--processes", "2")
        let file = try folder.write(run.output, to: "original.json")
        let seed = UInt32.random(in: 0 ... .max)
        let result = try Tool.fixture("mutate", file, "1000", "\(seed)")
        #expect(result.code == 0, "seed \(seed): \(result.errors.suffix(2_000))")
        #expect(result.output.hasPrefix("1000 mutants of seed \(seed): "))
    }
}
