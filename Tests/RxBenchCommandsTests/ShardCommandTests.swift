import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench run --shard and merge", .serialized) struct ShardCommandTests {
    @Test func `two shards merge to what one run has`() throws {
        let folder = try TemporaryFolder()
        for shard in ["1/2", "2/2"] {
            let run = try Tool.fixture(
                "run", "fixture/heap", "fixture/loop/short", "fixture/loop/long", "--exact-only", "--shard", shard,
                "--output", folder.path)
            #expect(run.code == 0)
        }
        let files = folder.files.filter { $0.hasSuffix(".json") }.map { "\(folder.path)/\($0)" }
        #expect(files.count == 2)
        let merged = try Tool.run("RxBenchFixture", ["merge"] + files + ["--output", "\(folder.path)/merged"], [:])
        #expect(merged.code == 0)
        #expect(merged.verdict.hasPrefix("2 results merged: 5 benchmarks measured in "))
        let whole = try Tool.fixture(
            "run", "fixture/heap", "fixture/loop/short", "fixture/loop/long", "--exact-only", "--json", "--no-store")
        let stored = try #require(folder.files.first { $0.hasPrefix("merged/") && $0.hasSuffix(".json") })
        let one = try RunResult.decoded(from: Array(whole.output.utf8), name: "whole")
        let two = try RunResult.decoded(
            from: Array(try #require(FileManager.default.contents(atPath: "\(folder.path)/\(stored)"))), name: "merged")
        #expect(two.benchmarks.map(\.id) == one.benchmarks.map(\.id))
        let (exact, alike) = (one.benchmark("fixture/heap/exact"), two.benchmark("fixture/heap/exact"))
        #expect(exact?.metrics.map(\.name) == alike?.metrics.map(\.name))
        // Doesn't compare stability: on a busy machine, one of two processes may see its threads at work.
        #expect(exact?.metrics.map(\.reading) == alike?.metrics.map(\.reading))

        let lonely = try Tool.fixture("merge", files[0], "--no-store")
        #expect(lonely.code == 5)
        #expect(
            lonely.sentence.hasSuffix(
                """
                is missing. Name its file too, or measure it with '--shard \
                \(files[0].contains("shard-1") ? "2/2" : "1/2")'.
                """
            ))
    }

    @Test func `a part that cannot be is refused`() throws {
        let result = try Tool.fixture("run", "--shard", "9/8")
        #expect(result.code == 64)
        #expect(
            result.sentence.hasPrefix(
                "Error: '--shard 9/8' is no part: write two numbers, as in '2/8' for the second of eight.\n"))
    }

    @Test func `a shard without a benchmark is a result without one`() throws {
        let result = try Tool.fixture(
            "run", "fixture/heap/exact", "--exact-only", "--shard", "2/2", "--json", "--no-store")
        #expect(result.code == 0)
        #expect(try RunResult.decoded(from: Array(result.output.utf8), name: "output").benchmarks.isEmpty)
    }

    private static let slurm = ["slurmctld", "slurmd", "sbatch", "munged"].allSatisfy { name in
        ["/usr/sbin", "/usr/bin", "/sbin", "/bin"].contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    @Test(.enabled(if: slurm && getuid() == 0, "Slurm's daemons are not installed, or the tests do not run as root"))
    func `an array job on a real Slurm of one node`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = root.appending(path: "scripts/checks/check-slurm").path
        let child = try ChildProcess(
            executable: "/bin/bash", arguments: [script, Tool.path("RxBenchFixture"), "fixture/heap"],
            environment: ["PATH": (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/sbin"])
        let result = try child.wait(timeoutSeconds: 180)
        #expect(result.ending == .exited(0), "\(result.complaints)")
        #expect(
            String(decoding: result.output, as: UTF8.self)
                == "Slurm measured 3 benchmarks in 4 shards; merged, each is there once.\n")
    }
}
