import Foundation

extension PublishedLeak {
    /// A common report about `posix_spawn` and `execv`: the arguments are copied with `strdup` and never freed. The
    /// published mend frees each copy.
    static let copiedArguments = PublishedLeak(
        name: "copied-arguments",
        expected: Expectation(
            "heap bytes", heldBy: "no counted reference", change: "allocated at CopiedArguments.swift"),
        innocents: { count in (0..<count).map { LaunchedCommand(path: "/bin/\($0)") } },
        leaky: .synchronous { CommandLauncher(freesCopies: false).launch(LaunchedCommand(path: "/usr/bin/true")) },
        fixed: .synchronous { CommandLauncher(freesCopies: true).launch(LaunchedCommand(path: "/usr/bin/true")) })
}

private final class LaunchedCommand {
    let path: String
    var status = 0

    init(path: String) { self.path = path }
}

private struct CommandLauncher {
    let freesCopies: Bool

    func launch(_ command: LaunchedCommand) {
        withArguments([command.path, "--quiet", "--output", "/tmp/published-leaks"]) { arguments in
            command.status = arguments.count
        }
    }

    private func withArguments(_ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Void) {
        let copies = arguments.map { strdup($0) }
        body(copies + [nil])
        if freesCopies { copies.forEach { free($0) } }
    }
}
