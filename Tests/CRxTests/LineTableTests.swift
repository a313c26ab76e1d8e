import CRxTrace
import Foundation
import Testing

struct LineTableTests {
    @Test(arguments: LineFixture.all)
    func everyInstruction_hasItsFunctionsAndPlaces(fixture: LineFixture) throws {
        let sections = LineSections(fixture.bytes)
        let table = try #require(rxtrace_line_table_make([sections.sections]))
        defer { rxtrace_line_table_free(table) }
        for (addresses, text) in fixture.expected {
            // The outermost function's name comes from the symbol table.
            let outermost = String(text.components(separatedBy: " < ").last!.prefix { $0 != " " })
            for address in addresses {
                #expect(
                    LineSections.text(table, address, outermost: outermost) == text, "0x\(String(address, radix: 16))")
            }
        }
        let end = fixture.expected.map(\.addresses.upperBound).max()!
        for outside in [0, 1, end, end + 4096, .max] {
            #expect(LineSections.text(table, outside, outermost: "") == nil)
        }
    }

    @Test func droppedFunction_isLeftOut() throws {
        let sections = LineSections(LineFixture.five.bytes)
        let table = try #require(rxtrace_line_table_make([sections.sections]))
        defer { rxtrace_line_table_free(table) }
        // Four functions are kept, and `dropped` is not.
        #expect(rxtrace_line_table_count(table) == 4)
        for index in 0..<4 {
            var low: UInt64 = 0
            var high: UInt64 = 0
            rxtrace_line_table_range(table, index, &low, &high)
            #expect(low > 0 && high > low)
        }
    }

    @Test(arguments: LineFixture.all)
    func linesAlone_areEnoughForLines(fixture: LineFixture) throws {
        let sections = LineSections(fixture.bytes.filter { ["line", "lineStr"].contains($0.key) })
        let table = try #require(rxtrace_line_table_make([sections.sections]))
        defer { rxtrace_line_table_free(table) }
        for (addresses, text) in fixture.expected {
            let innermost = text.components(separatedBy: " < ").first!
            let found = try #require(
                LineSections.text(table, addresses.lowerBound, outermost: String(innermost.prefix { $0 != " " })))
            #expect(found.split { " /".contains($0) }.last == innermost.split { " /".contains($0) }.last)
        }
    }

    @Test func nothing_isNoTable() {
        #expect(rxtrace_line_table_make([rxtrace_line_sections()]) == nil)
        let zeros = LineSections(["line": Array(repeating: 0, count: 64)])
        #expect(rxtrace_line_table_make([zeros.sections]) == nil)
        let ones = LineSections(["line": Array(repeating: 0xFF, count: 64)])
        #expect(rxtrace_line_table_make([ones.sections]) == nil)
    }
}
