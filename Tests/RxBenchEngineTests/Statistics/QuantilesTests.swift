import Testing

@testable import RxBenchEngine

@Suite("Quantiles") struct QuantilesTests {
    @Test func `quantiles interpolate between order statistics`() {
        #expect(Quantiles.quantile(0.25, of: [4, 1, 3, 2]) == 1.75)
        #expect(Quantiles.quantile(0, of: [4, 1, 3, 2]) == 1)
        #expect(Quantiles.quantile(1, of: [4, 1, 3, 2]) == 4)
        #expect(Quantiles.median(of: [9, 1, 5]) == 5)
        #expect(Quantiles.median(of: [7]) == 7)
    }

    @Test func `between the largest numbers, whose distance is none, a quantile is still a number`() throws {
        #expect(Quantiles.median(of: [-1e308, 1e308]) == 0)
        #expect(Quantiles.quantile(0, of: [-1e308, 1e308]) == -1e308)
        #expect(try #require(Quantiles.quantile(0.75, of: [-1e308, 1e308])).isFinite)
    }

    @Test func `an empty sample has no quantile`() {
        #expect(Quantiles.median(of: []) == nil)
    }
}

@Suite("Interval of the median") struct MedianIntervalTests {
    @Test func `nine values give the second smallest to the second largest at 96 per cent`() {
        let interval = MedianInterval.estimate(of: [9, 8, 7, 6, 5, 4, 3, 2, 1])
        #expect(interval == ConfidenceInterval(low: 2, high: 8, confidence: 0.9609375))
    }

    @Test func `a small sample states the smaller confidence that it has`() {
        #expect(MedianInterval.estimate(of: [3, 1, 2]) == ConfidenceInterval(low: 1, high: 3, confidence: 0.75))
        #expect(MedianInterval.estimate(of: [1]) == nil)
    }

    @Test func `the interval of thousands of values has a width`() throws {
        // From the 712th smallest to the 712th largest, by the binomial distribution in whole numbers.
        let interval = try #require(MedianInterval.estimate(of: (1...1_500).map(Double.init)))
        #expect(interval.low == 712)
        #expect(interval.high == 789)
        #expect((interval.confidence * 1e6).rounded() == 953_239)
    }

    @Test func `an even number of values has one in the middle of the binomial distribution, an odd one two`() throws {
        // By the binomial distribution in whole numbers.
        let even = try #require(MedianInterval.estimate(of: (1...60).map(Double.init), target: 0.98))
        #expect(even.low == 21)
        #expect((even.confidence * 1e9).rounded() == 986_510_706)
        let odd = try #require(MedianInterval.estimate(of: (1...61).map(Double.init), target: 0.98))
        #expect(odd.low == 21)
        #expect((odd.confidence * 1e9).rounded() == 990_146_552)
    }

    @Test func `coverage is at least what is demanded over random samples`() {
        var generator = SeededGenerator(seed: 7)
        var held = 0
        for _ in 0..<2_000 {
            let sample = (0..<9).map { _ in Double.random(in: 0..<1, using: &generator) }
            if let interval = MedianInterval.estimate(of: sample), interval.low <= 0.5, 0.5 <= interval.high {
                held += 1
            }
        }
        #expect((1_880...1_960).contains(held))
    }
}
