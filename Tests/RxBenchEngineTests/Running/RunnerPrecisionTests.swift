import RxBench
import Testing

@testable import RxBenchEngine

/// Returns times with a known spread, and records its requests.
private final class NoisyLauncher: WorkerLauncher {
    private(set) var requests: [WorkerRequest] = []
    private var generator: SeededGenerator
    private let spread: [String: Double]

    init(seed: UInt64, spread: [String: Double]) {
        generator = SeededGenerator(seed: seed)
        self.spread = spread
    }

    func reply(to request: WorkerRequest) -> WorkerReply {
        requests.append(request)
        guard request.pass == .time else { return WorkerReply() }
        let median = 100 + (spread[request.id] ?? 0) * Double.random(in: -1...1, using: &generator)
        var reply = WorkerReply()
        reply.time = TimeSeries(median: median, samples: [median], control: 1, iterations: 1)
        return reply
    }
}

@Suite("Precision of a run") struct RunnerPrecisionTests {
    private let benchmarks = ["test/quiet/x", "test/noisy/x"].map { Samples.benchmark($0) }

    private func run(
        seed: UInt64 = 1, precision: Double?, processes: Int = 40
    ) throws -> (results: [BenchmarkResult], counts: [String: Int]) {
        let launcher = NoisyLauncher(seed: seed, spread: ["test/quiet/x": 0.1, "test/noisy/x": 30])
        let results = try Runner(launcher: launcher, options: RunOptions(processes: processes, precision: precision))
            .run(benchmarks).results
        let times = launcher.requests.filter { $0.pass == .time }
        return (results, Dictionary(grouping: times, by: \.id).mapValues(\.count))
    }

    @Test func `a quiet benchmark stops at the first look, a noisy one goes on`() throws {
        let run = try run(precision: 0.01)
        #expect(run.counts == ["test/quiet/x": 10, "test/noisy/x": 40])
        #expect(run.results[0].metric(Metric.time)?.interval?.confidence == 0.95)
    }

    @Test func `without a precision every process runs`() throws {
        let run = try run(precision: nil)
        #expect(run.counts == ["test/quiet/x": 40, "test/noisy/x": 40])
        // The narrowest interval of order statistics with a confidence of at least 95 %.
        #expect(run.results[0].metric(Metric.time)?.interval?.confidence ?? 0 > 0.95)
    }

    @Test func `too few processes at a look settle nothing`() throws {
        // The interval of two of the eight processes has a confidence of 50 %.
        #expect(try run(precision: 1, processes: 8).counts["test/quiet/x"] ?? 0 > 2)
    }

    @Test func `intervals that may stop at any look hold the truth as often as they say`() throws {
        var held = 0
        var stoppedEarly = 0
        for seed in 0..<200 as Range<UInt64> {
            let run = try run(seed: seed, precision: 0.18)
            guard let interval = run.results[1].metric(Metric.time)?.interval else { continue }
            if interval.low <= 100, 100 <= interval.high { held += 1 }
            if run.counts["test/noisy/x"] != 40 { stoppedEarly += 1 }
        }
        #expect(held >= 188)
        // Some runs must have stopped early, or the test would prove nothing.
        #expect(stoppedEarly > 20)
    }
}
