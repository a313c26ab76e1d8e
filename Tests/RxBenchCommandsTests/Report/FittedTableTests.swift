import Testing

@testable import RxBenchCommands

@Suite("Tables that fit a terminal") struct FittedTableTests {
    private var table: TextTable {
        var table = TextTable([("benchmark", .left), ("time/op", .right), ("MDE", .right), ("allocs/op", .right)])
        table.add(["operator/map", "6.04 ns", "39.7 %", "0"])
        table.add(["operator/chain/map-filter?depth=12&closures=plain", "30.7 ns", "58.7 %", "0"])
        table.add(["operator/chain/mixed?of=a/b", "26.0 ns", "67.8 %", "14"])
        return table
    }

    @Test func `rows stand in groups by family, under their last names`() {
        #expect(
            table.text(fitting: 120) == """
                benchmark                             time/op     MDE  allocs/op
                operator
                  map                                 6.04 ns  39.7 %          0
                operator/chain
                  map-filter?depth=12&closures=plain  30.7 ns  58.7 %          0
                  mixed?of=a/b                        26.0 ns  67.8 %         14
                """)
    }

    @Test func `what is too wide loses spare columns, then the middle of IDs`() {
        let narrow = table.text(fitting: 40, dropping: ["outliers", "MDE"])
        #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 })
        #expect(!narrow.contains("MDE"))
        #expect(narrow.contains("  map-filt…res=plain  30.7 ns"))
        #expect(narrow.contains("  mixed?of=a/b"))
    }

    @Test func `sentences in the last column lose their ends`() {
        var list = TextTable([("Operators", .left), ("decides", .left)])
        list.add(["operator/map", "Whether a stateless operator costs more than the closure it calls."])
        let text = list.text(fitting: 48)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 48 })
        #expect(text.contains("  map"))
        #expect(text.hasSuffix("…"))
    }

    @Test func `an order of one's own has no groups`() {
        #expect(table.text(fitting: 120, isGrouped: false).contains("operator/chain/mixed?of=a/b  "))
    }
}
