import Foundation
import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("Export of a hostile file") struct HostileExportTests {
    private static let texts = [
        "", "?", "a?b", "a/b?c", "a/b?c=", "Übung/ß", "a b\tc", "\"", "\\", "\r\n", "a,b;c", "{}=\u{0}", "\u{2028}/x",
        "# EOF", "=1+1",
    ]
    private static let numbers: [Double] = [0, -1, 1e308, -1e308, .leastNonzeroMagnitude, 1e15, 0.1]

    /// Returns a valid result in the stored format, with random texts and extreme numbers.
    private func result(_ generator: inout SeededGenerator) throws -> RunResult {
        func text() -> String { Self.texts.randomElement(using: &generator)! }
        func number() -> Double { Self.numbers.randomElement(using: &generator)! }
        let benchmarks: [[String: Any]] = (0..<4).map { _ in
            let metrics: [[String: Any]] = ["time", "allocations", "time", text()].map { name in
                [
                    "name": name,
                    "unit": ["ns/operation", "count/iteration", text()].randomElement(using: &generator)!,
                    "kind": ["exact", "sampled"].randomElement(using: &generator)!, "value": number(),
                    "isStable": Bool.random(using: &generator),
                    "values": (0..<Int.random(in: 0...4, using: &generator)).map { _ in number() },
                    "interval": ["low": number(), "high": number(), "confidence": number()],
                    "quantiles": [text(): number(), "0.999": number()],
                ]
            }
            return [
                "id": text(), "decides": text(), "tags": [],
                "operations": [0, -1, 1, Int.max].randomElement(using: &generator)!, "metrics": metrics,
                "outcomes": [["label": text(), "expectation": "acceptable", "count": 1]],
            ]
        }
        let data = Data(ExportSamples.result([]).encoded())
        var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        // A result with a duplicate ID is refused.
        var seen: Set<String> = []
        object["benchmarks"] = benchmarks.filter { seen.insert($0["id"] as? String ?? "").inserted }
        return try RunResult.decoded(from: Array(JSONSerialization.data(withJSONObject: object)), name: "hostile")
    }

    @Test func `every format stays within its grammar`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<100 {
            let result = try result(&generator)
            let note: Comment = "seed \(seed), round \(round)"
            #expect(GoBenchmarkGrammar.problems(in: BenchstatFormat().document(of: [result])) == [], note)
            let rows = CSVGrammar.rows(CSVFormat().document(of: [result]))
            #expect(rows?.allSatisfy { $0.count == CSVFormat.columns.count } == true, note)
            #expect(throws: Never.self, note) {
                try JSONSerialization.jsonObject(with: Data(GoogleBenchmarkFormat().document(of: [result]).utf8))
            }
        }
    }
}
