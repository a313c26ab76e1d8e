import Foundation

/// `posix_spawn` with what a worker needs: a process group of its own, default signal handling, two pipes.
package enum Spawn {
    /// - Parameters:
    ///   - input: What the program reads; nothing without it.
    ///   - isInOwnGroup: `false` for a program that ends with the group of this process.
    package static func start(
        _ executable: String, _ arguments: [String], _ environment: [String: String], input: Int32? = nil,
        output: Int32, errors: Int32,
        isInOwnGroup: Bool = true
    ) throws(ChildProcess.StartError) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        // A signal that this process ignores would stay ignored in the child.
        var handled = sigset_t()
        sigemptyset(&handled)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&handled, signal) }
        posix_spawnattr_setsigdefault(&attributes, &handled)
        // A signal that is blocked here, as on a thread of Dispatch, would stay blocked there: an interrupt that is
        // passed on would never arrive.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isInOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let code = withStrings([executable] + arguments) { arguments in
            // Sorted, as a dictionary has another order in every process.
            withStrings(merged.map { "\($0.key)=\($0.value)" }.sorted()) { environment in
                var identifier: pid_t = 0
                let code = posix_spawn(&identifier, executable, &actions, &attributes, arguments, environment)
                return code == 0 ? Outcome.started(identifier) : .refused(code)
            }
        }
        switch code {
        case .started(let identifier): return identifier
        case .refused(let code): throw ChildProcess.StartError(executable: executable, code: code)
        }
    }

    private enum Outcome {
        case started(pid_t)
        case refused(Int32)
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
