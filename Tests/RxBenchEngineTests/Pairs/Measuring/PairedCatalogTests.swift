import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Counts of both sides") struct PairedCatalogTests {
    /// Counts one pair for each process. All later processes count the last pair.
    private func counted(
        _ pairs: [(base: Double, head: Double)], isThreaded: Bool
    ) throws -> (difference: ExactDifference?, processes: Int) {
        let definition = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
        func reply(_ count: Double) -> WorkerReply {
            WorkerReply(exact: [
                ExactSeries(
                    definition: definition, readings: Array(repeating: .value(count), count: 5), isThreaded: isThreaded)
            ])
        }
        var processes = 0
        let benchmark = try CountedBenchmark(id: "a", operations: 1) { _ throws(Interrupted) in
            processes += 1
            let pair = pairs[min(processes, pairs.count) - 1]
            return (reply(pair.base), reply(pair.head))
        }
        return (benchmark.collections(layouts: 1)[0].exact[0].difference, processes)
    }

    @Test func `what threads allocate in one process and not in the next is no difference`() throws {
        let once = try counted([(50, 100), (50, 50)], isThreaded: true)
        #expect(once.difference == .varies)
        #expect(once.processes == 2)
        let late = try counted(Array(repeating: (100, 50), count: 6) + [(100, 100)], isThreaded: true)
        #expect(late.difference == .varies)
        #expect(late.processes == 7)
    }

    @Test func `what threads allocate in each process of one side is a difference`() throws {
        let more = try counted([(50, 100)], isThreaded: true)
        #expect(more.difference == .more)
        #expect(more.processes == ExactComparison.varyingProcesses)
    }

    @Test func `a little more in each process is found, and what is below the margin is not`() throws {
        #expect(try counted([(22, 28), (23, 27), (22, 29)], isThreaded: true).difference == .more)
        #expect(try counted([(3_601, 3_602)], isThreaded: true).difference == .varies)
        #expect(try counted([(28, 22), (27, 23), (29, 22)], isThreaded: true).difference == .fewer)
    }

    @Test func `equal counts, and those of one thread, are counted once`() throws {
        #expect(try counted([(50, 50)], isThreaded: true) == (.equal, 1))
        #expect(try counted([(50, 51)], isThreaded: false) == (.more, 1))
    }
}
