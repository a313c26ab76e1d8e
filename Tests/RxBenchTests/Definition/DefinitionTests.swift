import Testing

@testable import RxBench

@Suite("Benchmark ID") struct BenchmarkIDTests {
    @Test func `path and parameters are parsed`() throws {
        let id = try BenchmarkID("operator/merge/sync?sources=8&depth=12")
        #expect(id.segments == ["operator", "merge", "sync"])
        #expect(id.parameters.map(\.name) == ["sources", "depth"])
        #expect(id.parameters.map(\.value) == ["8", "12"])
    }

    @Test(arguments: [
        ("operator", "it has no '/' after its prefix"),
        ("operator/Map", "a path segment is not made of lowercase letters, digits and hyphens"),
        ("operator//map", "a path segment is not made of lowercase letters, digits and hyphens"),
        ("operator/map?depth", "a parameter is not of the form 'name=value'"),
        ("operator/map?a=1&a=2", "a parameter appears twice"), ("operator/map?a=1?b=2", "it has more than one '?'"),
    ]) func `a text that breaks a rule is refused with the rule`(text: String, reason: String) {
        #expect(throws: InvalidBenchmarkID(text: text, reason: reason)) { try BenchmarkID(text) }
    }

    @Test func `parameters are ordered by number`() throws {
        let ids = try ["a/b?n=100", "a/b?n=2", "a/a?n=9"].map(BenchmarkID.init)
        #expect(ids.sorted().map(\.text) == ["a/a?n=9", "a/b?n=2", "a/b?n=100"])
    }
}

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

@Suite("Edit distance") struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0, 0), ("count", "count", 0, 0), ("cuont", "count", 1, 1), ("cont", "count", 1, 1),
        ("countt", "count", 1, 1), ("coumt", "count", 1, 1), ("cuont", "race/count/two", 10, 1), ("abc", "", 3, 3),
        ("", "abc", 3, 0), ("ca", "abc", 3, 1), ("kitten", "sitting", 3, 2),
    ]) func `to a name, and to the nearest part of it`(word: String, name: String, whole: Int, part: Int) {
        #expect(EditDistance.between(word, name) == whole)
        #expect(EditDistance.between(word, andAnyPartOf: name) == part)
    }

    @Test func `a part with a mistake comes before names with some letters in common`() {
        let names = ["kit/continuation/once", "kit/amount/one", "kit/count/two"]
        #expect(BenchmarkFilter.nearest(to: "cuont", among: names).first == "kit/count/two")
    }
}

@Suite("Machine name") struct MachineNameTests {
    @Test(arguments: [
        ("AMD EPYC", "linux-x86_64-amd-epyc-2c"),
        ("Intel(R) Xeon(R) CPU E5-2670 v3 @ 2.30GHz", "linux-x86_64-intel-xeon-e5-2670-v3-2c"),
        ("AMD EPYC 7763 64-Core Processor", "linux-x86_64-amd-epyc-7763-64-2c"),
    ]) func `is made of processor words without marketing`(processor: String, slug: String) {
        #expect(MachineName.slug(system: "Linux", architecture: "x86_64", processor: processor, cores: 2) == slug)
    }

    @Test func `an unknown processor has a name too`() {
        #expect(
            MachineName.slug(system: "Linux", architecture: "aarch64", processor: nil, cores: 4)
                == "linux-aarch64-unknown-4c")
    }
}
