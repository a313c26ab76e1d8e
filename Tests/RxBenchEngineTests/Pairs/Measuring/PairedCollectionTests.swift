import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Figures of a comparison") struct PairedCollectionTests {
    @Test(arguments: PairedQuantity.allCases)
    func `the statistics see a link order once, by the middle of its processes`(quantity: PairedQuantity) {
        var collection = PairedCollection(id: "a", quantity: quantity, layouts: 3)
        for (layout, head) in [(0, 100.0), (2, 150), (0, 120), (0, 110)] {
            let figure = PairFigure(quantity, base: 100, head: head)
            collection.add(PairReply(series: PairSeries(figures: [figure], quadruples: 3)), layout: layout)
        }
        #expect(collection.units == [110, 150].map { PairFigure(quantity, base: 100, head: $0).logRatio })
    }
}
