import Foundation
import RxBench

/// A child process in a separate process group. Its output is collected.
package final class ChildProcess {
    /// The ways in which a program can end.
    package enum Ending: Equatable {
        case exited(Int32)
        case killed(signal: Int32)
        case timedOut
    }

    package struct Result {
        package let ending: Ending
        /// The bytes that the program wrote to standard output.
        package let output: [UInt8]
        /// The last kilobytes of the program's output to standard error.
        package let complaints: String
    }

    /// An error for a program that could not be started. `code` is the system's error number.
    package struct StartError: Error, CustomStringConvertible {
        let executable: String
        package let code: Int32
        package var description: String { "'\(executable)' cannot be started: \(String(cString: strerror(code)))." }
        /// Whether the machine lacked the resources for another process. In this case the program did not cause the
        /// error.
        package var isShortage: Bool { [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code) }
    }

    private let identifier: pid_t
    private let output: Pipe
    private let complaints: Pipe

    /// Starts `executable`. The variables in `environment` are added to the environment of this process and take
    /// precedence.
    ///
    /// - Parameter interruption: The signal that ends the program when the tool is interrupted. A program with children
    ///   in separate groups needs a signal that it can pass on to them. The program has ten seconds to end.
    package init(
        executable: String, arguments: [String], environment: [String: String] = [:], interruption: Int32 = SIGKILL
    ) throws {
        do throws(StartError) {
            output = try Pipe(for: executable)
            complaints = try Pipe(for: executable)
            identifier = try Spawn.start(
                executable, arguments, environment, output: output.writeEnd, errors: complaints.writeEnd)
        } catch {
            if error.isShortage { Interruption.stop(forShortage: error.code) }
            throw error
        }
        output.closeWriteEnd()
        complaints.closeWriteEnd()
        Interruption.watch(identifier, endingWith: interruption)
    }

    /// Collects the program's output until the program ends. If that takes longer than `timeoutSeconds`, kills the
    /// program's process group. `follow` is called with the complete output so far whenever more output arrives.
    package func wait(timeoutSeconds: Double, follow: ([UInt8]) -> Void = { _ in }) throws -> Result {
        var deadline = MonotonicClock.nanoseconds + UInt64(timeoutSeconds * 1e9)
        var isInterrupted = false
        var collected: [UInt8] = []
        var tail: [UInt8] = []
        var isLate = false
        while output.isOpen || complaints.isOpen {
            let now = MonotonicClock.nanoseconds
            guard now < deadline else {
                isLate = true
                break
            }
            if Interruption.signal != nil, !isInterrupted {
                isInterrupted = true
                deadline = min(deadline, now + 10_000_000_000)
            }
            // The wait has a time limit, because a signal to this process may not end it.
            Pipe.waitForData(
                output, complaints, milliseconds: Int32(clamping: min((deadline - now) / 1_000_000 + 1, 500)))
            let arrived = output.drain()
            collected += arrived
            if !arrived.isEmpty { follow(collected) }
            tail += complaints.drain()
            if tail.count > 16_384 { tail.removeFirst(tail.count - 8_192) }
        }
        if isLate { kill(-identifier, SIGKILL) }
        let ending = reap()
        Interruption.forget(identifier)
        return Result(
            ending: isLate ? .timedOut : ending, output: collected, complaints: String(decoding: tail, as: UTF8.self))
    }

    private func reap() -> Ending {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
    }

    /// Runs a program and returns its standard output, or `nil` unless the program succeeds within the time limit.
    package static func output(
        of executable: String, _ arguments: [String], environment: [String: String] = [:], timeoutSeconds: Double
    ) -> String? {
        guard let child = try? ChildProcess(executable: executable, arguments: arguments, environment: environment),
            let result = try? child.wait(timeoutSeconds: timeoutSeconds), result.ending == .exited(0)
        else { return nil }
        return String(decoding: result.output, as: UTF8.self)
    }

    /// Returns the path of the executable `name` in `PATH`, or `nil`.
    package static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}

/// The two ends of a pipe. Both ends are closed on exec, so that no other child process keeps them open.
private final class Pipe {
    private(set) var writeEnd: Int32
    private var readEnd: Int32
    private(set) var isOpen = true

    init(for executable: String) throws(ChildProcess.StartError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ChildProcess.StartError(executable: executable, code: errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        closeWriteEnd()
        close(readEnd)
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }

    /// Returns all bytes that can be read without waiting. Detects the end of the pipe.
    func drain() -> [UInt8] {
        var collected: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while isOpen {
            let count = read(readEnd, &buffer, buffer.count)
            if count > 0 {
                collected += buffer[..<count]
            } else if count == 0 {
                isOpen = false
            } else if errno != EINTR {
                if errno != EAGAIN { isOpen = false }
                break
            }
        }
        return collected
    }

    static func waitForData(_ first: Pipe, _ second: Pipe, milliseconds: Int32) {
        var descriptors = [first, second].filter(\.isOpen).map {
            pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0)
        }
        poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    }
}

/// Calls `posix_spawn` with the settings that a worker needs: a separate process group, default signal handling and two
/// pipes.
package enum Spawn {
    /// - Parameters:
    ///   - input: The descriptor of the program's standard input. By default, the input is empty.
    ///   - isInOwnGroup: Whether the program has a separate process group. If not, it ends together with the group of
    ///     this process.
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
        // Without this reset, a signal that this process ignores would also be ignored in the child.
        var handled = sigset_t()
        sigemptyset(&handled)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&handled, signal) }
        posix_spawnattr_setsigdefault(&attributes, &handled)
        // Without this reset, a signal that is blocked here, for example on a Dispatch thread, would also be blocked in
        // the child. An interrupt that is passed on to the child would then never arrive.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isInOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let code = withStrings([executable] + arguments) { arguments in
            // The variables are sorted, because the order of a dictionary differs between processes.
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
