import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("Limits in a report") struct LimitReportTests {
    private let time = MetricDefinition(name: Metric.time, unit: "ns/operation")
    private let ratio = MetricDefinition(name: Metric.ratioToBaseline, unit: "ratio")
    private let allocations = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
    private let live = MetricDefinition(name: Metric.liveResources, unit: "count/iteration")

    private func report(_ benchmarks: BenchmarkResult...) -> RunReport {
        RunReport(
            RunResult(
                run: RunInformation(
                    date: "2026-03-15T12:00:00Z", arguments: [], seed: 1, processes: 9, durationSeconds: 5),
                environment: .current(isTracing: false), commit: .unavailable("test"),
                control: .sampled(MetricDefinition(name: "control", unit: "ns/step"), [1]), benchmarks: benchmarks))
    }

    private func measured(
        _ id: String, operations: Int = 1, _ limits: [Limit], _ metrics: [Metric], isOptimised: Bool = true
    ) -> BenchmarkResult {
        let benchmark = Benchmark(
            id, decides: "Nothing.", operations: operations, relativeTo: "test/one/other", limits: limits
        ) { Workload {} }
        return BenchmarkResult(
            benchmark, metrics: metrics, isOptimised: isOptimised)
    }

    private let nine: [Double] = [14, 10, 18, 12, 16, 11, 17, 13, 15]

    @Test func `each declared limit has a row with figure, interval and verdict`() {
        let report = report(
            measured(
                "test/limit/broken", operations: 1_000,
                [.allocations(atMost: 6), .time(atMostNanoseconds: 5), .ratio(atMost: 1.5)],
                [.exact(allocations, [6_001, 6_001]), .sampled(time, nine), .sampled(ratio, nine.map { $0 / 10 })]),
            measured(
                "test/limit/kept", operations: 1_000,
                [.allocationsPerIteration(atMost: 3), .time(atMostNanoseconds: 20)],
                [.exact(allocations, [3, 3]), .sampled(time, nine), .exact(live, [0, 0])]),
            measured(
                "test/limit/missing", [.liveResources(atMost: 1), .allocationsPerIteration(atMost: 3)],
                [.unavailable(live, .exact, because: "planted"), .exact(allocations, [2, 4])]))
        #expect(
            report.limits.text == """
                limits              quantity          at most  measured         [low high]  verdict
                test/limit/broken   allocs/op               6     6.001                     worse
                test/limit/broken   time/op           5.00 ns   14.0 ns  [11.0 ns 17.0 ns]  worse
                test/limit/broken   vs baseline        1.50 ×    1.40 ×    [1.10 × 1.70 ×]  inconclusive
                test/limit/kept     allocs/iteration        3         3                     same
                test/limit/kept     time/op           20.0 ns   14.0 ns  [11.0 ns 17.0 ns]  better
                test/limit/missing  live                    1       n/a                     not judged
                test/limit/missing  allocs/iteration        3         3              [2 4]  inconclusive
                """)
        #expect(report.overBudget == ["test/limit/broken"])
        #expect(report.verdict == "3 benchmarks measured, 1 over budget (test/limit/broken), 1 limit exceeded in 5 s.")
        #expect(report.text(markdown: true).contains("| test/limit/broken | allocs/op | 6 | 6.001 |  | worse |\n"))
    }

    @Test func `a run within all limits has nothing to say of them in its last line`() {
        let report = report(
            measured("test/limit/kept", [.allocationsPerIteration(atMost: 3)], [.exact(allocations, [3, 3])]))
        #expect(report.overBudget == [])
        #expect(report.verdict == "1 benchmark measured in 5 s.")
    }

    @Test func `the default of no live resources is shown only where it is broken`() {
        let report = report(
            measured("test/live/leak", [], [.exact(live, [1, 1, 2])]),
            measured("test/live/clean", [], [.exact(live, [0, 0, 0])]),
            measured("test/live/filling", [], [.exact(live, [1, 0, 0])]))
        #expect(report.limits.rows == [["test/live/leak", "live", "0", "1", "[1 2]", "worse"]])
        #expect(report.leaking == ["test/live/leak"])
        #expect(report.verdict == "3 benchmarks measured, 1 leaking (test/live/leak) in 5 s.")
    }

    @Test func `a budget that a debug build exceeds does not fail the run, with a note`() {
        let report = report(
            measured(
                "test/limit/debug", [.allocationsPerIteration(atMost: 3)], [.exact(allocations, [4, 4])],
                isOptimised: false))
        #expect(report.overBudget == [])
        #expect(report.verdict == "1 benchmark measured, 1 limit exceeded in 5 s.")
        #expect(
            report.budgetNotes == [
                """
                limits: a debug build allocates more than an optimised one, so its allocations above a limit do not \
                fail the run.
                """
            ])
    }
}
