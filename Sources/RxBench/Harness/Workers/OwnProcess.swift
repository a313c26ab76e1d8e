import Foundation

/// Runs this program once more, in a process that a crash or a hang ends alone.
package struct OwnProcess {
    private let executable: String
    private let timeoutSeconds: Double
    private let interruption: Int32
    private let advice: String

    /// Why there is no output, in one sentence.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
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
            return .failure(Failure(failure))
        }
        return .success(result.output)
    }
}
