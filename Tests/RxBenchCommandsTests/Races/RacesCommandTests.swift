import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

/// Tests the output of the verb. RxBenchRacesTests tests the searches themselves.
@Suite("races") struct RacesCommandTests {
    @Test func `a replay without a schedule is refused`() throws {
        let result = try Tool.fixture("races", "--replay", "race/x")
        #expect(result.code == 64)
        #expect(result.errors.contains("'--replay' takes a race's ID and a schedule"))
    }

    @Test func `a schedule that is none is refused`() throws {
        let result = try Tool.fixture("races", "--replay", "race/x", "A0")
        #expect(result.code == 64)
        #expect(result.errors.contains("'A0' is no schedule. A schedule looks like 'A6B4A10B15'."))
    }

    @Test(arguments: [
        (["--random", "--exhaustive"], "'--random' and '--exhaustive' are alternatives. Give one of them."),
        (["race/x", "A1", "--replay", "--stress"], "'--replay' and '--stress' are alternatives. Give one of them."),
        (
            ["--image", "x", "--debug"],
            "'--image' is compiled already, and '--debug' says what to compile. Give one of them."
        ),
        (
            ["--image", "x", "--deep"],
            "'--image' is compiled already, and '--deep' says what to compile. Give one of them."
        ),
        (["--deep", "--debug"], "'--deep' and '--debug' are alternatives. Give one of them."),
        (["--deep", "--stress"], "'--deep' and '--stress' are alternatives. Give one of them."),
        (["--sanitize"], "'--sanitize' needs '--stress': a search has a detector of data races of its own."),
        (["--bound", "17"], "'--bound 17' is not between 0 and 16."),
        (["--time", "0"], "'--time 0.0' is not between 0 and 864000 seconds."),
        (["--shard", "3/2"], "'--shard 3/2' is no part: write two numbers, as in '2/8' for the second of eight."),
    ]) func `options that make no sense`(arguments: [String], sentence: String) throws {
        let result = try Tool.run("RxBenchFixture", ["races"] + arguments, [:])
        #expect(result.code == 64)
        #expect(result.sentence.split(separator: "\n").first.map(String.init) == "Error: \(sentence)")
    }

    @Test func `the help has an example of each way to search`() throws {
        let help = try Tool.fixture("races", "--help")
        #expect(help.code == 0)
        let examples = help.output.prefix { $0 != "\u{0}" }.split(separator: "\n").filter {
            $0.hasPrefix("  RxBenchFixture races ")
        }
        for option in [
            "--time", "--exhaustive", "--bound 3", "--random", "--replay", "--deep", "--stress", "--stress --sanitize",
            "--shard", "--json",
        ] {
            #expect(examples.contains { $0.contains(option) }, "\(option)")
        }
        #expect(help.output.contains("Exit codes: 0 nothing found; 1 something found, with '--stress'"))
    }

    @Test func `a program without races is told so, and is no success`() throws {
        // It succeeds without output, like a program without races.
        let program = try #require(ChildProcess.find("true"))
        for arguments in [["--stress"], ["--stress", "merge"]] {
            let result = try Tool.run("RxBenchFixture", ["races", "--image", program] + arguments, [:])
            #expect(result.code == 64)
            #expect(result.sentence.hasPrefix("Error: There is no race to search. A race is a 'RaceScenario' among "))
        }
    }

    @Test func `on real threads, outcomes are counted for all of the time`() throws {
        let faulty = try Tool.fixture("races", "--stress", "load-then-store", "--time", "0.5")
        #expect(faulty.code == 1)
        let lines = faulty.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "fixture/race/load-then-store: forbidden outcome. lost update.")
        #expect(lines[1].wholeMatch(of: #/In [0-9,]+ rounds? of [0-9]+ on real threads\. A search finds .*/#) != nil)
        // A command that can be typed: it has the path of the program that was started, not only its name.
        #expect(lines[2].hasSuffix("/RxBenchFixture races 'fixture/race/load-then-store'"))
        #expect(faulty.output.contains("real threads"))
        #expect(faulty.verdict.wholeMatch(of: #/1 of 1 race failed in [0-9]+ rounds on real threads\./#) != nil)
        let clean = try Tool.fixture("races", "--stress", "race/add", "--time", "0.2")
        #expect(clean.code == 0)
        #expect(clean.verdict.hasPrefix("0 of 1 race failed in "))
    }

    @Test func `on real threads, a crash is something found`() throws {
        let result = try Tool.fixture("races", "--stress", "race/trap", "--time", "0.2")
        #expect(result.code == 1)
        #expect(result.output.hasPrefix("fixture/race/trap: crash. Its process crashed with signal "))
        #expect(result.output.contains("Fatal error: met'."))
        #expect(result.verdict == "1 of 1 race failed on real threads.")
        // The number of rounds before the crash is not known.
        let row = result.output.split(separator: "\n").last { $0.hasPrefix("fixture/race/trap ") }
        #expect(row?.contains(#/trap +real threads +crash: /#) == true)
        let document = try Tool.fixture("races", "--stress", "race/trap", "race/add", "--time", "0.4", "--json")
        #expect(document.code == 1)
        #expect(document.output.contains(#/"kind" ?: ?"crash"/#))
        #expect(document.errors.contains("1 of 2 races failed in "))
    }

    @Test func `a mistyped name is met with the race that was meant`() throws {
        let result = try Tool.fixture("races", "--stress", "laod-then", "--time", "0.2")
        #expect(result.code == 64)
        #expect(result.sentence.contains("No race matches 'laod-then'. The nearest: 'fixture/race/load-then-store'"))
    }

    /// Returns the package manager's description of a manifest with executables. The `users` depend on the search.
    private func manifest(_ executables: [String], users: [String] = []) -> String {
        let targets = executables.map { name in
            let dependency = users.contains(name) ? #"{ "product": ["RxBench", "rx", null, null] }"# : ""
            return #"{ "name": "\#(name)", "type": "executable", "dependencies": [\#(dependency)] }"#
        }
        let product = executables.first.map {
            #"{ "name": "\#($0)", "targets": ["\#($0)"], "type": { "executable": null } }"#
        }
        return #"""
            { "products": [\#(product ?? "")], "targets": [\#(targets.joined(separator: ", ")),
            { "name": "Mine", "type": "regular", "dependencies": [{ "byName": ["RxBench", null] }] }] }
            """#
    }

    @Test(arguments: [
        (["RxBenchFixture"], [], "RxBenchFixture"),
        (["RxBenchFixture", "RxBenchFixture-races", "Other-races"], [], "RxBenchFixture-races"),
        (["Kit", "Kit-races"], [], "Kit-races"), (["Kit-races", "RxBenchFixture"], [], "RxBenchFixture"),
        (["Kit-races"], [], "Kit-races"),
        (["Kit", "Stack"], ["Stack"], "Stack"),
    ])
    func `the program with the races is the package's own`(
        executables: [String], users: [String], product: String
    ) throws {
        let folder = try TemporaryFolder()
        let call = try compilerCall(of: [], in: folder, programs: manifest(executables, users: users))
        #expect(call.hasPrefix("build -c release "))
        #expect(call.contains(" --product \(product) "))
        #expect(call.contains(" --toolset \(folder.path)/.build/rxbench-races/toolset.json"))
    }

    @Test(arguments: [
        (
            ["One-races", "Two-races"],
            "has several programs with races: One-races, Two-races. Choose one with '--product'"
        ),
        (
            ["Kit"],
            "has no program with races. Add an executable named 'RxBenchFixture-races' that calls 'RaceMain.run'"
        ),
    ])
    func `where there are several programs the user is asked, and where there is none nothing is searched`(
        executables: [String], sentence: String
    ) throws {
        for options in [[], ["--stress"]] {
            let folder = try TemporaryFolder()
            _ = try folder.write("let package = Package(name: \"mine\")\n", to: "Package.swift")
            _ = try folder.write(manifest(executables), to: "bin/swift.manifest")
            _ = try folder.writeProgram("#!/bin/sh\ncat \"$0.manifest\"\n", to: "bin/swift")
            let result = try Tool.run(
                "RxBenchFixture", ["races"] + options, ["PATH": "\(folder.path)/bin:/usr/bin:/bin"], in: folder.path)
            #expect(result.code == 64)
            #expect(result.sentence.contains(sentence))
        }
    }

    @Test(arguments: [
        (#".package(path: "rx", traits: [.defaults, "TRACE_RESOURCES"])"#, false),
        (#".trait(name: "TRACE_RESOURCES")"#, true),
    ]) func `resources are traced where the manifest has the trait`(line: String, traces: Bool) throws {
        let call = try compilerCall(of: [], in: try TemporaryFolder(), manifest: line)
        #expect(call.contains(" --traits TRACE_RESOURCES") == traces)
    }

    @Test func `deep instrumentation is a toolset of its own, in a folder of its own`() throws {
        let folder = try TemporaryFolder()
        let call = try compilerCall(of: ["--deep"], in: folder)
        let scratch = "\(folder.path)/.build/rxbench-races-deep"
        #expect(call.contains(" --scratch-path \(scratch) --toolset \(scratch)/toolset.json"))
        let toolset = try String(contentsOfFile: "\(scratch)/toolset.json", encoding: .utf8)
        #expect(toolset.contains(#""-Xfrontend","-sanitize=thread""#))
        #expect(toolset.contains(#""-Xfrontend","-disable-llvm-merge-functions-pass""#))
        #expect(toolset.contains(#""-Xllvm","-force-attribute=sanitize_thread""#))
        #expect(toolset.contains(#""cCompiler":{"extraCLIOptions":["-fsanitize=thread""#))
        #expect(toolset.contains("-sil-disable-pass=access-enforcement-wmo"))
        _ = try compilerCall(of: [], in: folder)
        let ordinary = try String(contentsOfFile: "\(folder.path)/.build/rxbench-races/toolset.json", encoding: .utf8)
        #expect(!ordinary.contains("force-attribute"))
    }

    @Test func `ThreadSanitizer gets a folder of its own, and no jemalloc`() throws {
        let folder = try TemporaryFolder()
        let call = try compilerCall(
            of: ["--stress", "--sanitize"], in: folder, manifest: #".trait(name: "TRACE_RESOURCES")"#)
        #expect(call.contains(" --sanitize thread --scratch-path \(folder.path)/.build/rxbench-races-thread "))
        #expect(call.contains(" --disable-default-traits"))
        #expect(!call.contains("--toolset"))
    }

    /// Returns the call of the package manager by 'races', in a package whose manifest contains `line`.
    private func compilerCall(
        of arguments: [String], in folder: TemporaryFolder, manifest line: String = "", programs: String? = nil
    ) throws -> String {
        _ = try folder.write("let package = Package(name: \"mine\") // \(line)\n", to: "Package.swift")
        _ = try folder.write(programs ?? manifest(["RxBenchFixture"]), to: "bin/swift.manifest")
        let swift = try folder.writeProgram(
            """
            #!/bin/sh
            if [ "$1" = package ]; then exec cat "$0.manifest"; fi
            echo "$*" >>"$0.calls"; exit 1

            """, to: "bin/swift")
        let result = try Tool.run(
            "RxBenchFixture", ["races"] + arguments, ["PATH": "\(folder.path)/bin:/usr/bin:/bin"], in: folder.path)
        #expect(result.code == 3)
        return try String(contentsOfFile: "\(swift).calls", encoding: .utf8)
    }

    @Test func `an interrupt while the program compiles leaves no compiler and says so`() throws {
        // The compiler has a child in its own session, like the package manager's compilers, and forwards interrupts to
        // it. It writes the numbers of both processes once it can be interrupted.
        let folder = try TemporaryFolder()
        _ = try folder.write("let package = Package(name: \"mine\")\n", to: "Package.swift")
        let swift = try folder.writeProgram(
            """
            #!/bin/sh
            setsid sleep 600 & child=$!; trap 'kill $child; exit 130' INT TERM; echo $$ $child >\"$0.new\"
            mv \"$0.new\" \"$0.running\"; wait

            """, to: "bin/swift")
        let script = """
            cd "$1"; set -m; "$2" races --product Mine & tool=$!
            while ! [ -s "$1/bin/swift.running" ]; do sleep 0.05; done; kill -INT $tool; wait $tool; echo "code $?"
            """
        let child = try ChildProcess(
            executable: "/bin/sh", arguments: ["-c", script, "sh", folder.path, Tool.path("RxBenchFixture")],
            environment: ["PATH": "\(folder.path)/bin:/usr/bin:/bin"])
        let result = try child.wait(timeoutSeconds: 60)
        #expect(String(decoding: result.output, as: UTF8.self) == "code 130\n")
        #expect(result.complaints.contains("Interrupted: the compilers have ended, and nothing was searched."))
        let running = try String(contentsOfFile: "\(swift).running", encoding: .utf8)
        let processes = running.split { $0.isWhitespace }.map(String.init)
        #expect(processes.count == 2)
        for process in processes { #expect(hasEnded(process)) }
    }

    @Test func `a program without instrumentation is refused`() throws {
        let result = try Tool.fixture("races", "--image", Tool.path("RxBenchFixture"))
        #expect(result.code == 3)
        #expect(result.errors.contains("does not list its races: Its process exited with code 64."))
    }
}

/// Returns whether the process with that number has ended. Its new parent may not have noticed yet.
private func hasEnded(_ process: String) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    return status.isEmpty || status.contains("State:\tZ")
}

private let raceFixture = ProcessInfo.processInfo.environment["RX_RACE_FIXTURE"]

/// Tests with the instrumented program that 'scripts/races' compiles and names.
@Suite("races of an image", .enabled(if: raceFixture != nil, "Run 'scripts/races'."))
struct RacesOfImageTests {
    private func races(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Result {
        try Tool.run("RxBenchFixture", ["races", "--image", raceFixture ?? ""] + arguments, environment)
    }

    @Test func `a failure is told with a column an actor, a line a step and the command that repeats it`() throws {
        let result = try races("planted/early-return", "--time", "5")
        #expect(result.code == 1)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "planted/early-return: forbidden outcome. event after dispose.")
        #expect(lines[1] == "Found by bound 1 after 2 schedules; shrunk to 1 preemption, 5 steps.")
        let steps = lines[3...7].map { line in
            String(line.replacing(#/ *Flags\..*?:[0-9]+/#, with: "").drop { $0 == " " })
        }
        #expect(
            steps == [
                "exchange v1 0→1", "exchange v1 1", "load v2 0", "exchange v3 0→1", "store v2 0→1",
            ])
        #expect(lines[3].contains("Flags.disposeHastily() Tests/Fixtures/RaceFixture/Planted.swift:"))
        #expect(lines[4].prefix { $0 == " " }.count > lines[3].prefix { $0 == " " }.count)
        #expect(
            lines[8].contains(
                "RxBenchFixture races --image \(raceFixture ?? "") --replay 'planted/early-return' A1B3A1@"))
        // Bounds that were exhausted before the finding don't count.
        #expect(
            result.verdict
                == "1 of 1 race failed in 4 schedules (ordinary instrumentation); 0 exhausted to a bound or entirely.")
    }

    @Test(arguments: ["README.md", "Documentation/Guide/Races.md"])
    func `a page shows the failure as the tool prints it, without files and lines`(page: String) throws {
        let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized
        let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
        let shown = try #require(text.firstMatch(of: #/```(text)?\n(planted\/early-return: [^`]*)```/#))
        let printed = try races("planted/early-return", "--time", "5").output.prefix { $0 != "@" }
        func words(_ text: some StringProtocol) -> [Substring] {
            String(text).replacing(#/ Tests\/\S+:[0-9]+/#, with: "")
                .replacing(#/\S+ races --(image|product) \S+/#, with: "rxbench races").replacing(
                    #/@[0-9a-f]+/#, with: ""
                )
                .split { $0.isWhitespace }
        }
        #expect(words(shown.2) == words(printed))
    }

    @Test func `the command below a failure repeats it, with the same steps`() throws {
        let found = try races("planted/ring-queue", "--time", "5")
        #expect(found.code == 1)
        let command = try #require(found.output.split(separator: "\n").first { $0.contains("--replay") })
        let again = try races("--replay", "planted/ring-queue", String(command.split(separator: " ").last ?? ""))
        #expect(again.code == 1)
        func steps(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.contains("RingQueue") } }
        #expect(steps(found.output).count > 10)
        #expect(steps(again.output) == steps(found.output))
        let unknown = try races("--replay", "ring-queue", "A1")
        #expect(unknown.code == 64)
        #expect(unknown.sentence == "Error: 'ring-queue' is a part of 2 names. '--replay' takes the ID of one race.")
    }

    @Test func `a queue of one's own loses an element, which is told step by step`() throws {
        let result = try races("planted/ring-queue", "--time", "5")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "planted/ring-queue: forbidden outcome. of 1, 2, 3 came 1, 1, 2.")
        #expect(lines[1].hasSuffix("shrunk to 1 preemption, \(lines.count { $0.contains("RingQueue.") }) steps."))
        #expect(lines.contains { $0.contains("RingQueue.take()") && $0.contains("RingQueue.swift:") })
        let clean = try races("clean/ring-queue", "--time", "20", "--exhaustive")
        #expect(clean.code == 0)
        #expect(clean.output.contains(" exhaustive "))
    }

    @Test func `a fault that a new process does not meet on its schedule is inconclusive`() throws {
        let result = try races("unrepeatable/executions", "--time", "5")
        #expect(result.code == 4)
        #expect(result.output.hasPrefix("unrepeatable/executions: inconclusive. The search met a forbidden outcome"))
        #expect(result.verdict.hasPrefix("0 of 1 race failed in "))
        #expect(result.verdict.hasSuffix(", 1 inconclusive."))
    }

    // 'first-time': work that a process does only once. 'given-up': a global variable that an execution has changed
    // when it ends at its fault.
    @Test(arguments: ["first-time", "given-up"])
    func `a fault whose steps depend on what the process has done is repeated by its command`(_ name: String) throws {
        let found = try races("planted/\(name)", "--time", "5")
        #expect(found.code == 1)
        let command = try #require(found.output.split(separator: "\n").first { $0.contains("--replay") })
        let again = try races("--replay", "planted/\(name)", String(command.split(separator: " ").last ?? ""))
        #expect(again.code == 1)
        #expect(again.errors == "")
        #expect(try races("clean/\(name)", "--time", "5").code == 0)
    }

    @Test func `a bound is the most preemptions`() throws {
        let none = try races("planted/early-return", "--bound", "0", "--time", "5")
        #expect(none.code == 0)
        #expect(none.output.contains("exhaustive at bound 0"))
        #expect(none.verdict.hasSuffix("1 exhausted to a bound or entirely."))
        let more = try races("clean/early-return", "--bound", "3", "--time", "5")
        #expect(more.output.contains("exhaustive at bound 3"))
    }

    @Test func `without a bound, what was exhausted is called exhaustive`() throws {
        let result = try races("clean/early-return", "--exhaustive", "--time", "5")
        #expect(result.code == 0)
        let line = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("clean/") })
        #expect(line.contains(" exhaustive ") && !line.contains("bound"))
    }

    @Test func `at random, equal seeds find the same`() throws {
        let results = try ["7", "7"].map { try races("planted/early-return", "--random", "--seed", $0, "--time", "5") }
        #expect(results.map(\.code) == [1, 1])
        #expect(results[0].output.contains("Found by priorities after "))
        func story(_ result: Tool.Result) -> [Substring] { result.output.split(separator: "\n").dropLast(3) }
        #expect(story(results[0]) == story(results[1]))
        let clean = try races("clean/early-return", "--random", "--time", "0.3")
        #expect(clean.code == 0)
        #expect(clean.output.contains("random, in part"))
        #expect(clean.verdict.hasSuffix("0 exhausted to a bound or entirely."))
    }

    @Test func `the time is for all races, and a search ends with it`() throws {
        let result = try races("endless", "clean/lost-update/atomic", "--bound", "16", "--time", "1", "--json")
        #expect(result.code == 0)
        let document = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
        #expect(document.races.map(\.id) == ["clean/lost-update/atomic", "endless"])
        #expect(document.isWhole)
        let seconds = document.races.map { $0.stages.reduce(0) { $0 + $1.seconds } }
        #expect(seconds[0] < 0.5 && seconds[1] > 0.4 && seconds[1] < 1.5)
        #expect(document.races[1].stages.contains { !$0.isExhausted })
    }

    @Test func `shards have all races, each once`() throws {
        let all = try races("--list").output.split(separator: "\n")
        let parts = try ["1/3", "2/3", "3/3"].map { try races("--list", "--shard", $0).output.split(separator: "\n") }
        #expect(all.count > 30)
        #expect(parts.flatMap(\.self).sorted() == all.sorted())
        #expect(parts.allSatisfy { $0.count >= all.count / 3 })
        let searched = try races("clean/lost-update", "--shard", "2/2", "--time", "5")
        #expect(searched.verdict.hasPrefix("0 of 1 race failed"))
    }

    @Test func `an interrupt shows what is known so far and leaves no process`() throws {
        let folder = try TemporaryFolder()
        let number = "\(folder.path)/process.number"
        let result = try races(
            "clean/lost-update/plain", "endless", "litmus/coherence", "--bound", "16", "--time", "600",
            environment: ["RACE_FIXTURE_INTERRUPT": number])
        #expect(result.code == 130)
        let lines = result.output.split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 != " " } }.prefix(3) == ["race", "clean/lost-update/plain", "endless"])
        #expect(lines[2].contains("bound "))
        #expect(lines.count == 4)
        #expect(result.verdict.hasSuffix("Interrupted, or a process failed: the rest is unknown."))
        #expect(result.errors == "")
        #expect(hasEnded(try String(contentsOfFile: number, encoding: .utf8)))
        #expect(folder.files == ["process.number"])
    }

    @Test func `in a pipe there is no progress; on a terminal it tells schedules and how much is done`() throws {
        let quiet = try races("endless", "--bound", "16", "--time", "1")
        #expect(quiet.code == 0)
        #expect(quiet.errors == "")
        let shown = try Terminal.text(
            on: .errors, of: Tool.path("RxBenchFixture"),
            ["races", "--image", raceFixture ?? "", "endless", "--bound", "16", "--time", "1.5"])
        #expect(shown.contains(#/\r\x{1B}\[K[0-9]+ %, about [^:]*: endless, bound [0-9]+, [0-9,.]+k? schedules\/s/#))
        #expect(shown.hasSuffix("\r\u{1B}[K"))
    }

    @Test func `its JSON becomes a section of the page, with a picture and the command`() throws {
        let folder = try TemporaryFolder()
        let found = try races("planted/ring-queue", "clean/lost-update/atomic", "--time", "5", "--json")
        let file = try folder.write(found.output, to: "races.json")
        let run = try Tool.fixture("run", "fixture/loop/short", "--json", "--no-store", "--exact-only")
        let result = try folder.write(run.output, to: "one.json")
        let page = try Tool.fixture("report", result, "--races", file, "--output", "-")
        #expect(page.code == 0)
        #expect(page.output.contains("<h2>Races searched</h2><p>1 of 2 races failed in "))
        #expect(page.output.contains("forbidden outcome. of 1, 2, 3 came 1, 1, 2."))
        #expect(page.output.contains("<svg class=lanes"))
        #expect(page.output.contains("--replay &#39;planted/ring-queue&#39; A"))
        let refused = try Tool.fixture("report", result, "--races", result, "--output", "-")
        #expect(refused.code == 64)
        #expect(refused.sentence.contains("holds no races that this build can read."))
    }

    /// The output of `--json`, as another program reads it.
    private struct Document: Decodable {
        struct Race: Decodable {
            let id: String
            let stages: [Stage]
        }

        struct Stage: Decodable {
            let seconds: Double
            let isExhausted: Bool
        }

        let isWhole: Bool
        let races: [Race]
    }

    @Test func `a clean race ends with the bound that was exhausted`() throws {
        let result = try races("clean/early-return", "--time", "5")
        #expect(result.code == 0)
        #expect(result.output.contains("exhaustive at bound 2"))
        #expect(
            result.verdict
                == "0 of 1 race failed in 56 schedules (ordinary instrumentation); 1 exhausted to a bound or entirely.")
    }

    @Test func `a race that uses what is not modelled is not judged, which the first line says`() throws {
        let result = try races("planted/refused", "--time", "5")
        #expect(result.code == 4)
        #expect(
            result.output.hasPrefix(
                "planted/refused: not judged. It uses waitpid; replace the process by something in memory.\n"))
        #expect(result.verdict.hasSuffix("1 not judged."))
    }

    @Test func `an actor that does not come to its end makes a race inconclusive, within two seconds of the time`()
        throws
    {
        let begin = MonotonicClock.nanoseconds
        let result = try races("unending/loop", "--time", "1")
        #expect(MonotonicClock.nanoseconds - begin < 3_000_000_000)
        #expect(result.code == 4)
        #expect(result.output.hasPrefix("unending/loop: inconclusive. A ran for a second without a step, in "))
        #expect(result.verdict.hasSuffix("1 inconclusive."))
    }

    @Test func `on a terminal the columns fold to its width`() throws {
        let shown = try Terminal.text(
            on: .results, of: Tool.path("RxBenchFixture"),
            ["races", "--image", raceFixture ?? "", "planted/ring-queue", "--time", "5"])
        let lines = shown.replacing(#/\x{1B}\[[0-9;]*m/#, with: "").split(whereSeparator: \.isNewline)
        let steps = lines.prefix { !$0.contains("--replay") }
        #expect(steps.count > 20)
        #expect(steps.allSatisfy { $0.count <= 80 })
    }

    @Test func `findings are written for other tools`() throws {
        let folder = try TemporaryFolder()
        let (junit, sarif) = ("\(folder.path)/races.xml", "\(folder.path)/races.sarif")
        _ = try races("planted/lost-update", "--time", "5", "--junit", junit, "--sarif", sarif)
        let cases = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(cases.contains("tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\""))
        let data = try Data(contentsOf: URL(fileURLWithPath: sarif))
        let runs = (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["runs"] as? [[String: Any]]
        #expect((runs?.first?["results"] as? [Any])?.count == 2)
    }
}
