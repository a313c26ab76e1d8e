import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Counting instructions") struct InstructionCountingTests {
    private let none = Reading<String>.unavailable("the processor shows no counter")

    private func choose(
        perfEvents: Reading<String>, valgrind: String? = "/usr/bin/valgrind", canAskValgrind: Bool = true,
        wantsCallgrind: Bool = true
    ) -> InstructionCounting {
        .choose(
            perfEvents: perfEvents, valgrind: valgrind, canAskValgrind: canAskValgrind, wantsCallgrind: wantsCallgrind)
    }

    @Test func `the processor's counter goes first, then callgrind where it is wanted`() {
        #expect(choose(perfEvents: .value("available"), wantsCallgrind: false) == .perfEvents)
        #expect(choose(perfEvents: .value("available")) == .perfEvents)
        #expect(choose(perfEvents: none) == .callgrind(valgrind: "/usr/bin/valgrind"))
    }

    @Test func `what is missing is said with its remedy`() {
        #expect(
            choose(perfEvents: none, wantsCallgrind: false)
                == .unavailable(
                    "the processor shows no counter; run with '--instructions' to count them under callgrind"))
        #expect(
            choose(perfEvents: none, valgrind: nil)
                == .unavailable(
                    """
                    the processor shows no counter, and valgrind is not installed; install it ('apt-get install \
                    valgrind') and run with '--instructions'
                    """
                ))
        #expect(
            choose(perfEvents: none, canAskValgrind: false)
                == .unavailable(
                    "the processor shows no counter, and callgrind counts for Linux on x86_64 and arm64 alone"))
    }

    @Test func `the total of a file of callgrind's is the number behind its last mark`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rxbench-\(UUID().uuidString)").path
        defer { unlink(path) }
        func total(of text: String) throws -> Double? {
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            return CallgrindProbe.total(inFile: path)
        }
        #expect(
            try total(
                of: "events: Ir\nsummary: 7\n\nfn=(1) main\n\(String(repeating: "1 1\n", count: 500))\ntotals: 158460\n"
            ) == 158_460)
        #expect(try total(of: "totals: 3\n") == 3)
        #expect(try total(of: "events: Ir\n") == nil)
        #expect(try total(of: "") == nil)
        #expect(CallgrindProbe.total(inFile: "/nowhere/at-all") == nil)
    }

    @Test func `outside of valgrind there is no probe of callgrind's`() {
        #expect(CallgrindProbe(output: "/tmp/none") == nil)
    }

    @Test func `the figure of instructions is the least of the iterations`() {
        #expect(Metric.exact(.instructions, [105, 100, 103]).reading == .value(100))
        #expect(Metric.exact(Samples.allocations, [5, 3, 4]).reading == .value(4))
    }

    @Test func `races and latencies are not counted, and say why`() throws {
        let probe = Counter()
        let race = Benchmark("test/race/x", decides: "Nothing.") { Workload.outcomes { _ in } }
        #expect(
            try InstructionPass.run(race, probe: probe).exact.map(\.readings)
                == [[.unavailable("how many instructions a race takes depends on how its threads meet")]])
        let latency = Benchmark("test/latency/x", decides: "Nothing.") { Workload.latencies { _ in } }
        #expect(
            try InstructionPass.run(latency, probe: probe).exact.map(\.readings)
                == [[.unavailable("a workload that measures latencies waits, and waiting takes instructions")]])
    }

    /// Counts its readings.
    private final class Counter: MetricProbe {
        let metrics = [MetricDefinition.instructions]
        private var count = 0.0
        func start() { count += 1 }
        func stop() -> [MetricReading] { [.value(count)] }
    }

    @Test func `the first reading is discarded`() throws {
        let plain = Benchmark("test/plain/x", decides: "Nothing.") { Workload {} }
        let readings = try InstructionPass.run(plain, probe: Counter()).exact.map(\.readings)
        #expect(readings == [[.value(2), .value(3), .value(4), .value(5), .value(6)]])
    }
}
