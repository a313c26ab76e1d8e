import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

private let time = MetricDefinition(name: Metric.time, unit: "ns/operation")
private let allocations = MetricDefinition(name: Metric.allocations, unit: "count/iteration")

/// Deviations of about 1 %, without a change of level.
private let noise = [
    0.4, -0.9, 0.7, -0.2, 1.1, -1.2, 0.1, 0.6, -0.7, -0.4, 0.9, -0.1, -1.0, 0.8, 0.3, -0.6, 1.3, -0.8, 0.2, -0.3,
]

/// Returns a hash whose first seven characters identify a commit in a test: `1222222…` for index 12.
private func sha(_ index: Int) -> String { "\(index / 10)" + String(repeating: "\(index % 10)", count: 39) }

private func result(
    _ index: Int, time value: Double, count: Double = 5, control: Double = 1, machine: String = "linux-test-2c",
    commit: String? = nil,
    allocator: String? = nil, swift: String = "6.3.1", isStable: Bool = true
) -> ResultSummary {
    ResultSummary(
        date: "2026-03-15T12:00:\(index < 10 ? "0" : "")\(index)Z", machine: machine,
        configuration: "release",
        isTracing: false, allocator: allocator, swiftVersion: .value(swift),
        commit: .value(Commit(sha: commit ?? sha(index), isDirty: false)),
        control: .value(control),
        benchmarks: [
            ResultSummary.Benchmark(
                id: "test/one/plain", tags: ["test"], operations: 10, failure: nil,
                metrics: [
                    ResultSummary.Figure(
                        name: time.name, unit: time.unit, kind: .sampled, reading: .value(value), isStable: nil),
                    ResultSummary.Figure(
                        name: allocations.name, unit: allocations.unit, kind: .exact, reading: .value(count),
                        isStable: isStable),
                ])
        ])
}

private let history = Reading.value(CommitHistory((0..<20).map(sha)))

private func trend(_ results: [ResultSummary], history: Reading<CommitHistory> = history) -> Trend {
    Trend(results, history: history)
}

private func planted(_ index: Int) -> Double { (index < 12 ? 2.39 : 2.81) * (1 + noise[index] / 100) }

private func changes(_ trend: Trend) -> [Trend.Change] { trend.groups.flatMap(\.series).flatMap(\.changes) }

@Suite("Trend") struct TrendTests {
    @Test func `a planted slowdown and a planted allocation name their commits, and the clean twin has none`() {
        let results = (0..<20).map { result($0, time: planted($0), count: $0 < 5 ? 5 : 6) }
        let found = trend(results)
        #expect(changes(found).map(\.lastBefore) == [11, 4])
        #expect(changes(found).map(\.firstAfter) == [12, 5])
        let report = TrendReport(found)
        #expect(
            report.changes(found.groups[0]).text == """
                between              benchmark       metric      before    after            change         [low high]  \
                doubt
                0444444 and 0555555  test/one/plain  allocs/op    0.500    0.600  +0.100 (+20.0 %)
                1111111 and 1222222  test/one/plain  time/op    2.39 ns  2.81 ns           +17.5 %  [+16.2 % +18.8 %]
                """)
        #expect(report.verdict == "2 changes in 1 benchmark over 20 results: 2 for the worse.")
        let clean = trend((0..<20).map { result($0, time: 2.39 * (1 + noise[$0] / 100)) })
        #expect(changes(clean) == [])
        #expect(TrendReport(clean).verdict == "No change in 1 benchmark over 20 results.")
        #expect(TrendReport(clean).notes == [])
    }

    @Test func `results are in the order of commits, not of time, and strangers come last`() {
        let results = [
            result(1, time: 1, commit: sha(3)), result(2, time: 2, commit: "stranger"),
            result(3, time: 3, commit: sha(0)),
        ]
        let found = trend(results)
        #expect(found.groups[0].series[0].figures == [3, 1, 2])
        #expect(found.groups[0].points.map(\.isInHistory) == [true, true, false])
        #expect(
            found.orderNote
                == "1 of 3 results comes last: its commit is not among the first parents of the one checked out here.")
        #expect(
            trend(results, history: .unavailable("git is not installed")).orderNote
                == "The results are in the order of time: git is not installed.")
    }

    @Test func `results of another machine are kept apart`() {
        let results = (0..<20).map { result($0, time: planted($0), machine: $0 < 12 ? "linux-a-2c" : "linux-b-2c") }
        let found = trend(results)
        #expect(found.groups.map(\.machine) == ["linux-a-2c", "linux-b-2c"])
        #expect(changes(found) == [])
        #expect(
            TrendReport(found).heading(found.groups[0]) == "linux-a-2c, release: 12 results, from 0000000 to 1111111")
    }

    @Test func `a change that the control loop, the compiler or one commit explains says so`() {
        func reservations(_ make: (Int) -> ResultSummary) -> [[String]] {
            changes(trend((0..<20).map(make))).map(\.reservations)
        }
        #expect(reservations { result($0, time: planted($0)) } == [[]])
        #expect(
            reservations { result($0, time: planted($0), control: planted($0) / 2.39) }
                == [["the control loop moved by +17.5 % there, so that it may be the machine's"]])
        #expect(
            reservations { result($0, time: planted($0), allocator: $0 < 12 ? nil : "glibc 2.36") }
                == [["the allocator changed from jemalloc to glibc"]])
        #expect(
            reservations { result($0, time: planted($0), swift: $0 < 12 ? "6.3.1" : "6.4") }
                == [["the compiler changed from '6.3.1' to '6.4'"]])
        #expect(
            reservations { result($0, time: planted($0), commit: sha(0)) }
                == [["both results are of one commit, so that it is not the code's"]])
    }

    @Test func `a count that differs between iterations, or between runs of one commit, is no exact one`() {
        let unstable = trend((0..<20).map { result($0, time: 1, count: Double($0 % 2), isStable: false) })
        #expect(changes(unstable) == [])
        #expect(
            unstable.groups[0].series[1].note
                == "judged as a sampled metric, because the count differs between iterations")
        let repeated = trend((0..<20).map { result($0, time: 1, count: Double($0 % 2), commit: sha($0 / 2)) })
        #expect(changes(repeated) == [])
        #expect(
            repeated.groups[0].series[1].note
                == "judged as a sampled metric, because the count differs between runs of one commit")
    }

    @Test func `changes below the margin are left out`() {
        let results = (0..<20).map { result($0, time: planted($0)) }
        #expect(changes(Trend(results, history: history, rules: Trend.Rules(margin: 0.2))) == [])
        #expect(changes(Trend(results, history: history, rules: Trend.Rules(margin: 0.1))).count == 1)
    }

    @Test func `the overview has a line for each benchmark`() {
        let found = trend((0..<4).map { result($0, time: Double($0 + 1)) })
        #expect(
            TrendReport(found).overview(found.groups[0], hasSparklines: true).text == """
                benchmark       metric   results    first   latest  changes  history
                test/one/plain  time/op        4  1.00 ns  4.00 ns           ▁▃▆█
                """)
        #expect(
            TrendReport(found).notes == [
                """
                linux-test-2c, release: fewer than 10 results; changes of sampled metrics cannot be \
                distinguished from noise yet.
                """
            ])
    }

    @Test func `sparklines show gaps, share blocks and keep to the middle without a range`() {
        #expect(Sparkline.text([1, nil, 8]) == "▁ █")
        #expect(Sparkline.text([1, 1, 8, 8], width: 2) == "▁█")
        #expect(Sparkline.text([2, 2]) == "▄▄")
        #expect(Sparkline.text([nil]) == "")
    }
}
