import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Results") struct ResultTests {
    @Test func `a result survives coding`() throws {
        #expect(try RunResult.decoded(from: Samples.complete.encoded(), name: "sample") == Samples.complete)
    }

    @Test func `a missing value is null with its reason`() throws {
        let metric = Metric.unavailable(Samples.allocations, .exact, because: "planted")
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(metric)) as? [String: Any]
        #expect(object?["value"] is NSNull)
        #expect(object?["unavailable"] as? String == "planted")
    }

    @Test func `the file's name holds date, commit and dirty flag`() {
        #expect(ResultStore.stem(of: Samples.complete) == "20260315T120000Z-0123456789ab")
        let dirty = Samples.result([], commit: Commit(sha: Samples.commit.sha, isDirty: true))
        #expect(ResultStore.stem(of: dirty) == "20260315T120000Z-0123456789ab-dirty")
        #expect(ResultStore.stem(of: Samples.result([], commit: nil)) == "20260315T120000Z-nocommit")
    }

    @Test func `latest, previous and commits are found, and nothing is replaced`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rxbench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = ResultStore(folder: folder)
        let first = try store.store(Samples.result([]))
        let second = try store.store(Samples.result([]))
        let other = Commit(sha: "0123ffff89abcdef0123456789abcdef01234567", isDirty: false)
        let third = try store.store(Samples.result([], commit: other, date: "2026-03-16T12:00:00Z"))
        #expect(Set([first, second, third]).count == 3)
        let machine = Samples.environment.machine
        #expect(try store.result(named: "latest", machine: machine).path == third)
        #expect(try store.result(named: "previous", machine: machine).path == second)
        #expect(try store.result(named: "0123ffff89abcdef0123456789abcdef01234567", machine: machine).path == third)
        #expect(throws: ResultError.ambiguousCommit("0123", ["0123456789ab", "0123ffff89ab"])) {
            try store.result(named: "0123", machine: machine)
        }
        #expect(throws: ResultError.unknownCommit("ffff")) { try store.result(named: "ffff", machine: machine) }
        #expect(throws: ResultError.tooFew("latest", stored: 0)) {
            try store.result(named: "latest", machine: "elsewhere")
        }
    }

    @Test func `quantiles of a distribution are the smallest duration that enough do not exceed`() {
        let distribution = LatencyDistribution([
            .init(nanoseconds: 10, count: 90), .init(nanoseconds: 5, count: 9), .init(nanoseconds: 99, count: 1),
        ])
        #expect(distribution.quantile(0.05) == 5)
        #expect(distribution.quantile(0.99) == 10)
        #expect(distribution.quantile(0.999) == 99)
        #expect(LatencyDistribution([]).quantile(0.5) == nil)
    }

    @Test func `outcomes of several processes are added up, forbidden first`() {
        let one = [RaceOutcome(label: "a", expectation: .acceptable, count: 2)]
        let two = [
            RaceOutcome(label: "a", expectation: .acceptable, count: 3),
            RaceOutcome(label: "z", expectation: .forbidden, count: 1),
        ]
        #expect(one.merged(with: two) == [two[1], RaceOutcome(label: "a", expectation: .acceptable, count: 5)])
    }
}

@Suite("Commit") struct CommitTests {
    @Test func `a folder outside a repository has no commit, with a reason`() throws {
        #expect(Commit.current(in: URL(fileURLWithPath: "/")) == .unavailable("not in a git repository with a commit"))
    }

    @Test func `stored results do not make a commit dirty, other files do`() throws {
        let git = try #require(ChildProcess.find("git"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "rxbench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "results"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for arguments in [
            ["init", "-q"],
            ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--no-verify", "--allow-empty", "-m", "t"],
        ] {
            let child = try ChildProcess(executable: git, arguments: ["-C", folder.path] + arguments)
            #expect(try child.wait(timeoutSeconds: 20).ending == .exited(0))
        }
        try Data().write(to: folder.appending(path: "results/one.json"))
        #expect(Commit.current(in: folder).value?.isDirty == false)
        // A suite in a subfolder stores its results there.
        let suite = folder.appending(path: "Benchmarks")
        try FileManager.default.createDirectory(
            at: suite.appending(path: "results"), withIntermediateDirectories: true)
        try Data().write(to: suite.appending(path: "results/one.json"))
        #expect(Commit.current(in: suite).value?.isDirty == false)
        try Data().write(to: folder.appending(path: "planted.swift"))
        #expect(Commit.current(in: suite).value?.isDirty == true)
        #expect(Commit.current(in: folder).value?.isDirty == true)
    }
}

@Suite("Child process") struct ChildProcessTests {
    @Test func `output, errors and exit code are collected`() throws {
        let child = try ChildProcess(executable: "/bin/sh", arguments: ["-c", "echo out; echo err >&2; exit 3"])
        let result = try child.wait(timeoutSeconds: 20)
        #expect(result.ending == .exited(3))
        #expect(String(decoding: result.output, as: UTF8.self) == "out\n")
        #expect(result.complaints == "err\n")
    }

    @Test func `a program that cannot be started is an error`() {
        #expect(throws: ChildProcess.StartError.self) { try ChildProcess(executable: "/nowhere", arguments: []) }
    }

    @Test func `the fatal error's line is part of the failure, without its path`() {
        let result = ChildProcess.Result(
            ending: .killed(signal: 4), output: [],
            complaints: "noise\nSomewhere/File.swift:3: Fatal error: Index out of range\n")
        #expect(
            ProcessLauncher.failure(of: result, timeoutSeconds: 1, task: "Planting")
                == "Its process crashed with signal 4. It said 'File.swift:3: Fatal error: Index out of range'.")
    }

    @Test func `a program that takes too long is said to, with what it was doing`() {
        let result = ChildProcess.Result(ending: .timedOut, output: [], complaints: "")
        #expect(
            ProcessLauncher.failure(of: result, timeoutSeconds: 60, task: "Planting")
                == "Planting did not end within 60 s; '--timeout' allows more.")
        #expect(
            ProcessLauncher.failure(of: result, timeoutSeconds: 0.5, task: "Its check")
                == "Its check did not end within 0.5 s; '--timeout' allows more.")
    }
}
