import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Limits") struct LimitCheckTests {
    private static let live = MetricDefinition(name: Metric.liveResources, unit: "count/iteration")
    private static let ratio = MetricDefinition(name: Metric.ratioToBaseline, unit: "ratio")
    private static let nine: [Double] = [14, 10, 18, 12, 16, 11, 17, 13, 15]

    private func checks(
        _ limits: Limit..., metrics: [Metric], operations: Int = 1, isOptimised: Bool = true
    ) -> [LimitCheck] {
        let benchmark = Benchmark(
            "test/one/limited", decides: "Nothing.", operations: operations, relativeTo: "test/one/other",
            limits: limits
        ) { Workload {} }
        return BenchmarkResult(benchmark, metrics: metrics, isOptimised: isOptimised).checks
    }

    private func verdict(
        _ limit: Limit, _ metric: Metric, operations: Int = 1, isOptimised: Bool = true
    ) -> ComparisonVerdict? {
        checks(limit, metrics: [metric], operations: operations, isOptimised: isOptimised).first?.verdict
    }

    private func counts(_ values: Double...) -> Metric { .exact(Samples.allocations, values) }

    @Test func `a budget per operation is over when one operation in a thousand allocates once more`() {
        #expect(verdict(.allocations(atMost: 6), counts(6_000, 6_000), operations: 1_000) == .same)
        #expect(verdict(.allocations(atMost: 6), counts(6_001, 6_001), operations: 1_000) == .worse)
    }

    @Test func `a budget per iteration ignores the number of operations`() {
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(3, 3), operations: 1_000) == .same)
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(4, 4), operations: 1_000) == .worse)
    }

    @Test func `counts that vary across a budget are inconclusive, above it they are over`() {
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(2, 4, 2)) == .inconclusive)
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(4, 5, 4)) == .worse)
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(2, 3, 2)) == .same)
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(2, 2, 2)) == .better)
    }

    @Test func `without optimisation a limit on allocations decides nothing, one on live resources still does`() {
        func isOverBudget(_ limit: Limit, _ metric: Metric, isOptimised: Bool) -> Bool? {
            checks(limit, metrics: [metric], isOptimised: isOptimised).first?.isOverBudget
        }
        let live = Metric.exact(Self.live, [1, 1])
        #expect(verdict(.allocationsPerIteration(atMost: 3), counts(4, 4), isOptimised: false) == .worse)
        #expect(isOverBudget(.allocationsPerIteration(atMost: 3), counts(4, 4), isOptimised: false) == false)
        #expect(isOverBudget(.allocationsPerIteration(atMost: 3), counts(4, 4), isOptimised: true) == true)
        #expect(isOverBudget(.liveResources(atMost: 0), live, isOptimised: false) == true)
    }

    @Test func `objects and instructions can be limited, and the allocator's moves are no change of instructions`() {
        let objects = Metric.exact(MetricDefinition(name: Metric.objects, unit: "count/iteration"), [8, 8])
        #expect(verdict(.objectsPerIteration(atMost: 7), objects) == .worse)
        #expect(verdict(.objectsPerIteration(atMost: 8), objects) == .same)
        let instructions = Metric.exact(
            MetricDefinition(name: Metric.instructions, unit: "count/iteration"), [1_000_100, 1_000_177])
        #expect(verdict(.instructionsPerIteration(atMost: 1_000_000), instructions) == .same)
        #expect(verdict(.instructionsPerIteration(atMost: 999_000), instructions) == .worse)
    }

    @Test func `times and ratios are judged by their interval, and are never over budget`() {
        let time = Metric.sampled(Samples.time, Self.nine)
        #expect(time.interval == Metric.Interval(low: 11, high: 17, confidence: 0.9609375))
        #expect(verdict(.time(atMostNanoseconds: 17), time) == .same)
        #expect(verdict(.time(atMostNanoseconds: 16), time) == .inconclusive)
        #expect(verdict(.time(atMostNanoseconds: 11), time) == .inconclusive)
        #expect(checks(.time(atMostNanoseconds: 10), metrics: [time]).map(\.isOverBudget) == [false])
        #expect(verdict(.time(atMostNanoseconds: 10), time) == .worse)
        #expect(verdict(.ratio(atMost: 10), .sampled(Self.ratio, Self.nine)) == .worse)
        #expect(verdict(.ratio(atMost: 17), .sampled(Self.ratio, Self.nine)) == .same)
    }

    @Test func `a time that hides levels is judged by all of its processes`() {
        let levels = Metric.sampled(
            Samples.time, [10, 14, 10, 10.1, 14.1, 10, 10.1, 14, 10, 10.1, 10, 14.1, 10, 10.1, 14, 10])
        #expect(levels.interval.map { $0.high < 14.5 } == true)
        #expect(verdict(.time(atMostNanoseconds: 13), .sampled(Samples.time, Self.nine.map { 9 + $0 / 10 })) == .better)
        #expect(verdict(.time(atMostNanoseconds: 14.05), levels) == .inconclusive)
        #expect(verdict(.time(atMostNanoseconds: 15), levels) == .better)
        #expect(verdict(.time(atMostNanoseconds: 9), levels) == .worse)
    }

    @Test func `fewer than five processes decide no time`() {
        #expect(verdict(.time(atMostNanoseconds: 1), .sampled(Samples.time, [9])) == .inconclusive)
        #expect(verdict(.time(atMostNanoseconds: 1), .sampled(Samples.time, [9, 9, 9, 9])) == .inconclusive)
        #expect(verdict(.time(atMostNanoseconds: 1), .sampled(Samples.time, [9, 9, 9, 9, 9])) == .worse)
    }

    @Test func `a figure that could not be read is not judged, with its reason`() {
        let missing = Metric.unavailable(Samples.allocations, .exact, because: "planted reason")
        let check = checks(.allocations(atMost: 6), metrics: [missing]).first
        #expect(check?.verdict == .notJudged)
        #expect(check?.reading == .unavailable("planted reason"))
    }

    @Test func `live resources are held to 0 by default, where they were counted and no limit is stated`() {
        #expect(checks(metrics: [.exact(Self.live, [1, 1])]).map(\.verdict) == [.worse])
        #expect(checks(metrics: [.exact(Self.live, [1, 0])]).map(\.verdict) == [.inconclusive])
        #expect(checks(metrics: [.exact(Self.live, [0, 0])]).map(\.source) == [.standard])
        #expect(checks(metrics: [.unavailable(Self.live, .exact, because: "planted")]) == [])
        #expect(checks(.anyLiveResources, metrics: [.exact(Self.live, [1, 1])]) == [])
        #expect(checks(.liveResources(atMost: 1), metrics: [.exact(Self.live, [1, 1])]).map(\.verdict) == [.same])
    }

    @Test func `limits are stored, and their checks follow from the figures of the file`() throws {
        func stored(_ text: String) throws -> [LimitCheck] {
            try RunResult.decoded(from: Array(text.utf8), name: "stored").benchmarks[0].checks
        }
        let text = String(decoding: Samples.complete.encoded(), as: UTF8.self)
        let checks = Samples.complete.benchmarks[0].checks
        #expect(checks.map(\.verdict) == [.worse, .same, .notJudged, .inconclusive, .inconclusive])
        #expect(try stored(text) == checks)
        #expect(try stored(text.replacing("\"maximum\":0.3", with: "\"maximum\":0.5")).first?.verdict == .better)
        // The limits of an older file are among its checks.
        let limits = /"limits":\[\{[^\]]*\]/
        let older = """
            "bars":[{"isDeclared":true,"maximum":3,"quantity":"allocationsPerIteration","unit":"count/iteration",\
            "value":4,"verdict":"overBudget"},{"isDeclared":false,"maximum":0,"quantity":"liveResources",\
            "unavailable":"planted","unit":"count/iteration","value":null,"verdict":"unavailable"}]
            """
        #expect(text.contains(limits))
        let found = try stored(text.replacing(limits, with: older))
        #expect(found.map(\.quantity) == [.allocationsPerIteration])
        #expect(found.map(\.verdict) == [.worse])
    }
}
