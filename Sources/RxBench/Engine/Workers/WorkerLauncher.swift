import Foundation

/// Launches workers that measure requests.
package protocol WorkerLauncher {
    /// Returns the reply to `request`. If nothing was measured, the reply's failure is the reason.
    func reply(to request: WorkerRequest) throws(Interrupted) -> WorkerReply
}

/// Starts this program again for every request. A crash therefore ends only one measurement, and every process has a
/// different memory layout.
package final class ProcessLauncher: WorkerLauncher {
    private let executable: String
    private let timeoutSeconds: Double
    private let instructions: InstructionCounting
    /// The arguments that precede the request.
    private let leading: [String]
    /// The workspace for callgrind. It is created for the first request that needs it.
    private var callgrind: Result<CallgrindWorkspace, FileError>?
    private let allocator: TimeAllocator
    private let variables: [String: String]

    /// - Parameter variables: Additional environment variables of the processes.
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
            // The keys are sorted, because a different order would change the work of the worker and therefore its
            // heap.
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

    /// The default advice for a process that took too long.
    package static let moreTime = "'--timeout' allows more."

    /// Returns a sentence with the reason why a process has no result, or `nil` if it succeeded.
    ///
    /// - Parameters:
    ///   - task: A description of the process's task, as the beginning of a sentence.
    ///   - advice: The advice for a process that took too long, as the end of that sentence.
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

    /// Returns a sentence with the line of the fatal error in `text`, or an empty string.
    private static func lastWords(_ text: String) -> String {
        guard let line = text.split(separator: "\n").last(where: { $0.contains("Fatal error") }) else { return "" }
        return " It said '\(line.split(separator: "/").last ?? line)'."
    }
}

/// Runs this program again in a separate process, so that a crash or a hang affects only that process.
package struct SelfSubprocess {
    private let executable: String
    private let timeoutSeconds: Double
    private let interruption: Int32
    private let advice: String

    /// A sentence with the reason why there is no output.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        /// The way in which the process ended, or `nil` if no process was started.
        package let ending: ChildProcess.Ending?

        package init(_ description: String, ending: ChildProcess.Ending? = nil) {
            self.description = description
            self.ending = ending
        }
    }

    /// - Parameters:
    ///   - executable: The path of this program.
    ///   - timeoutSeconds: The time limit. A process that takes longer is ended and counts as failed.
    ///   - interruption: The signal that ends the process when the tool is interrupted. If it is not SIGKILL, the
    ///     process can still report its results so far, and its output is returned.
    ///   - advice: The advice for a process that took too long, as the end of a sentence.
    package init(
        executable: String, timeoutSeconds: Double, interruption: Int32 = SIGKILL,
        advice: String = ProcessLauncher.moreTime
    ) {
        self.executable = executable
        self.interruption = interruption
        self.advice = advice
        self.timeoutSeconds = timeoutSeconds
    }

    /// Runs the process and returns its standard output, or the reason why it failed.
    ///
    /// - Parameters:
    ///   - environment: Variables that are added to the environment of this process and take precedence.
    ///   - follow: A closure that is called with the complete output so far whenever more output arrives.
    /// - Throws: ``Interrupted`` if a signal has ended the tool. In this case the process has ended.
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
