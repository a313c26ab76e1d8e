import Foundation
import Testing

@testable import RxBenchEngine

@Suite("Noise floor") struct NoiseFloorTests {
    /// Process medians around `middle`, normal with the relative deviation `spread`.
    private func medians(_ count: Int, middle: Double, spread: Double, _ generator: inout SeededGenerator) -> [Double] {
        (0..<count).map { _ in
            // Box, Muller, "A Note on the Generation of Random Normal Deviates" (1958).
            let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude...1, using: &generator))).squareRoot()
            return middle * (1 + spread * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator)))
        }
    }

    @Test func `the interval covers the true effect as often as it says`() throws {
        let seed: UInt64 = 20_261_121
        print("Seed \(seed).")
        var generator = SeededGenerator(seed: seed)
        // The ratio of two normal values of small deviation is nearly normal with √2 times that deviation, so that the
        // truth is known.
        let dominance = try #require(DetectableEffect.neededDominance(processes: 15))
        let truth = 2.0.squareRoot() * 0.02 * NormalDistribution.quantile(dominance)
        var covered = 0
        for _ in 0..<300 {
            let floor = try #require(
                NoiseFloor(
                    first: medians(25, middle: 7, spread: 0.02, &generator),
                    second: medians(25, middle: 7, spread: 0.02, &generator), processes: 15))
            if floor.interval.low <= truth, truth <= floor.interval.high { covered += 1 }
        }
        #expect((279...300).contains(covered), "\(covered) of 300")
    }

    @Test func `identical sides are told apart in about one case of a hundred, and shifted ones always`() throws {
        let seed: UInt64 = 7
        print("Seed \(seed).")
        var generator = SeededGenerator(seed: seed)
        var falseAlarms = 0
        var found = 0
        for _ in 0..<150 {
            let side = medians(25, middle: 5, spread: 0.01, &generator)
            let twin = medians(25, middle: 5, spread: 0.01, &generator)
            let shifted = medians(25, middle: 5.15, spread: 0.01, &generator)
            if try #require(NoiseFloor(first: side, second: twin, processes: 15)).sidesDiffer { falseAlarms += 1 }
            if try #require(NoiseFloor(first: side, second: shifted, processes: 15)).sidesDiffer { found += 1 }
        }
        #expect(falseAlarms <= 6)
        #expect(found == 150)
    }

    @Test func `four times the processes see about half of the effect`() throws {
        let side = (0..<20).map { 100 + Double($0 * 7 % 20) / 10 }
        let few = try #require(NoiseFloor(first: side, second: side, processes: 20))
        let many = try #require(NoiseFloor(first: side, second: side, processes: 80))
        #expect(few.detectable == DetectableEffect.relative(ofSides: [side, side], processes: 20))
        #expect((1.8...2.4).contains(few.detectable / many.detectable))
        #expect(few.processes(toSee: few.detectable / 2) == 80)
    }

    @Test func `two processes a side cannot tell, nor can a median of 0`() {
        #expect(NoiseFloor(first: [1, 2], second: [1, 2, 3], processes: 15) == nil)
        #expect(NoiseFloor(first: [0, 0, 0], second: [1, 2, 3], processes: 15) == nil)
        #expect(NoiseFloor(first: [1, 2, 3], second: [1, 2, 3], processes: 6) == nil)
    }
}
