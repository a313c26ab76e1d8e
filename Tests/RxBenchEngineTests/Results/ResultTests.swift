import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Results") struct ResultTests {
    @Test func `a result survives coding`() throws {
        for result in [Samples.complete, Samples.merged] {
            #expect(try RunResult.decoded(from: result.encoded(), name: "sample") == result)
        }
    }

    private func document(_ result: RunResult) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.encoded())) as? [String: Any])
    }

    @Test func `equal readings are one number, and their count is in the table`() throws {
        let document = try document(Samples.complete)
        let benchmark = try #require((document["benchmarks"] as? [[String: Any]])?.first)
        let figures = try #require(benchmark["figures"] as? [String: Any])
        #expect(figures[Metric.allocations] as? Double == 4)
        let table = try #require(document["metrics"] as? [[String: Any]])
        #expect(table.first { $0["name"] as? String == Metric.allocations }?["readings"] as? Int == 2)
    }

    @Test func `a reason that holds for all benchmarks is in the table alone`() throws {
        let document = try document(Samples.complete)
        let table = try #require(document["metrics"] as? [[String: Any]])
        let row = table.first { $0["name"] as? String == Metric.liveResources }
        #expect(row?["unavailable"] as? String == "planted reason")
        let text = String(decoding: Samples.complete.encoded(), as: UTF8.self)
        #expect(text.components(separatedBy: "planted reason").count == 2)
    }

    @Test func `a file of version 1 is read`() throws {
        var document = try document(Samples.complete)
        document["schemaVersion"] = 1
        document["metrics"] = nil
        let metrics: [[String: Any]] = [
            [
                "name": "time", "unit": "ns/operation", "kind": "sampled", "value": 2, "values": [1, 2, 3],
                "interval": ["low": 1, "high": 3, "confidence": 0.75], "quantiles": ["0.5": 2],
                "samples": [[1], [2], [3]], "scatter": ["oddities": [String]()],
            ],
            [
                "name": "objects", "unit": "count", "kind": "exact", "value": NSNull(), "unavailable": "old",
                "values": [],
            ],
        ]
        var benchmarks = try #require(document["benchmarks"] as? [[String: Any]])
        for index in benchmarks.indices {
            benchmarks[index]["figures"] = nil
            benchmarks[index]["metrics"] = index == 0 ? metrics : []
        }
        document["benchmarks"] = benchmarks
        let bytes = Array(try JSONSerialization.data(withJSONObject: document))
        let read = try #require(try RunResult.decoded(from: bytes, name: "old").benchmarks.first)
        #expect(read.metric("time")?.values == [1, 2, 3])
        #expect(read.metric("time")?.interval?.confidence == 0.75)
        #expect(read.metric("objects")?.reading == .unavailable("old"))
    }

    @Test(arguments: [-1, 1_001, 9_000_000_000_000_000]) func `an absurd number of readings is refused`(
        count: Int
    ) throws {
        var document = try document(Samples.complete)
        var table = try #require(document["metrics"] as? [[String: Any]])
        for index in table.indices { table[index]["readings"] = count }
        document["metrics"] = table
        let bytes = Array(try JSONSerialization.data(withJSONObject: document))
        #expect(throws: ResultError.foreign("absurd")) { try RunResult.decoded(from: bytes, name: "absurd") }
    }

    @Test func `reduced latencies keep the reported quantiles, the smallest and the number`() {
        let buckets = (1...5_000).map { LatencyBucket(nanoseconds: UInt64($0 * $0), count: UInt64(1 + $0 % 3)) }
        let whole = LatencyDistribution(buckets)
        let reduced = whole.reduced
        #expect(reduced.buckets.count < 25)
        #expect(reduced.count == whole.count)
        #expect(reduced.buckets.first?.nanoseconds == 1)
        for (_, probability) in LatencyDistribution.reported {
            #expect(reduced.quantile(probability) == whole.quantile(probability))
        }
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
