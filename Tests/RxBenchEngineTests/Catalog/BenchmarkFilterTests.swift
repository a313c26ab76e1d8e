import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Benchmark filter") struct BenchmarkFilterTests {
    private let benchmarks = ["operator/map/create?depth=1", "operator/map/create?depth=12", "scheduler/serial/hop"].map
    { Samples.benchmark($0) }

    @Test(arguments: [
        ("map", 2), ("*?depth=12", 1), ("operator/*", 2), ("*", 3), ("tag:test", 3), ("tag:tes", 0), ("Map", 0),
        ("*serial*", 1), ("serial*", 0),
    ]) func `selects by part, glob and tag`(filter: String, count: Int) {
        #expect(BenchmarkFilter.select([filter], from: benchmarks).count == count)
    }

    @Test func `no filter selects everything, several select the union in order`() {
        #expect(BenchmarkFilter.select([], from: benchmarks).count == 3)
        #expect(
            BenchmarkFilter.select(["serial", "depth=1"], from: benchmarks).map(\.id.text) == benchmarks.map(\.id.text))
    }
}
