import Foundation
import Testing

@testable import RxBenchCommands

@Suite("rxbench to a newcomer") struct NewcomerTests {
    @Test func `without arguments it says what to do first`() throws {
        let result = try Tool.fixture()
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("Begin with:\n  RxBenchFixture doctor "))
        #expect(!result.output.contains("rxbench"))
        #expect(
            result.verdict
                == "'RxBenchFixture --help' shows every verb, and how to complete them in your shell.")
        let own = try Tool.rxbench()
        #expect(own.output.hasPrefix("Begin with:\n  rxbench doctor "))
        #expect(
            own.verdict
                == "'rxbench --help' shows every verb, and how to complete them in your shell.")
    }

    @Test(arguments: [["--help"], ["compare", "--help"]])
    func `the help of a suite of one's own calls it by its name`(arguments: [String]) throws {
        let own = try Tool.run("RxBenchFixture", arguments, [:])
        #expect(own.code == 0)
        #expect(own.output.contains("\n  RxBenchFixture compare previous latest"))
        #expect(own.output.contains("USAGE: RxBenchFixture "))
        #expect(!own.output.contains(#/[ '(]rxbench[ ']/#))
        #expect(try Tool.run("rxbench", arguments, [:]).output.contains("\n  rxbench compare previous latest"))
    }

    @Test func `a word that is no verb is refused`() throws {
        let result = try Tool.fixture("mesure")
        #expect(result.code == 64)
        #expect(result.sentence.contains("'mesure'"))
        #expect(
            try Tool.fixture("compair").sentence
                == "Error: 'compair' is no verb. Did you mean 'compare'? 'RxBenchFixture --help' lists all verbs.")
        // Two swapped letters are one mistake.
        #expect(try Tool.fixture("rnu").sentence.contains("Did you mean 'run'?"))
        #expect(
            try Tool.fixture("compare", "lates", "previous").sentence
                == "Error: There is no result 'lates'. Did you mean 'latest'?")
    }

    @Test func `the version names the tool, the format and the compiler`() throws {
        let result = try Tool.fixture("--version")
        #expect(result.code == 0)
        #expect(result.output.contains(#/^RxBenchFixture [0-9.]+, result format [0-9]+, Swift 6\./#))
    }

    @Test(arguments: [
        ("bash", "complete -o filenames -F"), ("zsh", "#compdef RxBenchFixture"), ("fish", "complete -c"),
    ])
    func `the tool writes completion for a shell`(shell: String, line: String) throws {
        let result = try Tool.fixture("--generate-completion-script", shell)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output.contains(line) && result.output.contains("RxBenchFixture"))
        // A line that is broken in two is no comment any more.
        guard shell == "bash" else { return }
        let folder = try TemporaryFolder()
        let script = try folder.write(result.output, to: "completion.bash")
        #expect(try Tool.launch(["/bin/bash", "-n", script]).code == 0)
    }

    @Test func `the description of the arguments, from which a manual page is made, is JSON`() throws {
        struct Description: Decodable {
            struct Command: Decodable { let commandName: String }
            let command: Command
        }
        let result = try Tool.fixture("--experimental-dump-help")
        let description = try JSONDecoder().decode(Description.self, from: Data(result.output.utf8))
        #expect(description.command.commandName == "RxBenchFixture")
        // No string is broken in two: Foundation would read that, and not every reader of JSON does.
        #expect(result.output.contains("exactly (allocations) and statistically (time)"))
    }

    @Test(arguments: [("run", "positional@0"), ("ab", "positional@1"), ("compare", "--filter")])
    func `IDs complete where a verb takes them`(verb: String, argument: String) throws {
        // Asks in the same way as the generated scripts.
        let result = try Tool.fixture(
            "---completion", verb, "--", argument, "1", "0", environment: ["SAP_SHELL": "bash"])
        #expect(result.output.split(separator: "\n").contains("fixture/heap/exact"))
    }

    @Test func `results are shown slowest first on request`() throws {
        let result = try Tool.fixture(
            "run", "fixture/loop", "--order", "slowest", "--time", "0.2", "--processes", "1", "--no-store")
        let times = result.output.split(separator: "\n").filter { $0.hasPrefix("fixture/loop") }
        #expect(times.count > 1, "\(result.output)")
        #expect(times.first?.contains("short") == false, "\(result.output)")
    }

    @Test(arguments: ["fixture/loop/short", "fixture/loop/long"])
    func `results are shown most changed first on request`(changed: String) throws {
        let folder = try TemporaryFolder()
        func run() throws -> Tool.Result {
            try Tool.fixture(
                "run", "fixture/loop/short", "fixture/loop/long", "--order", "changed", "--time", "0.2",
                "--processes", "1", "--output", folder.path)
        }
        #expect(
            try run().errors.contains(
                "No earlier result of this machine is stored: nothing is known to have changed."))
        let stored = try #require(folder.files.first { $0.hasSuffix(".json") })
        try multiplyTime(of: changed, in: "\(folder.path)/\(stored)", by: 1_000)
        let result = try run()
        let shown = result.output.split(separator: "\n").filter { $0.hasPrefix("fixture/loop") }
        #expect(shown.count > 1, "\(result.output)")
        #expect(shown.first?.hasPrefix(changed) == true, "\(result.output)")
        #expect(!result.errors.contains("No earlier result"))
    }

    /// Plants a change: multiplies the stored time of a benchmark by `factor`.
    private func multiplyTime(of id: String, in file: String, by factor: Double) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        var document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var benchmarks = try #require(document["benchmarks"] as? [[String: Any]])
        let place = try #require(benchmarks.firstIndex { $0["id"] as? String == id })
        var figures = try #require(benchmarks[place]["figures"] as? [String: Any])
        var time = try #require(figures["time"] as? [String: Any])
        time["value"] = try #require(time["value"] as? Double) * factor
        figures["time"] = time
        benchmarks[place]["figures"] = figures
        document["benchmarks"] = benchmarks
        try JSONSerialization.data(withJSONObject: document).write(to: URL(fileURLWithPath: file))
    }

    @Test func `a terminal is shown colours, unless NO_COLOR says otherwise or it is none`() throws {
        func results(_ environment: [String: String]) throws -> String {
            try Terminal.text(on: .results, of: Tool.path("RxBenchFixture"), [], environment: environment)
        }
        let coloured = try results([:])
        #expect(coloured.contains("\u{1B}[1;32m'RxBenchFixture --help' shows every verb"))
        let plain = try results(["NO_COLOR": "1"])
        #expect(plain == coloured.replacing(#/\x{1B}\[[0-9;]*m/#, with: ""))
        #expect(try results(["TERM": "dumb"]) == plain)
        #expect(try !Tool.fixture().output.contains("\u{1B}"))
        // A debug build causes a warning.
        func warnings(_ environment: [String: String]) throws -> String {
            try Terminal.text(
                on: .errors, of: Tool.path("RxBenchFixture"),
                ["run", "fixture/loop/short", "--exact-only", "--no-store"], environment: environment)
        }
        #expect(try warnings([:]).contains("\u{1B}[1;33mWarning: this is a debug build;"))
        #expect(try warnings(["NO_COLOR": "1"]).contains(#/(^|\n)Warning: this is a debug build;/#))
    }

    @Test(arguments: [
        "run", "list", "compare", "ab", "merge", "trend", "report", "explain", "leaks", "races", "export", "doctor",
        "init",
    ])
    func `help fits 80 columns, and an example that does not goes on with an indentation`(verb: String) throws {
        let help = try Tool.fixture(verb, "--help").output
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(help)")
        let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }
        #expect(!examples.isEmpty && examples.allSatisfy { $0.hasPrefix("  ") }, "\(help)")
    }

    @Test(arguments: [["compare", "nosuch", "latest"], ["nosuch"], ["run", "nosuch"]])
    func `warnings and errors fit the terminal and break no word`(arguments: [String]) throws {
        func text(columns: Int) throws -> String {
            try Terminal.text(
                on: .errors, of: Tool.path("RxBenchFixture"), arguments, columns: columns,
                environment: ["NO_COLOR": "1"])
        }
        func lines(_ text: String) -> [Substring] { text.split(whereSeparator: \.isNewline) }
        let narrow = lines(try text(columns: 50))
        #expect(narrow.count > 1 && narrow.allSatisfy { $0.count <= 50 }, "\(narrow)")
        #expect(narrow.joined(separator: " ") == lines(try text(columns: 1_000)).joined(separator: " "))
    }

    /// A narrow terminal shows fewer columns, and a wide terminal shows all of them.
    @Test(arguments: [(56, ["outliers", "bytes/op"]), (64, ["outliers"]), (200, [])])
    func `a table fits the terminal that shows it`(columns: Int, spared: [String]) throws {
        let shown = try Terminal.text(
            on: .results, of: Tool.path("RxBenchFixture"),
            ["run", "fixture/loop/short", "fixture/heap/exact", "--quick", "--no-store"], columns: columns)
        let table = shown.split(whereSeparator: \.isNewline).prefix { !$0.contains(":") }
        #expect(table.first?.hasPrefix("benchmark ") == true, "\(shown)")
        #expect(table.contains { $0.hasPrefix("fixture/heap") } && table.contains { $0.hasPrefix("  exact ") })
        #expect(table.allSatisfy { $0.count <= columns }, "\(shown)")
        let titles = ["time/op", "outliers", "MDE", "allocs/op", "bytes/op"]
        for title in columns == 200 ? titles : ["time/op"] + spared {
            #expect(table.first?.contains(title) == !spared.contains(title), "\(title) in\n\(shown)")
        }
    }
}
