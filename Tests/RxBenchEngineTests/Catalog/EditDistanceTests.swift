import Testing

@testable import RxBenchEngine

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
