import Testing

@testable import RxBenchEngine

@Suite("Signed rank") struct SignedRankTests {
    @Test func `three values have eight signs`() {
        let distribution = SignedRankDistribution(count: 3)
        // Sums of the subsets of 1, 2, 3: 0, 1, 2, 3, 3, 4, 5, 6.
        #expect((0...3).map { distribution.probability(atMost: $0) } == [0.125, 0.25, 0.375, 0.625])
    }

    @Test func `the estimate is the middle of the averages`() throws {
        let rank = try #require(SignedRank([1, 2, 10]))
        // Averages 1, 1.5, 2, 5.5, 6, 10.
        #expect(rank.estimate == 3.75)
    }

    @Test func `too few values have no interval`() throws {
        let interval = try #require(SignedRank([1, 2, 3, 4])).interval(significance: 0.01)
        #expect(interval.low == -.infinity)
        #expect(interval.high == .infinity)
    }

    @Test func `eight values that agree reject at one per cent, seven do not`() throws {
        #expect(try #require(SignedRank((1...8).map(Double.init))).probability(center: 0) == 2 / 256)
        #expect(try #require(SignedRank((1...7).map(Double.init))).probability(center: 0) == 2 / 128)
    }

    @Test func `values that equal the centre count for it`() throws {
        #expect(try #require(SignedRank([0, 0, 0, 0, 0, 0, 0, 0, 0])).probability(center: 0) == 1)
    }

    @Test func `the normal distribution takes over smoothly`() {
        let exact = SignedRankDistribution(count: 100)
        let normal = SignedRankDistribution(count: 101)
        for significance in [0.05, 0.01, 0.0001] {
            let ranks = [exact, normal].map { Double($0.largestRank(significance: significance)?.index ?? 0) }
            #expect(abs(ranks[1] / ranks[0] - 1) < 0.04)
        }
    }

    @Test(arguments: [10, 16, 30]) func `intervals of 95 per cent hold the middle as often as they say`(count: Int) {
        var generator = SeededGenerator(seed: 5)
        // Heavy tails: a sum of a uniform value and, now and then, a large one.
        func value() -> Double {
            Double.random(in: -1...1, using: &generator)
                + (Int.random(in: 0..<8, using: &generator) == 0 ? Double.random(in: -20...20, using: &generator) : 0)
        }
        let held = (0..<3_000).count { _ in
            let interval = SignedRank((0..<count).map { _ in value() + 3 })?.interval(significance: 0.05)
            return interval.map { $0.low <= 3 && 3 <= $0.high } ?? false
        }
        #expect(held >= 2_820)
        #expect(held <= 2_940)
    }
}

@Suite("Normal distribution") struct NormalDistributionTests {
    @Test func `quantiles are those of tables`() {
        #expect(abs(NormalDistribution.quantile(0.975) - 1.959964) < 1e-6)
        #expect(abs(NormalDistribution.quantile(0.8) - 0.841621) < 1e-6)
        #expect(abs(NormalDistribution.probability(below: -4) - 3.167124e-5) < 1e-10)
    }
}

@Suite("Spending of the error") struct AlphaSpendingTests {
    @Test func `looks spend the whole and no more`() {
        var spending = AlphaSpending()
        let shares = [0.25, 0.5, 0.75, 1].map { spending.look(at: $0) }
        #expect(shares == [0.0625, 0.1875, 0.3125, 0.4375])
    }

    @Test func `one look spends all`() {
        var spending = AlphaSpending()
        #expect(spending.look(at: 1) == 1)
    }
}
