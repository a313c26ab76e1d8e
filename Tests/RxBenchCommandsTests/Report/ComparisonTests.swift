import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

private let time = MetricDefinition(name: Metric.time, unit: "ns/operation")
private let allocations = MetricDefinition(name: Metric.allocations, unit: "count/iteration")

private func benchmark(_ id: String = "test/one/plain", operations: Int = 10) -> Benchmark {
    Benchmark(id, decides: "Nothing.", operations: operations) { Workload {} }
}

private func run(
    _ benchmarks: [BenchmarkResult], control: Double = 1, tracing: Bool = false, configuration: String = "release",
    allocator: String? = nil, processes: Int = 9, load: Double = 0
) -> RunResult {
    RunResult(
        run: RunInformation(
            date: "2026-03-15T12:00:00Z", arguments: [], seed: 1, processes: processes, durationSeconds: 61,
            allocator: allocator),
        environment: Environment(
            machine: "linux-test-2c", operatingSystem: "Test", kernel: "Linux", architecture: "x86_64",
            processor: .value("Test"), cores: 2,
            memoryBytes: 1, swiftVersion: .value("6.3.1"), configuration: configuration, isTracing: tracing,
            jemalloc: .value("5"),
            loadAverage: .value(load)),
        commit: .unavailable("test"), control: .sampled(MetricDefinition(name: "control", unit: "ns/step"), [control]),
        benchmarks: benchmarks)
}

private let nine: [Double] = [104, 100, 108, 102, 106, 101, 107, 103, 105]

private func timed(_ values: [Double], counts: [Double] = [5, 5]) -> BenchmarkResult {
    BenchmarkResult(benchmark(), metrics: [.sampled(time, values), .exact(allocations, counts)])
}

@Suite("Result comparison") struct ResultComparisonTests {
    private func verdicts(
        _ before: BenchmarkResult, _ after: BenchmarkResult, control: Double = 1
    ) -> [ComparisonVerdict] {
        ResultComparison(run([before]), run([after], control: control)).rows.map(\.verdict)
    }

    /// Returns the reasons why rows were not judged.
    private func obstacles(_ before: RunResult, _ after: RunResult) -> [ResultComparison.Obstacle?] {
        let rows = ResultComparison(before, after).rows
        #expect(rows.allSatisfy { $0.verdict == .notJudged })
        return rows.map(\.obstacle)
    }

    @Test func `a thousand benchmarks give the same rows when they were stored`() throws {
        func suite(_ slowed: Int) -> RunResult {
            SampleRun.run(
                (0..<1_000).map { index in
                    SampleRun.timed(
                        "test/number-\(index)", index.isMultiple(of: slowed) ? 15 : 10,
                        allocations: Double(index % 3), relativeTo: index > 0 ? "test/number-0" : nil)
                })
        }
        func stored(_ result: RunResult) throws -> RunResult {
            try RunResult.decoded(from: result.encoded(), name: "stored")
        }
        let (before, after) = (suite(1_000), suite(7))
        let rows = ResultComparison(try stored(before), try stored(after)).rows
        #expect(rows == ResultComparison(before, after).rows)
        #expect(rows.count { $0.verdict == .worse } == 142)
    }

    @Test func `a run compared with itself is unchanged`() {
        #expect(verdicts(timed(nine), timed(nine)) == [.same, .same])
    }

    @Test func `a planted slowdown and a planted allocation are found`() {
        #expect(verdicts(timed(nine), timed(nine.map { $0 * 1.5 }, counts: [6, 6])) == [.worse, .worse])
        #expect(verdicts(timed(nine.map { $0 * 1.5 }, counts: [6, 6]), timed(nine)) == [.better, .better])
    }

    @Test func `where the control loop moved, times are not judged and counts are`() {
        let slower = timed(nine.map { $0 * 1.5 })
        #expect(verdicts(timed(nine), slower, control: 1.5) == [.notJudged, .same])
        #expect(verdicts(timed(nine), slower, control: 1.04) == [.worse, .same])
        let moved = ResultComparison(run([timed(nine)]), run([slower], control: 1.5))
        #expect(
            ComparisonReport(moved).preamble == [
                """
                Not judged: no times, as the control loop, which never changes, moved by +50.0 %. 'rxbench ab' \
                compares times on a busy machine.
                """
            ])
        #expect(ComparisonReport(moved).verdict == "1 benchmark with the same counts.")
        let gating = ResultComparison(
            run([timed(nine)]), run([slower], control: 1.5), rules: .init(gatesTime: true))
        #expect(gating.findings.map(\.outcome) == [.notJudged(.machine)])
    }

    @Test func `where the load of the machine changed between the runs, times are not judged`() {
        let slower = timed(nine.map { $0 * 1.5 })
        for (first, second, verdict) in [
            (0.2, 1.4, ComparisonVerdict.notJudged), (1.4, 0.2, .notJudged), (0.2, 0.9, .worse),
            (1.4, 1.5, .worse),
        ] {
            let comparison = ResultComparison(run([timed(nine)], load: first), run([slower], load: second))
            #expect(comparison.rows.map(\.verdict) == [verdict, .same])
        }
    }

    @Test func `a time that hides levels is judged by all of its processes`() {
        let two = [100.0, 141, 101, 140, 99, 142, 100, 139, 101, 140, 102, 100, 98, 101, 100, 99]
        // The medians are 40 % apart, because the shares of the levels changed.
        let swapped = two.map { $0 > 120 ? $0 - 40 : $0 + 40 }
        #expect(verdicts(timed(two), timed(swapped)) == [.inconclusive, .same])
        #expect(verdicts(timed(two), timed(two)) == [.inconclusive, .same])
        // Every process is slower than every earlier process.
        #expect(verdicts(timed(two), timed(two.map { $0 * 2 })) == [.worse, .same])
        #expect(verdicts(timed(two.map { $0 * 2 }), timed(two)) == [.better, .same])
    }

    @Test func `counts that vary are decided by their ranges`() {
        #expect(verdicts(timed(nine, counts: [5, 7]), timed(nine, counts: [6, 8])) == [.same, .same])
        #expect(verdicts(timed(nine, counts: [5, 7]), timed(nine, counts: [8, 9])) == [.same, .worse])
    }

    @Test func `an unavailable count is not judged, not equal`() {
        let missing = BenchmarkResult(
            benchmark(), metrics: [.sampled(time, nine), .unavailable(allocations, .exact, because: "planted reason")])
        let comparison = ResultComparison(run([timed(nine)]), run([missing]))
        #expect(comparison.rows.map(\.verdict) == [.same, .notJudged])
        #expect(ComparisonReport(comparison).notes == ["test/one/plain allocs/op: Unavailable: planted reason."])
    }

    @Test func `failed, added and removed benchmarks have a row`() {
        let failed = BenchmarkResult(benchmark(), failure: "Planted.")
        #expect(obstacles(run([timed(nine)]), run([failed])) == [.failed])
        #expect(obstacles(run([]), run([timed(nine)])) == [.added])
        #expect(obstacles(run([timed(nine)]), run([])) == [.removed])
    }

    @Test(arguments: [
        (
            false,
            """
            test/one/plain is 50 % slower (46–54 %). Slower times do not change the exit code; '--gate-time' lets them.
            """
        ),
        (true, "test/one/plain is 50 % slower (46–54 %)."),
    ]) func `a slower time alone is a regression only where times are to decide`(gatesTime: Bool, verdict: String) {
        let rules = ResultComparison.Rules(gatesTime: gatesTime)
        let comparison = ResultComparison(run([timed(nine)]), run([timed(nine.map { $0 * 1.5 })]), rules: rules)
        #expect(ComparisonReport(comparison).verdict == verdict)
        #expect(comparison.rows.map(comparison.gates) == [gatesTime, true])
    }

    @Test(arguments: [
        // Unchanged code: equal counts, and counts that the allocator's rare work changes.
        ([1_000_000.0, 1_000_177, 1_000_000], ComparisonVerdict.same),
        ([1_000_177, 1_000_177, 1_000_177], .same),
        ([1_001_000, 1_001_000, 1_001_177], .worse), ([999_000, 999_177, 999_000], .better),
        // Several threads: the ranges decide.
        ([1_000_100, 1_400_000, 1_200_000], .same), ([1_100_000, 1_400_000, 1_200_000], .worse),
    ]) func `instructions are compared with a tolerance of 0.05 %, so that 0.1 % is seen`(
        values: [Double], verdict: ComparisonVerdict
    ) {
        let instructions = MetricDefinition(name: Metric.instructions, unit: "count/iteration")
        func counted(_ values: [Double]) -> BenchmarkResult {
            BenchmarkResult(benchmark(), metrics: [.exact(instructions, values)])
        }
        #expect(verdicts(counted([1_000_000, 1_000_177, 1_000_000]), counted(values)) == [verdict])
    }

    @Test func `another number of operations is not judged`() {
        let other = BenchmarkResult(benchmark(operations: 20), metrics: [.sampled(time, nine)])
        #expect(verdicts(timed(nine), other) == [.notJudged])
    }

    @Test func `what must not be compared is named`() {
        #expect(ResultComparison.obstacles(run([]), run([])) == [])
        let system = run([], allocator: "glibc 2.36")
        // A file without an allocator was written before the allocator could be chosen.
        #expect(
            ResultComparison.obstacles(run([]), system) == [
                "the allocator of the processes that measured time differs ('jemalloc' and 'glibc')"
            ])
        #expect(ResultComparison.obstacles(system, run([], allocator: "glibc 2.39")) == [])
        #expect(ResultComparison.obstacles(run([], allocator: "jemalloc 5.3.0"), run([])) == [])
        #expect(ResultComparison.obstacles(run([], processes: 0), system) == [])
        #expect(
            ResultComparison.obstacles(run([]), run([], tracing: true, configuration: "debug")) == [
                "the configuration differs ('release' and 'debug')", "tracing differs ('off' and 'on')",
            ])
    }

    @Test func `the table shows changes, ratios and intervals, and what decides first`() {
        let comparison = ResultComparison(run([timed(nine)]), run([timed(nine.map { $0 * 1.5 }, counts: [6, 6])]))
        #expect(
            ComparisonReport(comparison).table(isComplete: false).text == """
                benchmark       metric     before   after            change         [low high]  verdict
                test/one/plain  allocs/op   0.500   0.600  +0.100 (+20.0 %)                     worse
                test/one/plain  time/op    104 ns  156 ns           +50.0 %  [+45.7 % +54.4 %]  worse
                """)
        #expect(
            ComparisonReport(comparison).verdict == """
                test/one/plain is 50 % slower (46–54 %) and makes 0.100 more allocations. Slower times do not change \
                the exit code; '--gate-time' lets them.
                """)
    }
}

@Suite("Comparison report") struct ComparisonReportTests {
    private func rows(_ before: BenchmarkResult, _ after: BenchmarkResult) -> [[String]] {
        ComparisonReport(ResultComparison(run([before]), run([after]))).table(isComplete: false).rows
    }

    private func counted(
        _ name: String, _ values: [Double], unit: MetricUnit = "count/iteration", operations: Int = 1_000
    ) -> BenchmarkResult {
        BenchmarkResult(
            benchmark(operations: operations), metrics: [.exact(MetricDefinition(name: name, unit: unit), values)])
    }

    @Test func `both sides and the change agree, though the ratio of the medians is another`() throws {
        // The medians are 104 and 152 ns, a ratio of 1.46. The median of the 81 ratios of processes is 1.41.
        let row = try #require(rows(timed(nine), timed([100, 100, 100, 100, 152, 152, 152, 152, 152])).first)
        #expect(row[2...4] == ["104 ns", "146 ns", "+40.7 %"])
        #expect(rows(timed(nine), timed(nine)).first?[2...4] == ["104 ns", "104 ns", "+0.0 %"])
    }

    @Test(arguments: [
        (
            Metric.allocations, "count/iteration", 6_000.0, 6_001.0,
            ["allocs/op", "6", "6.0010", "+0.00100 (+0.0167 %)"]
        ),
        (Metric.allocations, "count/iteration", 0, 3_000, ["allocs/op", "0", "3", "+3"]),
        (
            Metric.allocatedBytes, "bytes/iteration", 3_072_000, 3_072_064,
            ["bytes/op", "3.000000 KiB", "3.000063 KiB", "+0.0640 B (+0.00208 %)"]
        ),
        (Metric.retains, "count/iteration", 4_000, 3_000, ["retains/op", "4", "3", "−1 (−25.0 %)"]),
        // Live resources are counted per iteration.
        (Metric.liveResources, "count/iteration", 1, 2, ["live", "1", "2", "+1 (+100 %)"]),
    ]) func `counts are those of an operation, with digits that tell them apart and a per cent`(
        metric: String, unit: MetricUnit, before: Double, after: Double, cells: [String]
    ) {
        let row = rows(counted(metric, [before, before], unit: unit), counted(metric, [after, after], unit: unit)).first
        #expect(row.map { Array($0[1...4]) } == cells)
    }

    @Test func `the instructions of what changed stand beside it, and of nothing else`() {
        let instructions = Metric.exact(
            MetricDefinition(name: Metric.instructions, unit: "count/iteration"), [9_000, 9_000])
        func result(_ counts: [Double]) -> BenchmarkResult {
            BenchmarkResult(benchmark(), metrics: [.sampled(time, nine), .exact(allocations, counts), instructions])
        }
        #expect(rows(result([5, 5]), result([6, 6])).map { $0[1] } == ["allocs/op", "time/op", "instr/op"])
        #expect(rows(result([5, 5]), result([6, 6])).last?[2...] == ["900", "900", "", "", "same"])
        #expect(rows(result([5, 5]), result([5, 5])).map { $0[1] } == ["time/op"])
    }

    @Test func `a row whose allocations changed does not read same`() {
        #expect(
            rows(timed(nine, counts: [5, 7]), timed(nine, counts: [6, 8])).map { $0.last } == ["same", "same (varies)"])
        #expect(rows(timed(nine, counts: [5, 7]), timed(nine, counts: [5, 7])).map { $0.last } == ["same", "same"])
    }
}

@Suite("Run report") struct RunReportTests {
    @Test func `figures, failures, missing metrics and the verdict`() {
        let result = run([
            BenchmarkResult(
                benchmark(),
                metrics: [
                    .sampled(time, nine), .exact(allocations, [5, 5]),
                    .unavailable(
                        MetricDefinition(name: Metric.liveResources, unit: "count/iteration"), .exact,
                        because: "planted reason"),
                ]),
            BenchmarkResult(benchmark("test/one/other"), failure: "Planted."),
        ])
        let report = RunReport(result)
        #expect(
            report.text() == """
                benchmark       time/op             MDE  outliers  vs baseline  allocs/op  bytes/op
                test/one/plain   104 ns  ±2.9 %  5.46 %                             0.500       n/a

                failed: test/one/other: Planted.
                unavailable: liveResources: planted reason.
                intervals: '±' is how far the interval of the median over processes reaches, at a confidence of 96.1 %.
                detectable (MDE): a change of time of 5.46 % (median benchmark; worst 5.46 %) against an equal run, 1 \
                % false alarms, 80 % power, \
                drift between runs not counted.
                """)
        #expect(report.verdict == "1 benchmark measured, 1 failed in 1 min 01 s.")
    }

    @Test func `a run of counts alone has no columns of times`() {
        let result = run([BenchmarkResult(benchmark(), metrics: [.exact(allocations, [5, 5])])])
        #expect(
            RunReport(result).figures.text == """
                benchmark       allocs/op  bytes/op
                test/one/plain      0.500       n/a
                """)
    }

    @Test func `a time that rises from process to process is said to drift`() {
        let drift = "\ndrift: test/one/plain: the time rose or fell over the run.\n"
        #expect(RunReport(run([timed(nine.sorted())])).text().contains(drift))
        #expect(!RunReport(run([timed(nine)])).text().contains(drift))
    }

    @Test func `times of two levels are said to have several, and processes far from the others are counted and kept`()
        throws
    {
        let two = [100.0, 141, 101, 140, 99, 142, 100, 139, 101, 140, 102, 141, 98, 138, 100, 141]
        let levels = RunReport(run([timed(two)])).text()
        #expect(levels.contains("\nseveral levels: test/one/plain: 100 ns (50 %), 141 ns (50 %).\n"))
        #expect(!levels.contains("outliers: "))
        #expect(RunReport(run([timed(two)])).figures.rows.first?[2] == "2 levels")
        let far = [100.0, 103, 101, 104, 99, 102, 100, 250, 101]
        let report = RunReport(run([timed(far)]))
        #expect(report.figures.rows.first?[4] == "1/9")
        #expect(
            report.text().contains(
                "\noutliers: 1 of 9 processes lies more than 1.5 quartile ranges from the others of its benchmark; "
                    + "it is kept.\n"
            ))
        #expect(run([timed(far)]).benchmarks[0].metric(Metric.time)?.values == far)
        #expect(!report.text().contains("several levels") && !report.text().contains("drift: "))
    }

    @Test func `a row says that its figure hides something, in text, Markdown and JSON`() throws {
        // Twelve of fifteen processes within half a per cent, and too few other processes to form a level.
        let wide = [100.0, 100.2, 180, 100.1, 100.3, 100, 165, 100.4, 100.1, 100.2, 140, 100.3, 100.2, 100.1, 100.3]
        let hidden = run([timed(wide)])
        let row = try #require(RunReport(hidden).figures.rows.first)
        #expect(row[2] == "scatters")
        let note = "scatter: test/one/plain: the processes differ by far more than the interval of their median says."
        #expect(RunReport(hidden).text().contains("\n\(note)\n"))
        #expect(RunReport(hidden).text(markdown: true).contains(" scatters |"))
        #expect(MarkdownReport(hidden).document.contains(" scatters |"))
        #expect(String(decoding: hidden.encoded(), as: UTF8.self).contains("\"scatter\""))
        let plain = run([timed(nine)])
        #expect(RunReport(plain).figures.rows.first?[2].hasPrefix("±") == true)
        #expect(!RunReport(plain).text().contains("scatter"))
        #expect(RunReport(run([timed(nine.sorted())])).figures.rows.first?[2] == "drifts")
    }

    @Test func `outcomes with their share, latencies with their percentiles`() {
        let result = run([
            BenchmarkResult(
                benchmark(), latencies: [LatencyBucket(nanoseconds: 1000, count: 4)],
                outcomes: [
                    RaceOutcome(label: "lost update", expectation: .forbidden, count: 1),
                    RaceOutcome(label: "both counted", expectation: .acceptable, count: 3),
                ])
        ])
        let report = RunReport(result)
        #expect(
            report.outcomes.text == """
                race            outcome       grade       rounds   share
                test/one/plain  lost update   forbidden        1  25.0 %
                test/one/plain  both counted  acceptable       3  75.0 %
                """)
        #expect(report.latencies.rows == [["test/one/plain", "n/a", "n/a", "n/a", "n/a", "n/a", "4"]])
        #expect(report.forbidden == ["test/one/plain"])
    }
}
