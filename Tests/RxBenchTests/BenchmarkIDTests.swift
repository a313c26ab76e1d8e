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
