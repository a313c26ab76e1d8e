import RxBench
import Testing

@testable import RxBenchEngine

/// Returns replies from a script, and records its requests.
private final class ScriptedLauncher: WorkerLauncher {
    private(set) var requests: [WorkerRequest] = []
    let script: (WorkerRequest) -> WorkerReply

    init(_ script: @escaping (WorkerRequest) -> WorkerReply) { self.script = script }

    func reply(to request: WorkerRequest) -> WorkerReply {
        requests.append(request)
        return script(request)
    }
}

private func timed(_ median: Double) -> WorkerReply {
    var reply = WorkerReply()
    reply.time = TimeSeries(median: median, samples: [median], control: 1, iterations: 1)
    return reply
}

@Suite("Runner") struct RunnerTests {
    private let benchmarks = ["test/a/x", "test/b/x", "test/c/x"].map { Samples.benchmark($0) }

    @Test func `every benchmark gets one exact pass first, then its processes in rounds`() throws {
        let launcher = ScriptedLauncher { _ in timed(1) }
        _ = try Runner(launcher: launcher, options: RunOptions(processes: 4)).run(benchmarks)
        #expect(launcher.requests.prefix(3).map(\.pass) == [.exact, .exact, .exact])
        #expect(launcher.requests.dropFirst(3).allSatisfy { $0.pass == .time })
        #expect(launcher.requests.count == 15)
        for round in 1...4 {
            #expect(
                Set(launcher.requests[(round * 3)..<(round * 3 + 3)].map(\.id)) == ["test/a/x", "test/b/x", "test/c/x"])
        }
    }

    @Test func `a seed fixes the order, another gives another`() throws {
        func order(_ seed: UInt64) throws -> [String] {
            let launcher = ScriptedLauncher { _ in timed(1) }
            _ = try Runner(launcher: launcher, options: RunOptions(processes: 9, seed: seed)).run(benchmarks)
            return launcher.requests.map(\.id)
        }
        #expect(try order(1) == order(1))
        #expect(try order(1) != order(2))
    }

    @Test func `the figure is the median of the process medians`() throws {
        var medians = [3.0, 1, 2].makeIterator()
        let launcher = ScriptedLauncher { $0.pass == .time ? timed(medians.next() ?? 0) : WorkerReply() }
        let result = try #require(
            try Runner(launcher: launcher, options: RunOptions(processes: 3)).run([benchmarks[0]]).results.first)
        let time = try #require(result.metric(Metric.time))
        #expect(time.reading == .value(2))
        #expect(time.values == [3, 1, 2])
        #expect(time.interval == Metric.Interval(low: 1, high: 3, confidence: 0.75))
    }

    @Test func `a failed benchmark is not run again and the others continue`() throws {
        let launcher = ScriptedLauncher { $0.id == "test/b/x" ? WorkerReply(failure: "Planted.") : timed(1) }
        let results = try Runner(launcher: launcher, options: RunOptions(processes: 4)).run(benchmarks).results
        #expect(launcher.requests.count { $0.id == "test/b/x" } == 1)
        #expect(results.map(\.failure) == [nil, "Planted.", nil])
        #expect(results[1].metrics == [])
    }

    @Test(arguments: [(true, Runner.threadedProcesses), (false, 1)])
    func `counts of several threads are those of several processes`(_ isThreaded: Bool, _ processes: Int) throws {
        let definition = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
        var counts = [50.0, 100, 50, 50].makeIterator()
        let launcher = ScriptedLauncher { request in
            guard request.pass == .exact else { return timed(1) }
            let readings = Array(repeating: MetricReading.value(counts.next() ?? -1), count: 5)
            return WorkerReply(
                exact: [ExactSeries(definition: definition, readings: readings, isThreaded: isThreaded)])
        }
        let result = try #require(
            try Runner(launcher: launcher, options: RunOptions(processes: 2)).run([benchmarks[0]]).results.first)
        let metric = try #require(result.metric(Metric.allocations))
        #expect(result.metrics.count { $0.name == Metric.allocations } == 1)
        #expect(metric.values.count == 5 * processes)
        #expect(metric.values.max() == (isThreaded ? 100 : 50))
        #expect(launcher.requests.map(\.pass) == Array(repeating: .exact, count: processes) + [.time, .time])
    }

    @Test func `a reading that fails once makes the metric unavailable, never 0`() throws {
        let definition = MetricDefinition(name: "planted", unit: "count")
        let launcher = ScriptedLauncher { request in
            var reply = timed(1)
            if request.pass == .exact {
                reply.exact = [
                    ExactSeries(definition: definition, readings: [.value(0), .unavailable("planted reason")])
                ]
            }
            return reply
        }
        let results = try Runner(launcher: launcher, options: RunOptions(processes: 1)).run([benchmarks[0]]).results
        #expect(results.first?.metric("planted")?.reading == .unavailable("planted reason"))
        #expect(results.first?.metric("planted")?.values == [])
    }
}

@Suite("Time budget") struct TimeBudgetTests {
    @Test func `seventy benchmarks share two minutes`() {
        let slice = TimeBudget(now: 0, totalSeconds: 120).slice(now: 0, remaining: 700)
        #expect(slice == 131_428_571)
    }

    @Test func `few benchmarks get no more than the longest slice, late ones no less than the shortest`() {
        let budget = TimeBudget(now: 0, totalSeconds: 120)
        #expect(budget.slice(now: 0, remaining: 10) == 250_000_000)
        #expect(budget.slice(now: 200_000_000_000, remaining: 10) == 8_000_000)
    }

    @Test func `slow processes shorten the slices that follow`() {
        var budget = TimeBudget(now: 0, totalSeconds: 120)
        budget.record(150_000_000, slice: 50_000_000)
        #expect(budget.slice(now: 0, remaining: 700) < 131_428_571)
    }
}

@Suite("Passes") struct PassTests {
    @Test(arguments: [(1234.567, 1235.0), (0.0012345, 0.001235), (0, 0), (99_999, 100_000), (-2.71828, -2.718)])
    func `four significant digits`(value: Double, rounded: Double) {
        #expect(abs(value.rounded(toSignificantDigits: 4) - rounded) < 1e-12)
    }

    @Test func `thinning keeps the order and spreads evenly`() {
        #expect(TimePass.thin([1, 2, 3, 4, 5, 6, 7, 8], to: 4) == [1, 3, 5, 7])
        #expect(TimePass.thin([2, 1], to: 4) == [2, 1])
    }

    @Test func `a probe runs in iterations of its own`() throws {
        final class Recorder: MetricProbe {
            let metrics = [MetricDefinition(name: "iterations", unit: "count")]
            let count: () -> Int
            var before = 0
            init(_ count: @escaping () -> Int) { self.count = count }
            func start() { before = count() }
            func stop() -> [MetricReading] { [.value(Double(count() - before))] }
        }
        final class Counter: @unchecked Sendable { var value = 0 }  // Unchecked: used on one thread.
        let counter = Counter()
        let benchmark = Benchmark("test/probe/own", decides: "Nothing.") { Workload { counter.value += 1 } }
        let reply = try ExactPass.run(benchmark, probes: [Recorder { counter.value }, Recorder { counter.value }])
        #expect(
            reply.exact.map(\.readings) == [[MetricReading]](repeating: .init(repeating: .value(1), count: 5), count: 2)
        )
        #expect(counter.value == 12)
    }

    /// Counts to ten in each of the first `limit` iterations.
    private func tiring(after limit: Int) -> Benchmark {
        Benchmark("test/check/tiring", decides: "Nothing.") {
            var iterations = 0
            var count = 0
            return Workload(check: { try confirm(count, is: 10) }) {
                iterations += 1
                count = iterations > limit ? 3 : 10
            }
        }
    }

    private final class Idle: MetricProbe {
        let metrics = [MetricDefinition.instructions]
        func start() {}
        func stop() -> [MetricReading] { [.value(1)] }
    }

    /// Returns the refusal of each pass. The last pass but one measures `benchmark`; the last uses it as a baseline.
    private func refusals(of benchmark: Benchmark) -> [String?] {
        func refusal(_ pass: () throws -> WorkerReply) -> String? {
            do { _ = try pass() } catch { return "\(error)" }
            return nil
        }
        return [
            refusal { try ExactPass.run(benchmark, probes: [Idle()]) },
            refusal { try InstructionPass.run(benchmark, probe: Idle()) },
            refusal { try TimePass.run(benchmark, baseline: nil, budgetNanoseconds: 1, sampleLimit: 1) },
            refusal {
                try TimePass.run(tiring(after: .max), baseline: benchmark, budgetNanoseconds: 1, sampleLimit: 1)
            },
        ]
    }

    @Test func `work that stops is noticed after the last iteration of every pass, and its clean twin is measured`() {
        let sentence = "Its check expected 10 and got 3 after the last iteration."
        #expect(
            refusals(of: tiring(after: 3)) == [
                sentence, sentence, sentence, "Its baseline 'test/check/tiring' was refused: \(sentence)",
            ])
        #expect(refusals(of: tiring(after: .max)) == [nil, nil, nil, nil])
        #expect(refusals(of: tiring(after: 0)).first == "Its check expected 10 and got 3 after the first iteration.")
    }
}
