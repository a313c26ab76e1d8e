import Foundation

/// Has a request measured.
package protocol WorkerLauncher {
    /// The reply, whose failure says why nothing was measured.
    func reply(to request: WorkerRequest) throws(Interrupted) -> WorkerReply
}

/// Starts this program again for every request: a crash ends one measurement, and every process has a memory layout of
/// its own.
package final class ProcessLauncher: WorkerLauncher {
    private let executable: String
    private let timeoutSeconds: Double
    private let instructions: InstructionCounting
    /// The arguments before the request.
    private let leading: [String]
    /// Made for the first request that needs it.
    private var callgrind: Result<CallgrindWorkspace, FileError>?
    private let allocator: TimeAllocator
    private let variables: [String: String]

    /// - Parameter variables: Further variables of the processes' environment.
    package init(
        executable: String, timeoutSeconds: Double,
        instructions: InstructionCounting = .unavailable("nothing was asked to count them"),
        leading: [String] = [Worker.verb], allocator: TimeAllocator = .system,
        variables: [String: String] = [:]
    ) {
        self.variables = variables
        self.allocator = allocator
        self.executable = executable
        self.timeoutSeconds = timeoutSeconds
        self.instructions = instructions
        self.leading = leading
    }

    package func reply(to request: WorkerRequest) throws(Interrupted) -> WorkerReply {
        let result: ChildProcess.Result
        do {
            let command = try command(for: request)
            let child = try ChildProcess(
                executable: command.executable, arguments: command.arguments,
                environment: environment(for: request.pass))
            result = try child.wait(timeoutSeconds: timeoutSeconds)
        } catch {
            if let signal = Interruption.signal { throw Interrupted(signal: signal) }
            return WorkerReply(failure: "\(error)")
        }
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        return Self.reply(in: result, timeoutSeconds: timeoutSeconds, task: request.pass.task)
    }

    private func command(for request: WorkerRequest) throws -> (executable: String, arguments: [String]) {
        func arguments(_ request: WorkerRequest) throws -> [String] {
            let encoder = JSONEncoder()
            // Keys in another order would be other work for the worker, and so another heap.
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return leading + [String(decoding: try encoder.encode(request), as: UTF8.self)]
        }
        guard request.pass == .instructions, case .callgrind(let valgrind) = instructions else {
            return (executable, try arguments(request))
        }
        let executable = executable
        let workspace =
            callgrind
            ?? Result { () throws(FileError) in try CallgrindWorkspace(executable: executable, valgrind: valgrind) }
        callgrind = workspace
        return try workspace.get().command { output in
            var request = request
            request.callgrindOutput = output
            return try arguments(request)
        }
    }

    private func environment(for pass: WorkerRequest.Pass) -> [String: String] {
        var environment = ["SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
        if pass == .time { return environment.merging(allocator.environment) { $1 } }
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        if pass == .exact { return environment.merging(HeapProbe.environment) { $1 } }
        environment.merge(CallgrindProbe.environment) { $1 }
        if case .success(let workspace)? = callgrind {
            let folders = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
            environment["LD_LIBRARY_PATH"] = workspace.libraryFolder + folders
        }
        let whole = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        return environment.merging([CallgrindWorkspace.paddingName: CallgrindWorkspace.padding(for: whole)]) { $1 }
    }

    private static func reply(in result: ChildProcess.Result, timeoutSeconds: Double, task: String) -> WorkerReply {
        if let failure = failure(of: result, timeoutSeconds: timeoutSeconds, task: task) {
            return WorkerReply(failure: failure)
        }
        if let reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(result.output)) { return reply }
        return WorkerReply(failure: "Its process ended without a reply.\(lastWords(result.complaints))")
    }

    /// The advice on a process that took too long, where there is no better advice.
    package static let moreTime = "'--timeout' allows more."

    /// Why a process has nothing to say, in one sentence; `nil` if it ended well.
    ///
    /// - Parameters:
    ///   - task: what it was to do, as the beginning of a sentence.
    ///   - advice: what helps one that took too long, as its end.
    package static func failure(
        of result: ChildProcess.Result, timeoutSeconds: Double, task: String,
        advice: String = moreTime
    ) -> String? {
        switch result.ending {
        case .exited(0): nil
        case .exited(let code): "Its process exited with code \(code).\(lastWords(result.complaints))"
        case .killed(let signal): "Its process crashed with signal \(signal).\(lastWords(result.complaints))"
        case .timedOut:
            """
            \(task) did not end within \
            \(timeoutSeconds == timeoutSeconds.rounded() ? "\(Int(timeoutSeconds))" : "\(timeoutSeconds)") s; \
            \(advice)
            """
        }
    }

    /// The fatal error's own line, or nothing.
    private static func lastWords(_ text: String) -> String {
        guard let line = text.split(separator: "\n").last(where: { $0.contains("Fatal error") }) else { return "" }
        return " It said '\(line.split(separator: "/").last ?? line)'."
    }
}

/// Runs this program once more, in a process that a crash or a hang ends alone.
package struct OwnProcess {
    private let executable: String
    private let timeoutSeconds: Double
    private let interruption: Int32
    private let advice: String

    /// Why there is no output, in one sentence.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        /// How the process ended; `nil` where none was started.
        package let ending: ChildProcess.Ending?

        package init(_ description: String, ending: ChildProcess.Ending? = nil) {
            self.description = description
            self.ending = ending
        }
    }

    /// - Parameters:
    ///   - executable: the path of this program.
    ///   - timeoutSeconds: a process that takes longer is ended and has failed.
    ///   - interruption: the signal that ends it when the tool is interrupted; one that the process answers to by
    ///     telling what it knows is passed on, and its output is still returned.
    ///   - advice: what helps where it took longer, as the end of a sentence.
    package init(
        executable: String, timeoutSeconds: Double, interruption: Int32 = SIGKILL,
        advice: String = ProcessLauncher.moreTime
    ) {
        self.executable = executable
        self.interruption = interruption
        self.advice = advice
        self.timeoutSeconds = timeoutSeconds
    }

    /// The standard output of the process, or why it failed.
    ///
    /// - Parameters:
    ///   - environment: is laid over this process's own.
    ///   - follow: is called with all of the output so far, whenever there is more.
    /// - Throws: ``Interrupted`` when a signal has ended the tool; the process is gone then.
    package func output(
        of arguments: [String], environment: [String: String], follow: ([UInt8]) -> Void = { _ in }
    ) throws(Interrupted) -> Result<[UInt8], Failure> {
        let result: ChildProcess.Result
        do {
            let environment = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
            result = try ChildProcess(
                executable: executable, arguments: arguments, environment: environment, interruption: interruption
            ).wait(timeoutSeconds: timeoutSeconds, follow: follow)
        } catch {
            if let signal = Interruption.signal { throw Interrupted(signal: signal) }
            return .failure(Failure("\(error)"))
        }
        if let signal = Interruption.signal, interruption == SIGKILL { throw Interrupted(signal: signal) }
        if let failure = ProcessLauncher.failure(
            of: result, timeoutSeconds: timeoutSeconds, task: "Its process", advice: advice)
        {
            return .failure(Failure(failure, ending: result.ending))
        }
        return .success(result.output)
    }
}
