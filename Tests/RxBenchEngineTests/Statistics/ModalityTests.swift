import Testing

@testable import RxBenchEngine

@Suite("Modality") struct ModalityTests {
    private static func normal(_ generator: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
    }

    @Test func `values at even distances have the smallest dip there is`() {
        #expect(abs(Modality.dip(of: (0..<10).map(Double.init)) - 0.05) < 1e-12)
    }

    @Test func `two heaps of equal size have nearly the largest dip`() {
        let heap: [Double] = (0..<50).map { Double($0) * 1e-6 }
        let values: [Double] = heap + heap.map { $0 + 1 }
        #expect(abs(Modality.dip(of: values) - 0.25) < 0.01)
    }

    @Test func `equal values have one mode`() {
        #expect(!Modality.isMultimodal(Array(repeating: 3, count: 40)))
    }

    @Test(arguments: [8, 16, 40]) func `uniform samples are rarely called multimodal`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        let alarms = (0..<300).count { _ in
            Modality.isMultimodal((0..<count).map { _ in Double.random(in: 0..<1, using: &generator) })
        }
        // 1 % of 300 are 3; nine or more have a probability below 1 %.
        #expect(alarms <= 8)
    }

    @Test func `two levels that processes fall into are seen, one with noise is not`() {
        var generator = SeededGenerator(seed: 2)
        let found = (0..<40).count { _ in
            let values: [Double] = (0..<60).map { index in
                let level = index.isMultiple(of: 2) ? 0.08 : 0
                return level + 0.01 * Self.normal(&generator)
            }
            return Modality.isMultimodal(values)
        }
        let falseAlarms = (0..<60).count { _ in Modality.isMultimodal((0..<60).map { _ in Self.normal(&generator) }) }
        #expect(found >= 38)
        #expect(falseAlarms <= 3)
    }
}

@Suite("Drift") struct DriftTests {
    @Test func `a planted rise is seen, an order by chance is not`() {
        var generator = SeededGenerator(seed: 4)
        let rising = (0..<40).map { Double($0) * 0.05 + Double.random(in: 0..<1, using: &generator) }
        #expect(Drift.probability(of: rising) < 0.001)
        #expect(Drift.probability(of: rising.reversed()) < 0.001)
        let alarms = (0..<1_000).count { _ in
            Drift.probability(of: (0..<20).map { _ in Double.random(in: 0..<1, using: &generator) }) < 0.01
        }
        #expect(alarms >= 2 && alarms <= 20)
    }

    @Test func `equal values and few values do not drift`() {
        #expect(Drift.probability(of: Array(repeating: 1, count: 20)) == 1)
        #expect(Drift.probability(of: [1, 2, 3, 4, 5, 6, 7]) == 1)
    }
}

@Suite("Outliers") struct OutliersTests {
    @Test func `values beyond the fences are counted on both sides`() {
        #expect(Outliers.count(in: [-9, 1, 2, 3, 4, 5, 6, 7, 30]) == 2)
    }

    @Test func `few values have no outliers`() {
        #expect(Outliers.count(in: [1, 2, 300]) == 0)
    }

    @Test func `two heaps are two levels with their shares, three are three, and one is one`() {
        func heap(_ center: Double, _ count: Int) -> [Double] { (0..<count).map { center + Double($0) * 1e-3 } }
        let two = Modality.levels(of: heap(140, 10) + heap(100, 30), resolution: 0.005)
        #expect(two.map(\.share) == [0.75, 0.25])
        #expect(two.map { $0.value.rounded() } == [100, 140])
        let three = Modality.levels(of: heap(100, 20) + heap(140, 20) + heap(200, 20), resolution: 0.005)
        #expect(three.map { $0.value.rounded() } == [100, 140, 200])
        #expect(Modality.levels(of: heap(100, 20), resolution: 0.005).map(\.share) == [1])
        #expect(Modality.levels(of: [], resolution: 0.005) == [])
    }

    @Test func `the ticks of a clock are no levels`() {
        // Of a comparison of equal code on a calm machine: a tick of the clock is 0.02 % of a batch.
        let ticks = [1372.59: 35, 1372.87: 27, 1373.15: 27, 1373.97: 3, 1482.48: 4]
        let times = ticks.flatMap { Array(repeating: $0.key, count: $0.value) }
        #expect(Modality.levels(of: times, resolution: 0).count > 1)
        #expect(Modality.levels(of: times, resolution: 0.005).count == 1)
        let two = Modality.levels(of: times + times.map { $0 * 1.4 }, resolution: 0.005)
        #expect(two.map(\.share) == [0.5, 0.5])
        #expect(two.map { ($0.value / 13.7287).rounded() } == [100, 140])
    }
}
