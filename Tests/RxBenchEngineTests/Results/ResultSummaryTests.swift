import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Result summary") struct ResultSummaryTests {
    @Test func `white space, escapes and members of another order make no difference`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Samples.complete.encoded()))
        let spaced = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
        let text = String(decoding: spaced, as: UTF8.self).replacingOccurrences(
            of: "It failed.", with: "It \\u0022failed\\u0022 \\\\ [.")
        let summary = ResultSummary(try RunResult.decoded(from: Array(text.utf8), name: "test"))
        #expect(summary.benchmarks.compactMap(\.failure) == ["It \"failed\" \\ [."])
    }

    @Test func `mutated files never crash, and some are read`() {
        let seed: UInt64 = 17
        var generator = SeededGenerator(seed: seed)
        let original = Samples.complete.encoded()
        var read = 0
        for _ in 0..<2_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(Array("{}[]\",:\\0e-".utf8).randomElement(using: &generator) ?? 0, at: place)
                default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 1...200, using: &generator)))
                }
            }
            if (try? RunResult.decoded(from: bytes, name: "test")) != nil { read += 1 }
        }
        #expect(read > 100 && read < 2_000, "seed \(seed)")
    }

    @Test func `a file that is gone and a folder are unreadable`() {
        let entry = ResultStore.File(machine: "m", stem: "1-a", path: "/nowhere/1-a.json")
        let folder = ResultStore.File(machine: "m", stem: "1-a", path: "/")
        #expect(
            ResultStore.summaries(of: [entry, folder]) == [
                .failure(.unreadable(entry.path)), .failure(.unreadable("/")),
            ])
    }
}

@Suite("Commit history") struct CommitHistoryTests {
    @Test func `places are counted from the oldest`() {
        let history = CommitHistory(["a", "b"])
        #expect(history.position(of: "b") == 1)
        #expect(history.position(of: "c") == nil)
    }

    @Test func `a folder outside of any repository has none`() {
        #expect(CommitHistory.current(in: URL(fileURLWithPath: "/")).value == nil)
    }
}
