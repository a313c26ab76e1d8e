import Testing

@testable import RxBenchEngine

@Suite("Seeded generator") struct SeededGeneratorTests {
    @Test func `a seed fixes the sequence`() {
        var generator = SeededGenerator(seed: 1_234_567)
        // The reference sequence of SplitMix64 for this seed.
        #expect(generator.next() == 6_457_827_717_110_365_317)
        #expect(generator.next() == 3_203_168_211_198_807_973)
    }
}
