import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench run", .serialized) struct RunCommandTests {
    private func measure(_ arguments: String..., processes: Int = 2, seconds: Double = 0.1) throws -> RunResult {
        let result = try Tool.run(
            "RxBenchFixture",
            ["run", "--json", "--no-store", "--time", "\(seconds)", "--processes", "\(processes)"] + arguments, [:])
        return try RunResult.decoded(from: Array(result.output.utf8), name: "output")
    }

    @Test func `a thousand blocks of 32 bytes read exactly 1000 and 32000`() throws {
        let benchmark = try #require(try measure("fixture/heap/exact").benchmarks.first)
        #expect(benchmark.metric(Metric.allocations)?.reading == .value(1_000))
        #expect(benchmark.metric(Metric.allocations)?.values == [1_000, 1_000, 1_000, 1_000, 1_000])
        #expect(benchmark.metric(Metric.allocatedBytes)?.reading == .value(32_000))
        #expect(benchmark.metric(Metric.deallocations)?.reading == .value(1_000))
    }

    @Test func `what an iteration leaves behind has a column, and none where nothing is`() throws {
        func table(_ environment: [String: String]) throws -> String {
            try Tool.run("RxBenchFixture", ["run", "fixture/keeping/half", "--exact-only", "--no-store"], environment)
                .output
        }
        #expect(try table(["FIXTURE_EXTRA": "1"]).contains("net allocs\nfixture/keeping/half"))
        #expect(try !table([:]).contains("net allocs"))
    }

    @Test func `an iteration without allocations reads exactly 0`() throws {
        let benchmark = try #require(try measure("fixture/loop/short").benchmarks.first)
        #expect(benchmark.metric(Metric.allocations)?.values == [0, 0, 0, 0, 0])
        #expect(benchmark.metric(Metric.allocatedBytes)?.values == [0, 0, 0, 0, 0])
    }

    @Test func `time is measured under the system's allocator unless asked otherwise, and counts stay`() throws {
        let system = try measure("fixture/heap/exact")
        let jemalloc = try measure("fixture/heap/exact", "--allocator", "jemalloc")
        #if canImport(Glibc)
            #expect(system.run.allocator?.hasPrefix("glibc 2.") == true)
            #expect(jemalloc.run.allocator == jemalloc.environment.jemalloc.value.map { "jemalloc \($0)" })
        #endif
        for result in [system, jemalloc] {
            #expect(result.benchmarks.first?.metric(Metric.allocations)?.reading == .value(1_000))
            #expect(result.benchmarks.first?.metric(Metric.time)?.reading.value ?? 0 > 0)
        }
        let text = try Tool.run(
            "RxBenchFixture", ["run", "fixture/loop/short", "--quick", "--no-store", "--time", "1"], [:]
        ).output
        #expect(
            text.contains(
                "\nallocators: time was measured under \(system.run.allocator ?? "?"), counts under jemalloc "))
    }

    @Test func `allocations of other threads are counted`() throws {
        let benchmark = try #require(try measure("fixture/heap/threads").benchmarks.first)
        #expect(try #require(benchmark.metric(Metric.allocations)?.reading.value) >= 50)
    }

    @Test func `counts of several threads are marked, and those of one are not`() throws {
        let threads = try measure("fixture/heap/threads", "fixture/race/add").benchmarks.flatMap(\.metrics).filter {
            $0.kind == .exact
        }
        #expect(
            !threads.isEmpty
                && threads.allSatisfy { $0.reading.value == nil || ($0.isThreaded == true && $0.isStable == false) })
        let single = try measure("fixture/heap/exact", "fixture/loop/short").benchmarks.flatMap(\.metrics).filter {
            $0.kind == .exact
        }
        #expect(!single.isEmpty && single.allSatisfy { $0.isThreaded == nil })
    }

    @Test func `a latency benchmark reports the distribution that it recorded`() throws {
        let plain = try #require(try measure("fixture/latency/known").benchmarks.first)
        let complete = try #require(try measure("fixture/latency/known", "--samples").benchmarks.first)
        for benchmark in [plain, complete] {
            #expect(benchmark.metric("latencyP50")?.reading == .value(50))
            #expect(benchmark.metric("latencyP99")?.reading == .value(99))
            #expect(benchmark.metric("latencyMaximum")?.reading == .value(100))
        }
        #expect(complete.latencies?.count == 100)
        #expect(complete.metric(Metric.time)?.samples?.count == 2)
        #expect(LatencyDistribution(plain.latencies ?? []).quantile(0.99) == 99)
        #expect((plain.latencies ?? []).count < 25 && plain.metric(Metric.time)?.samples == nil)
    }

    // Not closer to ten: on a machine that does other work, medians of short runs are sometimes off by a factor.
    @Test func `ten times the work is more than twice the baseline`() throws {
        let benchmark = try #require(try measure("fixture/loop/long", seconds: 1).benchmarks.first)
        let ratio = try #require(benchmark.metric(Metric.ratioToBaseline)?.reading.value)
        #expect(ratio > 2)
    }

    @Test func `an estimate has its interval with its level, and what the run could have shown`() throws {
        let result = try Tool.fixture(
            "run", "fixture/loop/short", "--json", "--no-store", "--time", "0.3", "--processes", "9")
        let run = try RunResult.decoded(from: Array(result.output.utf8), name: "output")
        let time = try #require(run.benchmarks.first?.metric(Metric.time))
        #expect(time.values.count == 9)
        #expect(try #require(time.interval).confidence > 0.95)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let figures = try #require((object["benchmarks"] as? [[String: Any]])?.first?["figures"] as? [String: Any])
        let scatter = try #require((figures[Metric.time] as? [String: Any])?["scatter"] as? [String: Any])
        #expect(scatter["detectable"] is Double)
        let text = try Tool.fixture("run", "fixture/loop/short", "--no-store", "--time", "0.3", "--processes", "9")
            .output
        #expect(
            text.contains(
                "\nintervals: '±' is how far the interval of the median over processes reaches, "
                    + "at a confidence of 96.1 %.\n"
            ))
        #expect(text.contains("\ndetectable (MDE): a change of time of "))
    }

    @Test func `what a benchmark prints does not garble the reply`() throws {
        #expect(try measure("fixture/print/noise").benchmarks.first?.failure == nil)
    }

    @Test func `failures are in table and JSON and the others continue`() throws {
        let result = try measure("tag:fault", "fixture/loop/short", "fixture/tireless")
        func failure(_ id: String) -> String? { result.benchmark(id)?.failure }
        #expect(failure("fixture/loop/short") == nil)
        #expect(failure("fixture/fail/set-up") == "Its set-up threw 'planted'.")
        #expect(failure("fixture/fail/iteration") == "An iteration threw 'planted'.")
        #expect(failure("fixture/fail/check") == "Its check found a wrong result after the first iteration.")
        #expect(failure("fixture/fail/tiring") == "Its check expected 1000 and got 0 after the last iteration.")
        #expect(failure("fixture/tireless") == nil)
        #expect(failure("fixture/fail/exit") == "Its process exited with code 7.")
        #expect(failure("fixture/fail/crash") == "Its process crashed with signal 6.")
        #expect(failure("fixture/fail/silent") == "Its iterations recorded no latency.")
    }

    @Test func `a failing benchmark ends with exit code 3 and its reason`() throws {
        let result = try Tool.fixture(
            "run", "fixture/fail/check", "fixture/loop/short", "--no-store", "--quick", "--time", "0.1")
        #expect(result.code == 3)
        #expect(
            result.output.contains(
                "failed: fixture/fail/check: Its check found a wrong result after the first iteration.\n"))
        #expect(result.verdict.hasPrefix("1 benchmark measured, 1 failed in "))
    }

    @Test func `a benchmark that hangs is ended and has failed`() throws {
        let result = try Tool.fixture("run", "fixture/hang/forever", "--no-store", "--timeout", "1", "--processes", "1")
        #expect(result.code == 3)
        #expect(
            result.output.contains(
                """
                failed: fixture/hang/forever: Counting its allocations did not end within 1 s; '--timeout' allows \
                more.\n
                """
            ))
    }

    @Test func `a forbidden outcome ends with exit code 1, its clean twin with 0`() throws {
        let faulty = try Tool.fixture(
            "run", "fixture/race/load-then-store", "--no-store", "--time", "0.1", "--processes", "3")
        #expect(faulty.code == 1)
        #expect(faulty.output.contains("lost update"))
        #expect(faulty.verdict.contains("1 with forbidden outcomes (fixture/race/load-then-store)"))
        let clean = try Tool.fixture("run", "fixture/race/add", "--no-store", "--time", "0.1", "--processes", "3")
        #expect(clean.code == 0)
    }

    @Test func `a leak ends with exit code 1, its clean twin with 0`() throws {
        let faulty = try Tool.fixture("run", "fixture/leak/planted", "--no-store", "--time", "0.1", "--processes", "1")
        #expect(faulty.code == 1)
        #expect(faulty.verdict.contains("1 leaking (fixture/leak/planted)"))
        let clean = try Tool.fixture("run", "fixture/leak/clean", "--no-store", "--time", "0.1", "--processes", "1")
        #expect(clean.code == 0)
    }

    @Test func `live resources above their limit end with exit code 1, within it and without one with 0`() throws {
        let faulty = try Tool.fixture("run", "fixture/live/broken", "--no-store", "--time", "0.1", "--processes", "1")
        #expect(faulty.code == 1)
        #expect(faulty.output.contains("\nfixture/live/broken  live            1         2              worse\n"))
        #expect(faulty.verdict.contains("1 leaking (fixture/live/broken)"))
        let clean = try Tool.fixture(
            "run", "fixture/live/kept", "fixture/live/any", "--no-store", "--time", "0.1", "--processes", "1")
        #expect(clean.code == 0)
        #expect(clean.output.contains("\nfixture/live/kept  live            1         1              same\n"))
    }

    @Test func `a lack of processes is the machine's fault and no benchmark's: exit code 4, and nothing is stored`()
        throws
    {
        let folder = try TemporaryFolder()
        let result = try Tool.starved(
            "RxBenchFixture", ["run", "fixture/loop/short", "--exact-only", "--output", folder.path])
        #expect(result.code == 4, "\(result.errors)")
        #expect(
            result.errors.hasSuffix(
                """
                Error: The machine can start no further process: Too many open files. End others or raise the \
                limit ('ulimit -a'), and run this again.\n
                """
            ))
        #expect(!result.output.contains("failed") && ResultStore(folder: folder.path).files.isEmpty)
    }

    @Test(arguments: [(EAGAIN, true), (ENOMEM, true), (EMFILE, true), (ENFILE, true), (ENOENT, false), (EACCES, false)])
    func `a program that is missing is no lack of processes`(code: Int32, isShortage: Bool) {
        #expect(ChildProcess.StartError(executable: "x", code: code).isShortage == isShortage)
    }

    @Test func `the built-in probe finds a kept subscription and not its clean twin`() throws {
        let environment = ["FIXTURE_BUILT_IN": "1"]
        let quick = ["--no-store", "--time", "0.1", "--processes", "1"]
        let faulty = try Tool.run("RxBenchFixture", ["run", "fixture/reactive/leak"] + quick, environment)
        #if DEBUG
            #expect(faulty.code == 1)
            #expect(faulty.verdict.contains("1 leaking (fixture/reactive/leak)"))
            // The leak, how it is held, and the change to make, as in the headings of 'rxbench leaks'.
            let leak = try #require(faulty.output.split(separator: "\n").first { $0.hasPrefix("leaks: ") })
            #expect(leak.hasPrefix("leaks: fixture/reactive/leak: subscribe, held by "))
            #expect(leak.contains(": remove from 'Shelf.subscriptions' what is made at Limits.swift:64 "))
        #else
            #expect(
                faulty.output.contains(
                    "liveResources: this build does not count resources; build with '--traits default,TRACE_RESOURCES'."
                ))
        #endif
        let clean = try Tool.run("RxBenchFixture", ["run", "fixture/reactive/clean"] + quick, environment)
        #expect(clean.code == 0)
        #expect(!clean.output.contains("leaks: "))
    }

    @Test func `allocations over budget end a release run with exit code 1, within it with 0`() throws {
        let faulty = try Tool.fixture(
            "run", "fixture/budget/*/broken", "--no-store", "--time", "0.1", "--processes", "1")
        #if DEBUG
            let (code, verdict, words) = (0 as Int32, "worse", "2 limits exceeded")
        #else
            let (code, verdict, words) = (
                1 as Int32, "worse",
                "2 over budget (fixture/budget/operation/broken, fixture/budget/iteration/broken)"
            )
        #endif
        #expect(faulty.code == code)
        #expect(
            faulty.output.contains(
                "\nfixture/budget/operation/broken  allocs/op               2      2.01              \(verdict)\n"))
        #expect(
            faulty.output.contains(
                "\nfixture/budget/iteration/broken  allocs/iteration        3         4              \(verdict)\n"))
        #expect(faulty.verdict.contains(words))
        let clean = try Tool.fixture(
            "run", "fixture/budget/*/kept", "fixture/budget/iteration/varying", "--no-store", "--time", "0.1",
            "--processes", "1")
        #expect(clean.code == 0)
        #expect(
            clean.output.contains(
                "\nfixture/budget/operation/kept     allocs/op               2         2              same\n"))
        #expect(
            clean.output.contains(
                "\nfixture/budget/iteration/kept     allocs/iteration        3         3              same\n"))
        #expect(
            clean.output.contains(
                "\nfixture/budget/iteration/varying  allocs/iteration        3         2       [2 4]  inconclusive\n"))
    }

    @Test func `limits on time have a figure, an interval and a verdict, and change no exit code`() throws {
        let result = try measure("fixture/bar", processes: 5, seconds: 1)
        func verdict(_ id: String) -> ComparisonVerdict? {
            result.benchmark(id)?.checks.first { $0.source == .definition }?.verdict
        }
        #expect(verdict("fixture/bar/ratio/missed") == .worse)
        #expect(verdict("fixture/bar/ratio/met") == .better)
        #expect(verdict("fixture/bar/time/missed") == .worse)
        #expect(verdict("fixture/bar/time/met") == .better)
        #expect(
            try Tool.fixture("run", "fixture/bar/time/missed", "--no-store", "--time", "0.1", "--processes", "5").code
                == 0)
    }

    @Test func `the arguments stored name no folder`() throws {
        let folder = try TemporaryFolder()
        let result = try Tool.fixture(
            "run", "fixture/loop/short", "--output", folder.path, "--time", "0.1", "--processes", "1", "--seed", "5")
        #expect(result.code == 0)
        let file = try #require(folder.files.first { $0.hasSuffix(".json") })
        let text = try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8)
        #expect(!text.contains(folder.path))
        let stored = try RunResult.decoded(from: Array(text.utf8), name: file)
        #expect(stored.run.seed == 5)
        #expect(
            stored.run.arguments == ["run", "fixture/loop/short", "--time", "0.1", "--processes", "1", "--seed", "5"])
    }

    @Test func `a process that gives way to others warns`() throws {
        let nice = try #require(ChildProcess.find("nice"))
        let arguments = [Tool.path("RxBenchFixture"), "run", "fixture/loop/short", "--quick", "--no-store"]
        let planted = try Tool.launch([nice, "-n", "5"] + arguments)
        #expect(planted.errors.contains("Warning: this process runs under 'nice' and yields to others. "))
        #expect(try !Tool.launch(arguments).errors.contains("gives way"))
    }

    @Test func `a debug build warns`() throws {
        let result = try Tool.fixture("run", "fixture/loop/short", "--no-store", "--time", "0.1", "--processes", "1")
        #if DEBUG
            #expect(
                result.errors.contains(
                    "Warning: this is a debug build; its times mean nothing. Build with '-c release'.\n"))
        #else
            #expect(!result.errors.contains("debug build"))
        #endif
    }
}

@Suite(
    "rxbench run --instructions", .serialized,
    .enabled(if: ChildProcess.find("valgrind") != nil, "valgrind is not installed"))
struct InstructionRunTests {
    private func count(_ filter: String, environment: [String: String] = [:]) throws -> Metric {
        let result = try Tool.run(
            "RxBenchFixture", ["run", filter, "--exact-only", "--instructions", "--json", "--no-store"], environment)
        let run = try RunResult.decoded(from: Array(result.output.utf8), name: "output")
        let benchmark = try #require(run.benchmarks.first)
        #expect(benchmark.failure == nil)
        return try #require(benchmark.metric(Metric.instructions))
    }

    @Test func `counts do not depend on where temporary folders lie, nor on the environment`() throws {
        let folder = try TemporaryFolder()
        let counts = try ["x", "somewhat/longer", "far/longer/than/the/others"].map { name in
            let parent = "\(folder.path)/\(name)"
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            return try count("fixture/heap/exact", environment: ["TMPDIR": parent, "FIXTURE_PADDING": name]).values
        }
        // The minimum is compared: the allocator's rare work may fall into any iteration.
        #expect(Set(counts.map { $0.min() }).count == 1, "\(counts)")
    }

    @Test func `equal runs count equally, and one allocation more is seen`() throws {
        let first = try count("fixture/heap/extra")
        #expect(first.values.count == 5)
        #expect(try count("fixture/heap/extra").values == first.values)
        let more = try count("fixture/heap/extra", environment: ["FIXTURE_EXTRA": "1"])
        #expect(try #require(more.reading.value) > #require(first.reading.value))
        let short = try #require(try count("fixture/loop/short").reading.value)
        #expect(short >= 1_000)
        #expect(try #require(try count("fixture/loop/long").reading.value) > 5 * short)
    }

    @Test func `a race has no count and says why`() throws {
        let result = try Tool.fixture("run", "fixture/race/add", "--exact-only", "--instructions", "--no-store")
        #expect(result.code == 0)
        #expect(
            result.output.contains(
                "unavailable: instructions: how many instructions a race takes depends on how its threads meet.\n"))
    }
}

@Suite("rxbench run --exact-only", .serialized) struct ExactOnlyRunTests {
    @Test func `counts without times`() throws {
        let result = try Tool.fixture("run", "fixture/heap/exact", "--exact-only", "--json", "--no-store")
        let run = try RunResult.decoded(from: Array(result.output.utf8), name: "output")
        let benchmark = try #require(run.benchmarks.first)
        #expect(benchmark.metric(Metric.allocations)?.reading == .value(1_000))
        #expect(benchmark.metric(Metric.time) == nil)
        #expect(run.run.processes == 0)
    }

    @Test func `how times are measured is refused`() throws {
        let result = try Tool.fixture("run", "--exact-only", "--quick")
        #expect(result.code == 64)
        #expect(
            result.sentence.hasPrefix(
                "Error: '--exact-only' measures no times, and '--quick' says how. Give one of them.\n"))
    }
}
