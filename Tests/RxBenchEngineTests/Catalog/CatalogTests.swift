import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Catalog") struct CatalogTests {
    @Test func `a duplicate is refused across suites`() {
        let suites = [Suite("A", [Samples.benchmark()]), Suite("B", [Samples.benchmark()])]
        let error = #expect(throws: CatalogError.self) { try Catalog(suites) }
        #expect(
            error?.description
                == "Two benchmarks are called 'test/one/plain'. Rename one of them: results are matched by ID.")
    }

    @Test func `a baseline that does not exist is refused`() {
        let error = #expect(throws: CatalogError.self) {
            try Catalog([Suite("A", [Samples.benchmark(relativeTo: "test/no/where")])])
        }
        #expect(
            error?.description == """
                'test/one/plain' is relative to 'test/no/where', which is no other benchmark of these suites. Correct \
                'relativeTo:' or add the benchmark.
                """)
    }
}
