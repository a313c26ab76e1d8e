import Testing

@testable import RxBenchEngine

@Suite("Process comparison") struct ProcessComparisonTests {
    private let baseline: [Double] = [100, 101, 102, 103, 104, 105, 106, 107, 108]

    private func compare(_ candidate: [Double], drift: Double = 1) -> ProcessComparison? {
        .compare(baseline: baseline, candidate: candidate, significance: 0.01, margin: 0.05, drift: drift)
    }

    @Test func `a planted slowdown of a half is slower`() throws {
        let comparison = try #require(compare(baseline.map { $0 * 1.5 }))
        #expect(comparison.verdict == .worse)
        #expect(comparison.ratio == 1.5)
    }

    @Test func `a planted speed-up of a half is faster`() {
        #expect(compare(baseline.map { $0 / 1.5 })?.verdict == .better)
    }

    @Test func `the same medians are the same within the margin`() {
        #expect(compare(baseline)?.verdict == .same)
    }

    @Test func `wide medians are inconclusive`() {
        #expect(compare([60, 70, 80, 90, 100, 110, 120, 130, 140])?.verdict == .inconclusive)
    }

    @Test func `a slowdown that the control shows too is inconclusive`() {
        #expect(compare(baseline.map { $0 * 1.5 }, drift: 1.5)?.verdict == .inconclusive)
        #expect(compare(baseline.map { $0 * 1.5 }, drift: 1 / 1.5)?.verdict == .inconclusive)
    }

    @Test(arguments: [(100, 100), (100, 101), (300, 300), (520, 520)]) func `probabilities are those of the rank sum`(
        first: Int, second: Int
    ) {
        let distribution = RankSum(first, second)
        #expect(distribution.probabilities.allSatisfy { $0 > -1e-12 })
        #expect(abs(distribution.probabilities.reduce(0, +) - 1) < 1e-9)
        // Where the normal distribution has 2.5 per cent below.
        let pairs = Double(first * second)
        let expected = pairs / 2 - 1.96 * (pairs * Double(first + second + 1) / 12).squareRoot()
        #expect(abs(Double(distribution.largestRank(significance: 0.05).index) / expected - 1) < 0.003)
    }

    @Test func `three processes are too few for one per cent`() throws {
        let comparison = try #require(
            ProcessComparison.compare(baseline: [1, 1, 1], candidate: [2, 2, 2], significance: 0.01, margin: 0.05))
        #expect(comparison.verdict == .inconclusive)
        #expect(comparison.interval == ConfidenceInterval(low: 2, high: 2, confidence: 0.9))
    }

    @Test func `sets without a positive value have no ratio`() {
        #expect(compare([]) == nil)
        #expect(compare([0, 1]) == nil)
    }

    @Test func `random equal sets are rarely called different`() {
        var generator = SeededGenerator(seed: 11)
        func sample() -> [Double] { (0..<9).map { _ in Double.random(in: 1..<1.3, using: &generator) } }
        let alarms = (0..<2_000).count { _ in
            let verdict = ProcessComparison.compare(
                baseline: sample(), candidate: sample(), significance: 0.01, margin: 0)?.verdict
            return verdict == .worse || verdict == .better
        }
        #expect(alarms <= 30)
        #expect(alarms >= 5)
    }
}

@Suite("Rank sum") struct RankSumTests {
    @Test func `three against three has twenty orders`() {
        let counts = RankSum(3, 3).probabilities.map { ($0 * 20).rounded() }
        #expect(counts == [1, 1, 2, 3, 3, 3, 3, 2, 1, 1])
    }

    @Test func `unequal sizes`() {
        #expect(RankSum(2, 3).probabilities.map { ($0 * 10).rounded() } == [1, 1, 2, 2, 2, 1, 1])
    }
}
