import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench doctor", .serialized) struct DoctorCommandTests {
    private static let settings = [
        "build", "cores", "quota", "hypervisor", "steal", "load", "other work", "governor", "turbo", "timer",
        "huge pages", "layout", "memory", "swap",
        "jemalloc", "valgrind", "perf events",
    ]

    @Test func `has a line for each check, and calls a debug build one that wants attention`() throws {
        let result = try Tool.fixture("doctor", "--no-noise")
        let lines = result.output.split(separator: "\n").map(String.init)
        for check in Self.settings { #expect(lines.count { $0.hasPrefix("\(check)  ") } == 1, "\(check)") }
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.contains(#/  (fine|attention|unavailable)  +/#) })
        if Compiler.isOptimised { return }
        #expect(result.code == 4)
        #expect(
            lines.contains {
                $0.hasPrefix("build ")
                    && $0.hasSuffix(
                        "debug build, tracing on. Times of a debug build mean nothing: build with '-c release'.")
            })
        #expect(result.verdict.hasPrefix("Attention: build"))
        #expect(result.errors == "")
    }

    @Test func `measures the noise of two workloads in fresh processes`() throws {
        let result = try Tool.fixture("doctor", "--quick", "--seed", "5", "--json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let findings = try #require(json["findings"] as? [[String: Any]])
        #expect(findings.map { $0["check"] as? String } == Self.settings + ["noise: arithmetic", "noise: allocation"])
        #expect(
            findings.suffix(2).allSatisfy {
                ($0["reading"] as? String)?.hasPrefix("two runs of 15 processes see a change of ") ?? false
            })
        let readings = try JSONDecoder().decode(
            MachineReadings.self, from: JSONSerialization.data(withJSONObject: try #require(json["readings"])))
        for noise in readings.noise {
            let sides = try #require(noise.sides.value)
            #expect(sides.first.count == sides.second.count)
            #expect(sides.first.count >= 5)
            #expect((sides.first + sides.second).allSatisfy { $0 > 0 })
        }
        #expect(json["isFit"] as? Bool == (result.code == 0))
        #expect(result.errors.contains("Measuring the noise for 2 s, seed 5.\n"))
        #expect(result.errors.split(separator: "\n").last.map(String.init) == json["verdict"] as? String)
    }

    #if os(Linux)
        @Test func `names options of the allocator that the workers would inherit`() throws {
            let result = try Tool.run("RxBenchFixture", ["doctor", "--no-noise"], ["MALLOC_CONF": "junk:true"])
            #expect(
                result.output.contains(
                    /jemalloc +(attention .*MALLOC_CONF is 'junk:true'\. .*'unset MALLOC_CONF'\.|unavailable)/))
        }

        @Test func `names a process without random addresses, and an affinity of one core`() throws {
            for wrapper in [["setarch", "-R"], ["taskset", "-c", "0"]] {
                guard let path = ChildProcess.find(wrapper[0]) else { continue }
                let child = try ChildProcess(
                    executable: path,
                    arguments: wrapper.dropFirst() + [Tool.path("RxBenchFixture"), "doctor", "--no-noise"])
                let output = String(decoding: try child.wait(timeoutSeconds: 60).output, as: UTF8.self)
                let line =
                    wrapper[0] == "setarch"
                    ? #/layout +attention +this process was started/# : #/cores +attention +1 of /#
                #expect(output.contains(line))
            }
        }
    #endif

    @Test(arguments: [
        (["--quick", "--no-noise"], "'--quick' shortens the noise that '--no-noise' leaves out. Give one of them."),
        (
            ["--seed", "1", "--no-noise"],
            "'--seed' orders the processes that '--no-noise' leaves out. Give one of them."
        ),
    ]) func `options that contradict each other`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", ["doctor"] + arguments, [:])
        #expect(result.code == 64)
        #expect(result.sentence.split(separator: "\n").first.map(String.init) == "Error: \(sentence)")
    }
}
