import Foundation
import Testing

@testable import RxBenchEngine

/// Noise of a standard deviation of about 1 % around 100.
private struct Noise {
    enum Shape: String, CaseIterable {
        case normal
        /// One value in ten is up to tens of deviations too high: a busy machine.
        case spiky
        case logNormal
    }

    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Box, Muller, "A Note on the Generation of Random Normal Deviates" (1958).
    private mutating func normal() -> Double {
        let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude..<1, using: &generator))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
    }

    private mutating func value(_ shape: Shape) -> Double {
        switch shape {
        case .normal: normal()
        case .spiky: Double.random(in: 0..<1, using: &generator) < 0.1 ? 10 * normal().magnitude : normal()
        case .logNormal: exp(normal())
        }
    }

    mutating func series(
        _ count: Int, _ shape: Shape = .normal, shift: Double = 0, from start: Int = .max, to end: Int = .max
    ) -> [Double] {
        (0..<count).map { 100 + value(shape) + ($0 >= start && $0 < end ? shift : 0) }
    }
}

/// As one of a hundred series.
private var manySeries: ChangePoints {
    var rules = ChangePoints.Rules()
    rules.seriesCount = 100
    return ChangePoints(rules)
}

@Suite("Change points") struct ChangePointsTests {
    @Test func `a planted step is found at its place, and its clean twin is left alone`() throws {
        var noise = Noise(seed: 3)
        let clean = noise.series(40)
        #expect(ChangePoints().changes(in: clean) == [])
        let planted = clean.enumerated().map { $1 + ($0 >= 25 ? 5 : 0) }
        let changes = manySeries.changes(in: planted)
        #expect(changes.map(\.index) == [25])
        #expect(try #require(changes.first).indices.contains(25))
        #expect(try #require(changes.first).probability < 1e-4)
    }

    @Test func `a rise that was taken back is two changes`() {
        var noise = Noise(seed: 9)
        let changes = manySeries.changes(in: noise.series(100, shift: 5, from: 45, to: 55))
        #expect(changes.map(\.index) == [45, 55])
    }

    @Test func `three new results are enough for a large step, one is an outlier`() {
        var noise = Noise(seed: 5)
        #expect(manySeries.changes(in: noise.series(60, shift: 10, from: 57)).map(\.index) == [57])
        #expect(manySeries.changes(in: noise.series(60, shift: 10, from: 59)) == [])
    }

    @Test func `equal, few and infinite values have no change`() {
        #expect(ChangePoints().changes(in: Array(repeating: 2.5, count: 50)) == [])
        #expect(ChangePoints().changes(in: []) == [])
        #expect(ChangePoints().changes(in: [1, 1, 1, 1, 2, 2, 2, 2, 2]) == [])
        #expect(
            ChangePoints().changes(in: Array(repeating: 1, count: 10) + [.infinity] + Array(repeating: 2, count: 10))
                == [])
    }

    @Test func `a step without noise is found`() {
        let step = Array(repeating: 1.5, count: 10) + Array(repeating: 2.5, count: 10)
        #expect(ChangePoints().changes(in: step).map(\.index) == [10])
        #expect(ChangePoints().changes(in: step).map(\.indices) == [10...10])
    }

    @Test(arguments: Noise.Shape.allCases) private func `clean series of any noise alarm in at most one per cent`(
        shape: Noise.Shape
    ) {
        let seed: UInt64 = 7
        var noise = Noise(seed: seed)
        let alone = ChangePoints()
        let many = manySeries
        let series = (0..<1_000).map { _ in noise.series(50, shape) }
        let alarms = series.count { !alone.changes(in: $0).isEmpty }
        let corrected = series.count { !many.changes(in: $0).isEmpty }
        print(
            """
            False alarms, \(shape.rawValue) noise, 50 results, seed \(seed): \(alarms) of 1000 series alone, \
            \(corrected) as one of 100 series.
            """
        )
        #expect(alarms <= 10)
        #expect(corrected <= 3)
    }

    /// The power of a single series and of one in a hundred: what `0008-change-points.md` states, with room for a
    /// smaller sample.
    @Test(arguments: [
        (5.0, 20, 10, 0.9, 0.9), (5, 50, 45, 0.95, 0.95), (2, 50, 25, 0.9, 0.75), (2, 100, 50, 0.95, 0.95),
        (1, 100, 50, 0.5, 0.1),
    ]) func `planted steps are found with the stated power`(
        shift: Double, count: Int, start: Int, alone: Double, corrected: Double
    ) {
        #if DEBUG
            let trials = 20
        #else
            let trials = 300
        #endif
        let seed: UInt64 = 7
        var noise = Noise(seed: seed)
        let single = ChangePoints()
        let many = manySeries
        var found = 0
        var covered = 0
        var foundInMany = 0
        for _ in 0..<trials {
            let series = noise.series(count, shift: shift, from: start)
            let changes = single.changes(in: series)
            if !changes.isEmpty { found += 1 }
            if changes.contains(where: { $0.indices.contains(start) }) { covered += 1 }
            if !many.changes(in: series).isEmpty { foundInMany += 1 }
        }
        print(
            """
            Power, \(shift) % at noise 1 %, \(start) + \(count - start) results, seed \(seed): \(found) of \
            \(trials) alone 
            """
                + "(\(covered) with the true commit in the range), \(foundInMany) as one of 100 series.")
        #expect(Double(found) >= alone * Double(trials))
        #expect(Double(foundInMany) >= corrected * Double(trials))
        #expect(Double(covered) >= 0.85 * Double(found))
    }
}

@Suite("Energy split") struct EnergySplitTests {
    @Test func `the best split is that of the definition`() throws {
        var generator = SeededGenerator(seed: 11)
        for count in [6, 7, 12, 31] {
            // Few distinct values, so that there are ties.
            let values = (0..<count).map { _ in Double(Int.random(in: 0..<10, using: &generator)) }
            let scan = EnergyScan(values, minimumSegment: 3)
            let best = try #require(scan.best(scan.places))
            let statistics = (3...count - 3).map { Self.statistic(values[..<$0], values[$0...]) }
            #expect(abs(best.statistic - (statistics.max() ?? 0)) < 1e-9)
            #expect(abs(statistics[best.index - 3] - best.statistic) < 1e-9)
        }
    }

    /// Equations 5 and 6 of the paper, pair by pair.
    private static func statistic(_ left: ArraySlice<Double>, _ right: ArraySlice<Double>) -> Double {
        func sum(_ first: ArraySlice<Double>, _ second: ArraySlice<Double>) -> Double {
            first.reduce(0) { total, value in total + second.reduce(0) { $0 + abs(value - $1) } }
        }
        let m = Double(left.count)
        let n = Double(right.count)
        let energy =
            2 * sum(left, right) / (m * n) - sum(left, left) / (m * (m - 1)) - sum(right, right) / (n * (n - 1))
        return m * n / (m + n) * energy
    }

    @Test func `layers are the whole and overlapping parts of at least ten values`() {
        #expect(ChangePoints.layers(count: 9) == [])
        #expect(ChangePoints.layers(count: 20) == [[0..<20], [0..<10, 5..<15, 10..<20]])
    }
}
