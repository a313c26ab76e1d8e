import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Difference of counts") struct ExactDifferenceTests {
    private func difference(
        _ before: [Double], _ after: [Double], of name: String = Metric.allocations, isThreaded: Bool = false
    ) -> ExactDifference? {
        let definition = MetricDefinition(name: name, unit: "count/iteration")
        return Metric.exact(definition, after, isThreaded: isThreaded).difference(
            from: .exact(definition, before, isThreaded: isThreaded))
    }

    @Test func `counts that agree in all iterations differ by one`() {
        #expect(difference([4, 4, 4], [4, 4, 4]) == .equal)
        #expect(difference([4, 4, 4], [5, 5, 5]) == .more)
        #expect(difference([4, 4, 4], [3, 3, 3]) == .fewer)
    }

    @Test func `counts that vary differ when their ranges do`() {
        #expect(difference([3, 5], [5, 9]) == .varies)
        #expect(difference([3, 5], [6, 9]) == .more)
        #expect(difference([6, 9], [3, 5]) == .fewer)
        #expect(difference([3, 5], [3, 5]) == .varies)
    }

    /// Counts from processes of unchanged code, in races and schedulers of this project.
    @Test(
        arguments: [
            ([3601, 3601, 3601], [3602, 3602, 3602]), ([6298, 6310, 6341], [6208, 6201, 6256]),
            ([5665, 5670, 5692], [5417, 5424, 5448]),
            ([10, 10, 10], [4, 6, 7]),
        ] as [([Double], [Double])])
    func `what threads count in two processes of unchanged code is no difference`(_ one: [Double], _ other: [Double]) {
        #expect(difference(one, other, isThreaded: true) == .varies)
        #expect(difference(other, one, isThreaded: true) == .varies)
        // The clean twin: counts of a single thread are taken as exact.
        #expect(difference(one, other) == (one[0] < other[0] ? .more : .fewer))
    }

    @Test func `one more allocation in each of a thousand operations is seen where threads work too`() {
        #expect(difference([4000, 4000], [5000, 5000], isThreaded: true) == .more)
        #expect(difference([5000, 5000], [4000, 4000], isThreaded: true) == .fewer)
    }

    @Test func `instructions differ by a thousandth, but not by what the allocator adds`() {
        #expect(difference([100_000, 100_177], [100_049, 100_100], of: Metric.instructions) == .equal)
        #expect(difference([100_000, 100_177], [100_100, 100_277], of: Metric.instructions) == .more)
        #expect(difference([100_100, 100_277], [100_000, 100_177], of: Metric.instructions) == .fewer)
    }

    @Test func `without counts there is no difference to speak of`() {
        #expect(difference([], [4]) == nil)
        #expect(difference([4], []) == nil)
    }

    @Test func `a metric of several threads is not stable, and says why`() {
        let metric = Metric.exact(
            MetricDefinition(name: Metric.allocations, unit: "count/iteration"), [4, 4], isThreaded: true)
        #expect(metric.isStable == false)
        #expect(metric.isThreaded == true)
    }
}
