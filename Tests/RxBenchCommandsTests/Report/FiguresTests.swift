import RxBench
import RxBenchEngine
import Testing

@testable import RxBenchCommands

@Suite("Figures") struct FiguresTests {
    @Test(arguments: [
        (0, "0"), (1, "1.00"), (2.1349, "2.13"), (9.996, "10.0"), (99.95, "100"), (1234.5, "1235"),
        (0.00014, "0.000140"), (-3.456, "-3.46"),
        (123_456, "123456"),
    ]) func `three significant digits`(value: Double, text: String) {
        #expect(Figures.threeDigits(value) == text)
    }

    @Test(arguments: [(0.31, "0.310 ns"), (2.13, "2.13 ns"), (1500, "1.50 µs"), (2.5e6, "2.50 ms"), (3e9, "3.00 s")])
    func `times in the unit that suits`(value: Double, text: String) {
        #expect(Figures.time(nanoseconds: value) == text)
    }

    @Test(arguments: [(32, "32 B"), (20.5, "20.5 B"), (1536, "1.50 KiB"), (3_145_728, "3.00 MiB")])
    func `bytes in the unit that suits`(value: Double, text: String) {
        #expect(Figures.bytes(value) == text)
    }

    @Test(arguments: [
        (6, 6.001, "6", "6.0010"), (2.0025, 2.005, "2.0025", "2.0050"), (104.4, 108.2, "104.4", "108.2"),
        (0.0005, 0.5, "0.000500", "0.500"),
    ])
    func `two counts have as many digits as tell them apart`(first: Double, second: Double, one: String, other: String)
    {
        let decimals = Figures.decimals(telling: first, from: second)
        #expect(Figures.count(first, decimals: decimals) == one)
        #expect(Figures.count(second, decimals: decimals) == other)
    }

    @Test(arguments: [(0, "0 results", "0 entries"), (1, "1 result", "1 entry"), (2, "2 results", "2 entries")])
    func `one of a thing is one`(count: Int, results: String, entries: String) {
        #expect(Figures.counted(count, "result") == results)
        #expect(Figures.counted(count, "entry", "entries") == entries)
    }

    @Test func `changes are signed`() {
        #expect(Figures.change(ratio: 1.123) == "+12.3 %")
        #expect(Figures.change(ratio: 0.5) == "−50.0 %")
        #expect(Figures.change(ratio: 1) == "+0.0 %")
        #expect(Figures.change(ratio: 3) == "+200 %")
    }

    @Test func `the spread is the larger side of the interval`() {
        #expect(Figures.spread(100, Metric.Interval(low: 99, high: 103, confidence: 0.95)) == "±3.0 %")
        #expect(Figures.spread(100, nil) == "")
    }

    @Test func `durations as a person says them`() {
        #expect(Figures.duration(seconds: 45.4) == "45 s")
        #expect(Figures.duration(seconds: 125) == "2 min 05 s")
    }
}

@Suite("Text table") struct TextTableTests {
    private var table: TextTable {
        var table = TextTable([("name", .left), ("count", .right), ("note", .left)])
        table.add(["a", "1", ""])
        table.add(["longer", "1000", "x|y"])
        return table
    }

    @Test func `columns are aligned and no line ends in a space`() {
        #expect(
            table.text == """
                name    count  note
                a           1
                longer   1000  x|y
                """)
    }

    @Test func `Markdown escapes what would part cells`() {
        #expect(
            table.markdown == """
                | name | count | note |
                | :--- | ---: | :--- |
                | a | 1 |  |
                | longer | 1000 | x\\|y |
                """)
    }

    @Test func `a name cannot move the cursor, break the line or act as Markdown`() {
        var table = TextTable([("name", .left), ("count", .right)])
        table.add(["a\u{1B}[2J\nb\u{9B}\u{202E}", "1"])
        table.add(["`<b>@all", "2"])
        #expect(
            table.text == """
                name       count
                a␛[2J␊b\u{FFFD}\u{FFFD}      1
                `<b>@all       2
                """)
        #expect(
            table.markdown == """
                | name | count |
                | :--- | ---: |
                | a &#91;2J b   | 1 |
                | &#96;&#60;b&#62;&#64;all | 2 |
                """)
        #expect("plain — ü 🙂\ttext\n".printableLines == "plain — ü 🙂\ttext\n")
        #expect("a\tb".printable == "a␉b")
    }

    @Test func `a picture keeps its place in Markdown`() {
        var table = TextTable([("stage", .left), ("waterfall", .picture)])
        table.add(["map", "  ██"])
        table.add(["gone", ""])
        #expect(table.text == "stage  waterfall\nmap      ██\ngone")
        #expect(table.markdown == "| stage | waterfall |\n| :--- | :--- |\n| map | `\u{A0}\u{A0}██` |\n| gone |  |")
    }
}
