import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("Merging results") struct ResultMergeTests {
    private func shard(
        _ text: String?, _ ids: [String], seed: UInt64 = 1, processes: Int = 15, machine: String = "linux-test-2c",
        commit: String = "0123456789ab",
        arguments: [String] = ["run", "--shard", "1/2", "--seed", "1"]
    ) throws -> RunResult {
        let sample = SampleRun.run(ids.map { SampleRun.timed($0, 10) })
        let text = String(
            decoding: RunResult(
                run: RunInformation(
                    date: "2026-03-15T12:00:0\(seed)Z", arguments: arguments, seed: seed, processes: processes,
                    durationSeconds: 10, shard: text.flatMap { Shard($0) }),
                environment: sample.environment, commit: sample.commit, control: sample.control,
                benchmarks: sample.benchmarks
            ).encoded(), as: UTF8.self
        ).replacing("linux-test-2c", with: machine).replacing("0123456789ab", with: commit)
        return try RunResult.decoded(from: Array(text.utf8), name: "planted")
    }

    @Test(arguments: ["1e308", "-1e308"]) func `durations whose sum no file can hold are still stored`(
        duration: String
    ) throws {
        let planted = try shard(nil, ["test/a/x"]).encoded()
        let text = String(decoding: planted, as: UTF8.self).replacing(
            "\"durationSeconds\":10", with: "\"durationSeconds\":\(duration)")
        let result = try RunResult.decoded(from: Array(text.utf8), name: "planted")
        let merged = try ResultMerge.merge([("a", result)], order: [])
        #expect((0...1e15).contains(merged.run.durationSeconds))
        #expect(throws: Never.self) { try RunResult.decoded(from: merged.encoded(), name: "merged") }
    }

    private func refusal(_ runs: RunResult...) -> String? {
        do {
            _ = try ResultMerge.merge(zip(["a.json", "b.json", "c.json"], runs).map { ($0, $1) }, order: [])
            return nil
        } catch { return error.description }
    }

    @Test func `shards come together in the order of the suite, with what each was`() throws {
        let first = try shard("1/2", ["test/a/x", "test/c/x"])
        let second = try shard("2/2", ["test/b/x"], seed: 2)
        let merged = try ResultMerge.merge([("b", second), ("a", first)], order: ["test/a/x", "test/b/x", "test/c/x"])
        #expect(merged.benchmarks.map(\.id) == ["test/a/x", "test/b/x", "test/c/x"])
        #expect(merged.benchmark("test/b/x") == second.benchmarks[0])
        #expect(merged.run.shard == nil)
        #expect(merged.run.date == "2026-03-15T12:00:01Z")
        #expect(merged.run.arguments == ["run", "--seed", "1"])
        #expect(merged.run.durationSeconds == 20)
        #expect(merged.run.parts?.map(\.shard?.description) == ["2/2", "1/2"])
        #expect(merged.run.parts?.map(\.seed) == [2, 1])
        #expect(merged.control.values == [1, 1, 1, 1, 1, 1])
    }

    @Test func `shards of other filters or options would leave holes, and are refused`() throws {
        let first = try shard(
            "1/2", ["test/a/x"],
            arguments: ["run", "test/a", "test/b", "--shard", "1/2", "--seed=4", "--time", "60", "--json"])
        let twin = try shard(
            "2/2", ["test/b/x"],
            arguments: ["run", "test/a", "test/b", "--shard=2/2", "--seed", "9", "--time=30", "--no-store"])
        #expect(refusal(first, twin) == nil)
        for arguments in [
            ["run", "test/a", "--shard", "2/2"], ["run", "test/a", "test/b", "--exact-only", "--shard", "2/2"],
        ] {
            let other = try shard("2/2", ["test/b/x"], arguments: arguments)
            #expect(
                refusal(first, other) == """
                    'a.json' and 'b.json' cannot be merged: they are shards of different runs ('run test/a test/b' and \
                    '\(arguments.dropLast(2).joined(separator: " "))'). Measure all shards with the same filters and \
                    options.
                    """)
        }
        // Results that are not shards were combined on purpose.
        #expect(
            refusal(
                try shard(nil, ["test/a/x"], arguments: ["run", "a"]),
                try shard(nil, ["test/b/x"], arguments: ["run", "b"])) == nil)
    }

    @Test func `whether shards measured one code is doubted where the commit does not tell`() throws {
        let clean = try shard("1/2", ["test/a/x"])
        func changed(_ commit: Reading<Commit>) -> RunResult {
            RunResult(
                run: clean.run, environment: clean.environment, commit: commit, control: clean.control,
                benchmarks: clean.benchmarks)
        }
        let dirty = changed(.value(Commit(sha: "0123456789ab", isDirty: true)))
        #expect(ResultMerge.doubt([clean, clean]) == nil && ResultMerge.doubt([dirty]) == nil)
        #expect(ResultMerge.doubt([dirty, dirty]) == "the code differed from its commit")
        #expect(ResultMerge.doubt([clean, changed(.unavailable("planted"))]) == "the commit of a result is not known")
    }

    @Test func `mixtures that cannot be compared are refused in a sentence each`() throws {
        let first = try shard("1/2", ["test/a/x"])
        func twin(
            processes: Int = 15, machine: String = "linux-test-2c", commit: String = "0123456789ab"
        ) throws -> RunResult {
            try shard("2/2", ["test/b/x"], processes: processes, machine: machine, commit: commit)
        }
        #expect(refusal(first, try twin()) == nil)
        let end = "Measure all shards with one build on machines of one kind."
        #expect(
            refusal(first, try twin(machine: "linux-other-2c"))
                == """
                'a.json' and 'b.json' cannot be merged: the machine differs ('linux-test-2c' and \
                'linux-other-2c'). \(end)
                """
        )
        #expect(
            refusal(first, try twin(commit: "ffffffffffff"))
                == """
                'a.json' and 'b.json' cannot be merged: the commit differs ('0123456789ab' and 'ffffffffffff'). \
                \(end)
                """
        )
        #expect(
            refusal(first, try twin(processes: 9))
                == "'a.json' and 'b.json' cannot be merged: the number of processes differs ('15' and '9'). \(end)")
        #expect(
            refusal(first, try shard("1/2", ["test/b/x"]))
                == "'a.json' and 'b.json' are both shard 1/2. Leave one of them out.")
        #expect(
            refusal(first, try shard("2/3", ["test/b/x"]))
                == "'a.json' is a shard of 2 and 'b.json' one of 3. Merge shards of one division alone.")
        #expect(refusal(first) == "Shard 2/2 is missing. Name its file too, or measure it with '--shard 2/2'.")
        #expect(
            refusal(first, try shard("2/2", ["test/a/x"]))
                == """
                'a.json' and 'b.json' both have 'test/a/x'. Merge runs of different benchmarks; 'compare' is for \
                the same.
                """
        )
        #expect(refusal(try shard(nil, ["test/a/x"]), try shard(nil, ["test/b/x"])) == nil)
    }

    @Test func `the spread of the control loop is that of the fastest and the slowest`() throws {
        func run(_ control: Double) -> RunResult { SampleRun.run([], control: [control, control]) }
        #expect(ResultMerge.spread([run(1), run(1.2), run(1.1)]) == 1.2)
        #expect(ResultMerge.spread([run(1)]) == nil)
    }
}
