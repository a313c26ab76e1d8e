import Foundation
import RxBench
import Testing

@testable import RxBenchCommands

@Suite("Export to CSV") struct CSVFormatTests {
    @Test func `fields with commas, quotes and line ends are quoted, others are not`() {
        #expect(CSVFormat.field("plain") == "plain")
        #expect(CSVFormat.field("a,b") == "\"a,b\"")
        #expect(CSVFormat.field("say \"so\"") == "\"say \"\"so\"\"\"")
        #expect(CSVFormat.field("a\r\nb") == "\"a\r\nb\"")
        #expect(CSVFormat.field("a\nb") == "\"a\nb\"")
    }

    @Test func `each metric, outcome and failure has a row, and what does not exist is empty`() throws {
        let rows = try #require(CSVGrammar.rows(CSVFormat().document(of: [ExportSamples.result()])))
        #expect(rows.first == CSVFormat.columns)
        #expect(rows.allSatisfy { $0.count == CSVFormat.columns.count })
        let run = ["2026-03-15T12:00:00Z", "0123456789abcdef", "true", "linux-test-2c", "release", "false"]
        let id = "operator/merge/sync?sources=8&kind=hot"
        #expect(rows.count == 1 + 6 + 2 + 1)
        #expect(Array(rows[1].prefix(8)) == [id, "time", "ns/operation", "sampled", "21.0", "20.0", "22.0", "0.75"])
        #expect(
            rows[2] == [
                id, "allocations", "count/iteration", "exact", "4.0", "", "", "", "", "true", "", "4.0 4.0", "10", "",
            ] + run)
        #expect(
            rows[4]
                == [
                    id, "liveResources", "count/iteration", "exact", "", "", "", "", "", "", "", "", "10",
                    "unavailable: planted \"reason\",\nwith a \\",
                ] + run)
        #expect(
            rows[7] == [
                id, "saw \"a, b\"\nthen \\", "rounds", "outcome", "3", "", "", "", "", "", "", "", "10", "interesting",
            ] + run)
        #expect(
            rows[9] == [
                "operator/failed", "", "", "failure", "", "", "", "", "", "", "", "", "10", "It failed, \"badly\".",
            ] + run)
    }

    @Test func `several results are one table`() throws {
        let one = try #require(CSVGrammar.rows(CSVFormat().document(of: [ExportSamples.result()])))
        let two = try #require(
            CSVGrammar.rows(CSVFormat().document(of: [ExportSamples.result(), ExportSamples.result()])))
        #expect(two == one + one.dropFirst())
    }

    @Test func `the grammar refuses a bare quote, an open quote and a bare line feed`() {
        #expect(CSVGrammar.rows("a,b\r\n\"c\r\n\"\"\",d\r\n") == [["a", "b"], ["c\r\n\"", "d"]])
        #expect(CSVGrammar.rows("a\"b\r\n") == nil)
        #expect(CSVGrammar.rows("\"a\r\n") == nil)
        #expect(CSVGrammar.rows("a\nb\r\n") == nil)
        #expect(CSVGrammar.rows("\"a\"b\r\n") == nil)
    }
}

/// The grammar of RFC 4180, section 2, applied strictly. Any other text gives `nil`.
enum CSVGrammar {
    static func rows(_ text: String) -> [[String]]? {
        var rows: [[String]] = []
        var row: [String] = []
        var rest = Array(text.unicodeScalars)[...]
        while !rest.isEmpty {
            guard let field = rest.first == "\"" ? quoted(&rest) : plain(&rest) else { return nil }
            row.append(field)
            if rest.first == "," {
                rest.removeFirst()
            } else {
                guard rest.starts(with: ["\r", "\n"]) else { return nil }
                rest.removeFirst(2)
                rows.append(row)
                row = []
            }
        }
        return row.isEmpty ? rows : nil
    }

    private static func plain(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
        let field = rest.prefix { !",\"\r\n".unicodeScalars.contains($0) }
        rest.removeFirst(field.count)
        return string(field)
    }

    private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
        var field: [Unicode.Scalar] = []
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            guard scalar == "\"" else {
                field.append(scalar)
                continue
            }
            guard rest.first == "\"" else { return string(field[...]) }
            field.append("\"")
            rest.removeFirst()
        }
        return nil
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
