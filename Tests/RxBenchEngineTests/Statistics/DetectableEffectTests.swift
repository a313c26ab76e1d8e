import Foundation
import Testing

@testable import RxBenchEngine

@Suite("Detectable effect") struct DetectableEffectTests {
    enum Noise: CaseIterable {
        case normal, longTailed, twoLevels
    }

    /// `count` process medians about 1.
    private func medians(_ count: Int, _ noise: Noise, _ generator: inout SeededGenerator) -> [Double] {
        (0..<count).map { _ in
            let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude...1, using: &generator))).squareRoot()
            let normal = 1 + 0.02 * radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
            let isOdd = Double.random(in: 0..<1, using: &generator)
            switch noise {
            case .normal: return normal
            case .longTailed:
                return isOdd < 0.2
                    ? normal * (1 - log(Double.random(in: .leastNonzeroMagnitude...1, using: &generator)) / 4) : normal
            case .twoLevels: return isOdd < 0.3 ? normal * 1.9 : normal
            }
        }
    }

    @Test(arguments: Noise.allCases, [15, 31])
    func `a change of the stated size is found about as often as it says, whatever the noise`(
        _ noise: Noise, _ count: Int
    ) throws {
        let seed: UInt64 = 20_261_122
        print("Seed \(seed).")
        var generator = SeededGenerator(seed: seed)
        // The median effect that the runs report, and the number of times that a change of that size is found.
        var effects: [Double] = []
        for _ in 0..<200 {
            effects.append(try #require(DetectableEffect.relative(ofProcessMedians: medians(count, noise, &generator))))
        }
        let effect = try #require(Quantiles.median(of: effects))
        var found = 0
        for _ in 0..<300 {
            let before = medians(count, noise, &generator)
            let after = medians(count, noise, &generator).map { $0 * (1 + effect) }
            let comparison = ProcessComparison.compare(
                baseline: before, candidate: after, significance: 0.01, margin: 0)
            if comparison?.verdict == .worse { found += 1 }
        }
        #expect((200...282).contains(found), "\(found) of 300 at \(effect)")
    }

    @Test func `from seven processes on, the needed probability solves its equation and falls`() throws {
        #expect(DetectableEffect.neededDominance(processes: 6) == nil)
        var last = 1.0
        for count in [7, 8, 15, 60, 1000] {
            let found = try #require(DetectableEffect.neededDominance(processes: count))
            let deviation = (Double(2 * count + 1) / 12).squareRoot() / Double(count)
            #expect(
                ((found - 0.5) / deviation - 2.5758 - 0.8416 * 2 * (found * (1 - found)).squareRoot()).magnitude < 1e-9)
            #expect(found > 0.5 && found < last)
            last = found
        }
    }

    @Test func `six processes show no change surely, and equal ones any`() {
        #expect(DetectableEffect.relative(ofProcessMedians: [1, 1.1, 1, 1.1, 1, 1.1]) == nil)
        #expect(DetectableEffect.relative(ofProcessMedians: [2, 2, 2, 2, 2, 2, 2, 2]) == 0)
        #expect(DetectableEffect.relative(ofProcessMedians: [0, 1, 1, 1, 1, 1, 1, 1]) == nil)
    }

    @Test func `twice the spread doubles the effect`() throws {
        let medians = (0..<15).map { 100 + Double($0 * 7 % 15) / 100 }
        let wider = medians.map { 100 + ($0 - 100) * 2 }
        let effects = try [medians, wider].map { try #require(DetectableEffect.relative(ofProcessMedians: $0)) }
        #expect((1.99...2.01).contains(effects[1] / effects[0]))
    }

    @Test func `many values are thinned, and say the same`() throws {
        let some = (0..<300).map { 100 + Double($0 * 37 % 300) / 100 }
        let many = (0..<30_000).map { 100 + Double($0 * 37 % 30_000) / 10_000 }
        let effects = try [some, many].map { try #require(DetectableEffect.relative(ofSides: [$0], processes: 15)) }
        #expect((0.99...1.01).contains(effects[0] / effects[1]))
    }
}
