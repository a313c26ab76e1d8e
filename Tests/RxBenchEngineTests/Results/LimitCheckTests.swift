import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Limits and bars") struct LimitCheckTests {
    private static let live = MetricDefinition(name: Metric.liveResources, unit: "count/iteration")
    private static let ratio = MetricDefinition(name: Metric.ratioToBaseline, unit: "ratio")
    private static let nine: [Double] = [14, 10, 18, 12, 16, 11, 17, 13, 15]

    private func bars(
        _ limits: Limit..., metrics: [Metric], operations: Int = 1, isOptimised: Bool = true
    ) -> [LimitCheck] {
        let benchmark = Benchmark(
            "test/one/bar", decides: "Nothing.", operations: operations, relativeTo: "test/one/other", limits: limits
        ) { Workload {} }
        return LimitCheck.judge(benchmark, metrics, isOptimised: isOptimised)
    }

    private func verdict(
        _ limit: Limit, _ metric: Metric, operations: Int = 1, isOptimised: Bool = true
    ) -> LimitCheck.Verdict? {
        bars(limit, metrics: [metric], operations: operations, isOptimised: isOptimised).first?.verdict
    }

    private func counts(_ values: Double...) -> Metric { .exact(Samples.allocations, values) }

    @Test func `a budget per operation is over when one operation in a thousand allocates once more`() {
        #expect(verdict(.allocations(atMost: 6), counts(6_000, 6_000), operations: 1_000) == .met)
        #expect(verdict(.allocations(atMost: 6), counts(6_001, 6_001), operations: 1_000) == .overBudget)
    }

    @Test func `a budget per iteration ignores the number of operations`() {
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(3, 3), operations: 1_000) == .met)
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(4, 4), operations: 1_000) == .overBudget)
    }

    @Test func `counts that vary across a budget are undecided, above it they are over`() {
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(2, 4, 2)) == .undecided)
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(4, 5, 4)) == .overBudget)
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(2, 3, 2)) == .met)
    }

    @Test func `without optimisation a budget of allocations is missed, one of live resources still broken`() {
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(4, 4), isOptimised: false) == .missed)
        #expect(verdict(.liveResources(atMost: 0), .exact(Self.live, [1, 1]), isOptimised: false) == .overBudget)
    }

    @Test func `times and ratios are met, missed or undecided by their interval, never over budget`() {
        let time = Metric.sampled(Samples.time, Self.nine)
        #expect(time.interval == Metric.Interval(low: 11, high: 17, confidence: 0.9609375))
        #expect(verdict(.time(atMostNanoseconds: 17), time) == .met)
        #expect(verdict(.time(atMostNanoseconds: 16), time) == .undecided)
        #expect(verdict(.time(atMostNanoseconds: 11), time) == .undecided)
        #expect(verdict(.time(atMostNanoseconds: 10), time) == .missed)
        #expect(verdict(.ratio(atMost: 10), .sampled(Self.ratio, Self.nine)) == .missed)
        #expect(verdict(.ratio(atMost: 17), .sampled(Self.ratio, Self.nine)) == .met)
    }

    @Test func `a time that hides levels is judged by all of its processes`() {
        let levels = Metric.sampled(
            Samples.time, [10, 14, 10, 10.1, 14.1, 10, 10.1, 14, 10, 10.1, 10, 14.1, 10, 10.1, 14, 10])
        #expect(levels.interval.map { $0.high < 14.5 } == true)
        #expect(verdict(.time(atMostNanoseconds: 13), .sampled(Samples.time, Self.nine.map { 9 + $0 / 10 })) == .met)
        #expect(verdict(.time(atMostNanoseconds: 14.05), levels) == .undecided)
        #expect(verdict(.time(atMostNanoseconds: 15), levels) == .met)
        #expect(verdict(.time(atMostNanoseconds: 9), levels) == .missed)
    }

    @Test func `fewer than five processes decide no time`() {
        #expect(verdict(.time(atMostNanoseconds: 1), .sampled(Samples.time, [9])) == .undecided)
        #expect(verdict(.time(atMostNanoseconds: 1), .sampled(Samples.time, [9, 9, 9, 9])) == .undecided)
        #expect(verdict(.time(atMostNanoseconds: 1), .sampled(Samples.time, [9, 9, 9, 9, 9])) == .missed)
    }

    @Test func `a figure that could not be read is unavailable with its reason, not met`() {
        let missing = Metric.unavailable(Samples.allocations, .exact, because: "planted reason")
        let bar = bars(.allocations(atMost: 6), metrics: [missing]).first
        #expect(bar?.verdict == .unavailable)
        #expect(bar?.reading == .unavailable("planted reason"))
    }

    @Test func `live resources are held to 0 by default, where they were counted and no limit is stated`() {
        #expect(bars(metrics: [.exact(Self.live, [1, 1])]).map(\.verdict) == [.overBudget])
        #expect(bars(metrics: [.exact(Self.live, [1, 0])]).map(\.verdict) == [.undecided])
        #expect(bars(metrics: [.exact(Self.live, [0, 0])]).map(\.isDeclared) == [false])
        #expect(bars(metrics: [.unavailable(Self.live, .exact, because: "planted")]) == [])
        #expect(bars(.anyLiveResources, metrics: [.exact(Self.live, [1, 1])]) == [])
        #expect(bars(.liveResources(atMost: 1), metrics: [.exact(Self.live, [1, 1])]).map(\.verdict) == [.met])
    }
}
