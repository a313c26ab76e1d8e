import Foundation
import RxBench
import Testing

@Suite("Units of metrics") struct MetricUnitTests {
    @Test(
        arguments: [
            ("count", "count", nil), ("bytes/iteration", "bytes", "iteration"), ("ns/operation", "ns", "operation"),
            ("m/s/s", "m", "s/s"), ("/iteration", "", "iteration"), ("count/", "count", ""), ("", "", nil),
        ] as [(String, String, String?)])
    func `a unit has the text that it is made of`(text: String, quantity: String, base: String?) throws {
        let unit = MetricUnit(text)
        #expect(unit.quantity == quantity)
        #expect(unit.base == base)
        #expect(unit.description == text)
        #expect(unit == MetricUnit(quantity: quantity, base: base))
        let data = try JSONEncoder().encode([unit])
        #expect(try JSONDecoder().decode([String].self, from: data) == [text])
        #expect(try JSONDecoder().decode([MetricUnit].self, from: data) == [unit])
    }
}
