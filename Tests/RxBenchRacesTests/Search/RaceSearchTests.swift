import RxBench
import RxBenchRaces
import Testing

/// Tests the search in an instrumented program. 'scripts/races' compiles the program and runs these tests.
@Suite("Race search", .enabled(if: FixtureImage.path != nil, "Run 'scripts/races'.")) struct RaceSearchTests {
    /// Planted faults, each with the kind and the number of preemptions that the search must report.
    static let planted: [(id: String, kind: RaceFinding.Kind, preemptions: Int)] = [
        ("planted/lost-update/plain", .dataRace, 0),
        ("planted/lost-update/atomic", .forbidden, 1),
        ("planted/lock-order", .deadlock, 1),
        ("planted/early-return", .forbidden, 1),
        ("planted/relaxed-publication", .dataRace, 0),
        ("planted/double-release", .useAfterFree, 1),
        ("planted/lost-wake-up", .deadlock, 1),
        ("planted/leak", .leak, 1),
        ("planted/crash", .crash, 0),
        ("planted/livelock", .livelock, 0),
        ("planted/ring-queue", .forbidden, 1),
        ("planted/queue/lost-update", .dataRace, 0),
        ("planted/queue/semaphores", .deadlock, 1),
        ("planted/task/reentrancy", .forbidden, 0),
        ("planted/task/resumed-twice", .crash, 1),
        ("planted/task/not-awaited", .dataRace, 0),
        ("planted/task/answered-early", .dataRace, 0),
        ("planted/task/children", .dataRace, 0),
        ("planted/task/cancellation", .dataRace, 2),
        ("planted/task/main-actor", .dataRace, 0),
        ("planted/task/sleep", .forbidden, 0),
        ("planted/weak", .crash, 1),
        ("planted/freed-flag", .useAfterFree, 0),
    ]

    @Test(arguments: planted)
    func `a planted fault is found within ten seconds, with the fewest preemptions`(
        id: String, kind: RaceFinding.Kind, preemptions: Int
    ) throws {
        let record = try FixtureImage.record(id)
        let finding = try #require(record.finding)
        #expect(finding.kind == kind)
        #expect(finding.preemptions == preemptions)
        #expect(record.seconds < 10)
    }

    @Test(arguments: planted)
    func `its schedule repeats it 100 times of 100`(id: String, kind: RaceFinding.Kind, preemptions: Int) throws {
        let finding = try #require(try FixtureImage.record(id).finding)
        let record = try FixtureImage.record(id, replay: finding.replay) { $0.repetitions = 100 }
        #expect(record.finding?.sentence == finding.sentence)
        #expect(record.stages.first?.executions == 100)
        #expect(record.notes.isEmpty)
    }

    @Test(arguments: planted) func `it is found at random too`(
        id: String, kind: RaceFinding.Kind, preemptions: Int
    ) throws {
        let record = try FixtureImage.record(id) { $0.isRandom = true }
        #expect(record.finding?.kind == kind)
    }

    static let clean = [
        "ring-queue", "lost-update/plain", "lost-update/atomic", "lock-order", "early-return", "relaxed-publication",
        "double-release", "lost-wake-up", "leak", "crash", "livelock", "queue/lost-update", "queue/semaphores",
        "task/reentrancy", "task/resumed-twice", "task/not-awaited", "task/children", "task/cancellation",
        "task/main-actor", "task/group", "task/answered-early", "weak", "freed-flag", "outlined",
        "last-reference",
    ]

    @Test(arguments: clean)
    func `a clean twin is exhausted and not reported`(name: String) throws {
        let record = try FixtureImage.record("clean/\(name)")
        #expect(record.finding == nil)
        #expect(record.stages.contains { $0.method == .reduced })
        #expect(record.stages.allSatisfy { $0.isExhausted })
    }

    @Test func `a race with deadlines is exhausted to its bound, and says that it has no end without one`() throws {
        let record = try FixtureImage.record("clean/task/sleep")
        #expect(record.verdict == .clean)
        #expect(record.stages.allSatisfy { $0.isExhausted })
        #expect(!record.stages.contains { $0.method == .reduced })
        #expect(record.notes.contains { $0.hasPrefix("Not searched without a bound") })
    }

    @Test func `a timeout that comes while others run is a step with its time and its line`() throws {
        let finding = try #require(try FixtureImage.record("planted/nslock/before").finding)
        let steps = finding.steps.filter { $0.actor == 1 }
        #expect(steps.map(\.action).contains("time passes to"))
        #expect(steps.contains { $0.action == "stops waiting for" && $0.variable == "mutex a" })
        #expect(steps.allSatisfy { $0.place?.path?.hasSuffix("Primitives/Locks.swift") == true })
    }

    @Test func `a step of a task has the line of its await`() throws {
        let finding = try #require(try FixtureImage.record("planted/task/sleep").finding)
        let lines = finding.steps.filter { $0.action == "await" }.compactMap { $0.place?.line }
        let begin = finding.steps.first { $0.action == "begin" }?.place?.line
        #expect(!lines.isEmpty)
        #expect(lines.allSatisfy { $0 == begin.map { $0 + 1 } })
    }

    @Test(.enabled(if: FixtureImage.deepPath != nil, "Run 'scripts/races'."))
    func `a data race in an outlined copy is found in either mode`() throws {
        // The ordinary mode finds it by the exclusivity marks of the copy.
        let ordinary = try FixtureImage.record("planted/outlined")
        #expect(ordinary.instrumentation == .ordinary)
        #expect(ordinary.finding?.kind == .dataRace)
        let deep = try FixtureImage.record("planted/outlined", of: FixtureImage.deepPath)
        #expect(deep.instrumentation == .deep)
        let finding = try #require(deep.finding)
        #expect(finding.kind == .dataRace)
        #expect(finding.stacks.map(\.title) == ["A writes", "B reads"])
    }

    @Test(.enabled(if: FixtureImage.deepPath != nil, "Run 'scripts/races'."), arguments: clean)
    func `the deep mode does not report a clean twin`(name: String) throws {
        let record = try FixtureImage.record("clean/\(name)", of: FixtureImage.deepPath)
        #expect(record.finding == nil)
        #expect(record.stages.contains { $0.method == .reduced })
        #expect(record.stages.allSatisfy { $0.isExhausted })
    }

    /// The outcomes if at most one store is delayed past later loads of its actor. The first program shows the effect.
    static let litmus: [(name: String, outcomes: Set<String>)] = [
        ("store-buffering", ["00", "01", "10", "11"]),
        ("message-passing", ["00", "01", "11"]),
        ("load-buffering", ["00", "01", "10"]),
        ("coherence", ["00", "01", "02", "11", "12", "22"]),
        ("task-turns", ["123", "132", "213", "231", "312", "321"]),
        ("task-cancelled", ["1", "2"]),
        ("task-first", ["1", "2"]),
        (
            "independent-reads",
            [
                "0000", "0001", "0010", "0011", "0100", "0101", "0110", "0111", "1000", "1001", "1011", "1100", "1101",
                "1110", "1111",
            ]
        ),
    ]

    @Test(arguments: litmus)
    func `a litmus test has its known outcomes`(name: String, outcomes: Set<String>) throws {
        let record = try FixtureImage.record("litmus/\(name)") { $0.bound = 3 }
        #expect(Set(record.outcomes.map(\.label)) == outcomes)
    }

    @Test func `of random programs, no search misses a class, and the reduced one meets none twice`() throws {
        let words = String(decoding: try FixtureImage.output(["random-programs", "10000"]), as: UTF8.self)
        #expect(words.hasSuffix("0 classes missed, 0 met twice\n"))
    }

    @Test func `a call that is not modelled is refused by name`() throws {
        let record = try FixtureImage.record("planted/refused")
        #expect(record.refusal == "waitpid; replace the process by something in memory")
        #expect(record.verdict == .notJudged)
        #expect(record.stages.isEmpty)
    }

    @Test func `an actor that waits in the kernel is refused by the name of the system call`() throws {
        #expect(try FixtureImage.record("refused/file/lines").refusal?.hasPrefix("read; ") == true)
        #expect(try FixtureImage.record("refused/file/lock").refusal?.hasPrefix("flock; ") == true)
    }

    @Test func `a library that crashes by itself is refused, and not the program accused`() throws {
        let record = try FixtureImage.record("refused/nsconditionlock")
        #expect(record.verdict == .notJudged)
        #expect(record.refusal?.contains("lock(whenCondition:)") == true)
    }

    /// The programs of one primitive, of one kind of value, or of freed memory.
    static let programs =
        (try? FixtureImage.output([RaceMain.verb])).map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
        } ?? []

    @Test func `of the programs of one primitive or kind, every planted one is found and no clean one`() throws {
        let planted = Self.programs.filter { $0.hasPrefix("planted/") && $0 != "planted/refused" }
        let clean = Self.programs.filter { $0.hasPrefix("clean/") }
        #expect(planted.count > 100 && clean.count > 130)
        for id in planted + clean {
            // Another test covers it, in both modes.
            if id == "planted/outlined" { continue }
            let record = try FixtureImage.record(id) { $0.isExhaustive = false }
            #expect(record.verdict == (id.hasPrefix("planted/") ? .found : .clean), "\(id): \(record.refusal ?? "")")
        }
    }

    @Test func `each program that cannot be searched is refused, with what to do instead`() throws {
        let refused = Self.programs.filter { $0.hasPrefix("refused/") }
        #expect(refused.count >= 5)
        for id in refused {
            let record = try FixtureImage.record(id)
            #expect(record.verdict == .notJudged, "\(id)")
            #expect(record.refusal?.contains("; ") == true, "\(id): \(record.refusal ?? "")")
        }
    }

    @Test(arguments: ["loop", "make-state", "finish", "library", "slow", "polls", "planted/plain"])
    func `the time ends every search`(name: String) throws {
        let begin = MonotonicClock.nanoseconds
        let record = try FixtureImage.record("unending/\(name)") { $0.seconds = 2 }
        #expect(MonotonicClock.nanoseconds - begin < 4_000_000_000)
        #expect(record.verdict != .clean)
    }

    @Test func `a data race that an actor waits for for ever is found`() throws {
        #expect(try FixtureImage.record("unending/planted/plain").finding?.kind == .dataRace)
    }

    @Test func `a store that comes after the next load is found, told and repeated`() throws {
        let finding = try #require(try FixtureImage.record("planted/late-store/stop").finding)
        #expect(finding.stage == "bound 2, with a delayed store")
        #expect(finding.steps.first { $0.action == "delay store" }?.place?.function.contains("work") == true)
        #expect(finding.replay.hasPrefix("a1"))
        let again = try FixtureImage.record("planted/late-store/stop", replay: finding.replay)
        #expect(again.finding?.sentence == finding.sentence)
        #expect(again.notes.isEmpty)
    }

    @Test func `a deadlock says who waits for what, and who holds it`() throws {
        let finding = try #require(try FixtureImage.record("planted/lock-order").finding)
        #expect(
            finding.stacks.map(\.title) == [
                "A waits for Mutex b, which B holds", "B waits for Mutex a, which A holds",
            ])
    }

    @Test func `a crash tells the message, and a leak what is left and where it came from`() throws {
        let crash = try #require(try FixtureImage.record("planted/task/resumed-twice").finding)
        #expect(crash.message?.contains("continuation") == true)
        let leak = try #require(try FixtureImage.record("planted/leak").finding)
        #expect(leak.stacks.first?.title == "Node, 32 bytes, that makeState has allocated")
        #expect(leak.stacks.allSatisfy { calls in calls.frames.contains { !$0.isForeign } })
    }

    @Test func `a task is a column, and its steps name its functions`() throws {
        let finding = try #require(try FixtureImage.record("planted/task/reentrancy").finding)
        #expect(finding.sentence == "-20 left.")
        let task = finding.steps.filter { $0.actor == 2 }
        #expect(
            task.map(\.action) == [
                "begin", "hop", "leave", "yield", "await", "begin", "hop", "leave", "exchange", "complete",
            ])
        #expect(task.allSatisfy { $0.place?.path?.hasSuffix("RaceFixture/Tasks.swift") == true })
        #expect(task.allSatisfy { $0.place?.function.contains(#/withdraw|confirm/#) == true })
    }

    @Test func `steps name functions, files, lines and values`() throws {
        let finding = try #require(try FixtureImage.record("planted/early-return").finding)
        let steps = finding.steps.map { "\($0.actor) \($0.action) \($0.before) \($0.after)" }
        #expect(steps == ["0 exchange 0 1", "1 exchange 1 1", "1 load 0 0", "1 exchange 0 1", "0 store 0 1"])
        let place = try #require(finding.steps.first?.place)
        #expect(place.path?.hasSuffix("RaceFixture/Planted.swift") == true)
        #expect(place.function.contains("disposeHastily"))
        #expect(place.line > 0)
    }

    @Test func `a data race has both stacks`() throws {
        let finding = try #require(try FixtureImage.record("planted/relaxed-publication").finding)
        #expect(finding.stacks.map(\.title) == ["A writes", "B reads"])
        for calls in finding.stacks {
            #expect(calls.frames.contains { $0.function.contains("plantedFaults") && $0.line > 0 })
        }
    }

    @Test func `a deadlock has the stacks of all that wait`() throws {
        let finding = try #require(try FixtureImage.record("planted/lock-order").finding)
        #expect(finding.stacks.map { $0.title.prefix(1) } == ["A", "B"])
    }

    @Test func `a schedule of another build says so`() throws {
        let record = try FixtureImage.record("planted/early-return", replay: "A1B3A@0")
        #expect(record.notes.first?.hasPrefix("The schedule was found in the build 0") == true)
    }
}
