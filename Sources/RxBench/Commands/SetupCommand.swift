import ArgumentParser
import Foundation
import RxBench

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Installs completion for your shell and a manual page, for you alone.",
        discussion: """
            Examples:
              rxbench setup                completion for the shell that SHELL names, and 'man rxbench'
              rxbench setup --shell zsh    for another: bash, zsh or fish

            Files that are there are replaced. They lie below HOME, or below XDG_DATA_HOME and XDG_CONFIG_HOME \
            where these are set.
            """)

    @Option(help: .value("name", "bash, zsh or fish. (default: that of SHELL)")) var shell: String?

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let name = shell ?? environment["SHELL"].map { ($0 as NSString).lastPathComponent } ?? ""
        guard let completed = CompletionShell(rawValue: name) else {
            throw CommandFailure(
                .usage, "'\(name)' has no completion. Write '--shell bash', '--shell zsh' or '--shell fish'.")
        }
        guard let home = environment["HOME"], !home.isEmpty else {
            throw CommandFailure(.usage, "HOME is not set. Set it to the folder to install below.")
        }
        let data = environment["XDG_DATA_HOME"] ?? "\(home)/.local/share"
        let settings = environment["XDG_CONFIG_HOME"] ?? "\(home)/.config"
        let tool = RxBenchMain.name
        let completion =
            switch completed {
            case .zsh: "\(data)/zsh/site-functions/_\(tool)"
            case .fish: "\(settings)/fish/completions/\(tool).fish"
            default: "\(data)/bash-completion/completions/\(tool)"
            }
        try Self.write(RootCommand.completionScript(for: completed), to: completion)
        try Self.write(ManualPage().text, to: "\(data)/man/man1/\(tool).1")
        if !Self.isManualFound(tool) {
            Console.note("'man' does not search that folder. Add to your profile: export MANPATH='\(data)/man:'")
        }
        if completed == .zsh {
            Console.note("Add to ~/.zshrc: fpath+=('\(data)/zsh/site-functions'); autoload -U compinit; compinit")
        }
        Console.verdict("New \(name) sessions complete \(tool), and 'man \(tool)' explains it.", outcome: .fine)
    }

    /// Whether 'man' would find the page of `tool`; true where there is no 'man'.
    private static func isManualFound(_ tool: String) -> Bool {
        guard let man = ChildProcess.find("man") else { return true }
        return ChildProcess.output(of: man, ["-w", tool], timeoutSeconds: 20) != nil
    }

    private static func write(_ text: String, to path: String) throws(CommandFailure) {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try AtomicFile.write(Array(text.utf8), to: path)
        } catch {
            let reason = (error as? FileError)?.description ?? "The folder '\(folder)' cannot be made."
            throw CommandFailure(.usage, "\(reason) Set HOME or XDG_DATA_HOME to a folder of yours.")
        }
        Console.print(path)
    }
}

/// The help of all verbs as a page for 'man'.
struct ManualPage {
    var text: String {
        let verbs = RootCommand.configuration.subcommands
        let sections = verbs.map { verb in
            ".SH \(verb.configuration.commandName?.uppercased() ?? "")\n"
                + Self.literal(RootCommand.helpMessage(for: verb, columns: .max))
        }
        return """
            .TH \(RxBenchMain.name.uppercased()) 1
            .SH NAME
            \(Self.escaped(RxBenchMain.name)) \\- \(Self.escaped(RootCommand.configuration.abstract))
            .SH DESCRIPTION
            \(Self.literal(RootCommand.helpMessage(columns: .max)))
            \(sections.joined(separator: "\n"))

            """
    }

    /// Lines that 'man' shows as they are.
    private static func literal(_ text: String) -> String { ".nf\n\(escaped(RxBenchMain.folded(text, to: 78)))\n.fi" }

    /// Without anything that roff would act on.
    static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&\($0)" : String($0) }.joined(separator: "\n")
    }
}
