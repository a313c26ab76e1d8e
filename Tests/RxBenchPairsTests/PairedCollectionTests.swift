import Testing

import RxBench
@testable import RxBenchPairs

@Suite("Figures of a comparison") struct PairedCollectionTests {
    @Test func `the statistics see a link order once in a time, and each process in a latency`() {
        func units(_ quantity: PairedQuantity) -> [Double] {
            var collection = PairedCollection(id: "a", quantity: quantity, layouts: 3)
            for (layout, head) in [(0, 100.0), (2, 150), (0, 120), (0, 110)] {
                let figure = PairFigure(quantity, base: 100, head: head)
                collection.add(PairReply(series: PairSeries(figures: [figure], quadruples: 3)), layout: layout)
            }
            return collection.units
        }
        func logRatio(_ head: Double) -> Double { PairFigure(.time, base: 100, head: head).logRatio }
        #expect(units(.time) == [110, 150].map(logRatio))
        #expect(units(.latencyP99) == [100, 150, 120, 110].map(logRatio))
    }
}
