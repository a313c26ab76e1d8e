import CRxTrace
import Foundation
import Testing

/// Real debug information with a few wrong bytes, or truncated: a lookup may fail, but never reads beyond the end.
///
/// `LINES_FUZZ_ROUNDS` sets the number of rounds (2000 for each library); `LINES_FUZZ_SEED` repeats a run.
struct LineTableFuzzTests {
    private static func environment(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    @Test(arguments: LineFixture.all)
    func wrongBytes_areSurvived(fixture: LineFixture) {
        let seed = Self.environment("LINES_FUZZ_SEED") ?? .random(in: 0...(.max))
        let rounds = Self.environment("LINES_FUZZ_ROUNDS") ?? 2000
        print("\(fixture): LINES_FUZZ_SEED=\(seed)")
        var state = seed
        func below(_ limit: Int) -> Int {
            // Knuth, "The Art of Computer Programming", volume 2, section 3.3.4, table 1, line 26: the multiplier of
            // MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let original = fixture.bytes
        let names = original.keys.sorted()
        let answers = answers(original, fixture)
        var changed = 0
        for _ in 0..<rounds {
            var bytes = original
            for _ in 0...below(4) {
                // Half of the changes are made in the line programs.
                let name = below(2) == 0 ? "line" : names[below(names.count)]
                guard let count = bytes[name]?.count, count > 0 else { continue }
                if below(8) == 0 {
                    bytes[name] = Array(bytes[name]!.prefix(below(count)))
                } else {
                    bytes[name]![below(count)] = UInt8(below(256))
                }
            }
            if self.answers(bytes, fixture) != answers { changed += 1 }
        }
        #expect(answers.contains { $0 != nil })
        #expect(changed > Int(rounds) / 10, "the bytes matter")
    }

    private func answers(_ bytes: [String: [UInt8]], _ fixture: LineFixture) -> [String?] {
        let sections = LineSections(bytes)
        guard let table = rxtrace_line_table_make([sections.sections]) else { return [] }
        defer { rxtrace_line_table_free(table) }
        return fixture.expected.map { LineSections.text(table, $0.addresses.lowerBound, outermost: "") }
    }
}
