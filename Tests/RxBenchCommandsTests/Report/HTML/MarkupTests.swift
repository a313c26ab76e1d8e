import Testing

@testable import RxBenchCommands

@Suite("Markup") struct MarkupTests {
    @Test func `what is interpolated is escaped, once`() {
        let name = "<script>alert('1') & \"2\"</script>"
        let cell: Markup = "<td>\(name)</td>"
        #expect(cell.text == "<td>&lt;script&gt;alert(&#39;1&#39;) &amp; &quot;2&quot;&lt;/script&gt;</td>")
        let row: Markup = "<tr>\(cell)</tr>"
        #expect(row.text == "<tr>\(cell.text)</tr>")
    }

    @Test func `text without special characters stays as it is`() {
        #expect(Markup.escape("operator/map?depth=6 µs × ÷ 😀") == "operator/map?depth=6 µs × ÷ 😀")
    }

    @Test func `control characters, which HTML forbids, are replaced`() {
        #expect(Markup.escape("a\u{0}b\u{1B}c\r\n\td") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}\n\td")
    }
}
