import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Latencies of a process") struct PairedLatenciesTests {
    /// Durations of 20 µs, multiplied by `head` on that side. A neighbour interrupts the machine during some quadruples
    /// of either side. On head's side, `slowInHundred` durations in a hundred are multiplied by ten.
    private func latencies(
        head: Double = 1, slowInHundred: Double = 0, quadruples: Int = 40, durations: Int = 100, seed: UInt64
    ) -> PairedLatencies {
        var generator = SeededGenerator(seed: seed)
        func recorded(_ factor: Double, slow: Double) -> [LatencyBucket] {
            let isTaken = Int.random(in: 0..<8, using: &generator) == 0
            return (0..<durations).map { _ in
                var nanoseconds = 20_000 * factor * Double.random(in: 1...1.2, using: &generator)
                if Double.random(in: 0..<100, using: &generator) < slow { nanoseconds *= 10 }
                if isTaken, Int.random(in: 0..<5, using: &generator) == 0 { nanoseconds += 400_000 }
                return LatencyBucket(nanoseconds: UInt64(nanoseconds), count: 1)
            }
        }
        var latencies = PairedLatencies()
        for _ in 0..<quadruples { latencies.add(base: recorded(1, slow: 0), head: recorded(head, slow: slowInHundred)) }
        return latencies
    }

    private func logRatios(_ latencies: PairedLatencies) -> [PairedQuantity: Double] {
        Dictionary(uniqueKeysWithValues: latencies.figures.map { ($0.quantity, $0.logRatio) })
    }

    @Test(arguments: [1.0, 1.05, 0.8])
    func `a neighbour that takes the machine away moves no quantile`(ratio: Double) {
        for seed in 0..<100 as Range<UInt64> {
            let found = logRatios(latencies(head: ratio, seed: seed))
            #expect(abs((found[.latencyP50] ?? 9) - log(ratio)) < 0.03)
            #expect(abs((found[.latencyP99] ?? 9) - log(ratio)) < 0.03)
        }
    }

    @Test func `a tail of three in a hundred moves the p99 alone`() {
        for seed in 0..<100 as Range<UInt64> {
            let found = logRatios(latencies(slowInHundred: 3, seed: seed))
            #expect(abs(found[.latencyP50] ?? 9) < 0.03)
            #expect((found[.latencyP99] ?? 0) > 2)
        }
    }

    @Test func `levels are those of all durations, and agree with the ratio`() throws {
        let figure = try #require(latencies(head: 1.5, seed: 1).figures.first { $0.quantity == .latencyP50 })
        #expect(abs(figure.head / figure.base - exp(figure.logRatio)) < 1e-9)
        #expect(21_000...24_000 ~= figure.base)
    }

    @Test func `quadruples of few durations make a block together, and too few for one are compared all the same`() {
        #expect(abs((logRatios(latencies(head: 2, durations: 7, seed: 1))[.latencyP50] ?? 9) - log(2)) < 0.1)
        let few = logRatios(latencies(head: 2, quadruples: 3, durations: 7, seed: 1))
        #expect(abs((few[.latencyP50] ?? 9) - log(2)) < 0.2)
        #expect(few.keys.contains(.latencyP99))
    }

    @Test func `a side that records nothing is named`() {
        let duration = [LatencyBucket(nanoseconds: 1, count: 1)]
        var latencies = PairedLatencies()
        latencies.add(base: duration, head: [])
        #expect(latencies.silentSide == .head)
        #expect(latencies.figures.isEmpty)
        latencies.add(base: [], head: duration)
        #expect(latencies.silentSide == nil)
    }
}
