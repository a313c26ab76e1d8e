import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Figure of a process") struct PairedPassTests {
    /// Batches of both sides on a shared machine. It runs at half its speed for most of the time, and interrupts a few
    /// batches for long.
    private func batches(head: Double, seed: UInt64) -> [[Double]] {
        var generator = SeededGenerator(seed: seed)
        var times: [[Double]] = [[], []]
        var speed = 1.0
        for quadruple in 0..<60 {
            for place in quadruple.isMultiple(of: 2) ? [0, 1, 1, 0] : [1, 0, 0, 1] {
                if Int.random(in: 0..<40, using: &generator) == 0 {
                    speed = Int.random(in: 0..<5, using: &generator) == 0 ? 1 : 2
                }
                let interruption = Int.random(in: 0..<15, using: &generator) == 0 ? 3e6 : 0
                let noise = Double.random(in: 1...1.002, using: &generator)
                times[place].append([100_000, head][place] * speed * noise + interruption)
            }
        }
        return times
    }

    @Test(arguments: [1.0, 1.01, 0.9])
    func `a machine that changes its speed changes no ratio`(ratio: Double) {
        for seed in 0..<200 as Range<UInt64> {
            let figure = PairedPass.figure(batches(head: 100_000 * ratio, seed: seed), iterations: 10)
            #expect(abs(figure.logRatio - log(ratio)) < 0.001)
            #expect(abs(figure.head / figure.base - ratio) < 0.001)
            #expect(9_000...20_200 ~= figure.base)
        }
    }

    @Test func `a process goes on for enough quadruples, within limits`() {
        func isEnough(_ quadruples: Int, _ milliseconds: UInt64, budget: UInt64 = 30) -> Bool {
            PairedPass.isEnough(quadruples, after: milliseconds * 1_000_000, budget: budget * 1_000_000)
        }
        #expect(!isEnough(16, 29))
        #expect(isEnough(16, 30))
        #expect(!isEnough(15, 30) && !isEnough(15, 119))
        #expect(isEnough(15, 120))
        #expect(!isEnough(15, 249, budget: 250) && isEnough(15, 250, budget: 250))
        #expect(!isEnough(2, 1_000) && isEnough(3, 1_000))
        #expect(isEnough(20_000, 1))
    }

    @Test func `a clock that saw no time pass makes no ratio that is no number`() {
        #expect(PairedPass.figure([[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]], iterations: 1).logRatio == 0)
    }
}
