import Testing

@testable import RxBenchEngine

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
