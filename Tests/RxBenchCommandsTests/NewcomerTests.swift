import Foundation
import Testing

@testable import RxBenchCommands

@Suite("rxbench to a newcomer") struct NewcomerTests {
    @Test func `without arguments it says what to do first`() throws {
        let result = try Tool.fixture()
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("Begin with:\n  rxbench doctor "))
        #expect(
            result.verdict
                == "'rxbench --help' shows every verb, and 'rxbench setup' installs completion for your shell.")
    }

    @Test func `a word that is no verb is refused`() throws {
        let result = try Tool.fixture("mesure")
        #expect(result.code == 64)
        #expect(result.sentence.contains("'mesure'"))
    }

    @Test(arguments: [
        ("bash", "data/bash-completion/completions/rxbench", "complete -o filenames -F"),
        ("zsh", "data/zsh/site-functions/_rxbench", "#compdef rxbench"),
        ("fish", "config/fish/completions/rxbench.fish", "complete -c 'rxbench'"),
    ]) func `one command installs completion and the manual page`(shell: String, file: String, line: String) throws {
        let folder = try TemporaryFolder()
        let result = try Tool.fixture(
            "setup",
            environment: [
                "SHELL": "/usr/bin/\(shell)", "HOME": folder.path, "XDG_DATA_HOME": "\(folder.path)/data",
                "XDG_CONFIG_HOME": "\(folder.path)/config",
            ])
        #expect(result.code == 0, "\(result.errors)")
        #expect(try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8).contains(line))
        let manual = try String(contentsOfFile: "\(folder.path)/data/man/man1/rxbench.1", encoding: .utf8)
        #expect(manual.hasPrefix(".TH RXBENCH 1\n"))
        #expect(manual.contains(".SH COMPARE\n"))
    }

    @Test func `a shell without completion is named`() throws {
        let result = try Tool.fixture("setup", "--shell", "tcsh")
        #expect(result.code == 64)
        #expect(
            result.sentence
                == "Error: 'tcsh' has no completion. Write '--shell bash', '--shell zsh' or '--shell fish'.")
    }

    @Test func `what roff would act on is shown in the manual`() {
        #expect(ManualPage.escaped(".a\n'b\nc\\d --e") == "\\&.a\n\\&'b\nc\\ed \\-\\-e")
    }

    @Test func `results are shown slowest first on request`() throws {
        let result = try Tool.fixture(
            "run", "fixture/loop", "--order", "slowest", "--time", "0.2", "--processes", "1", "--no-store")
        let times = result.output.split(separator: "\n").filter { $0.hasPrefix("fixture/loop") }
        #expect(times.count > 1, "\(result.output)")
        #expect(times.first?.contains("short") == false, "\(result.output)")
    }
}
