import Foundation
import RxBench

/// A finished run of `swift build`.
package struct SwiftBuild {
    /// Whether everything was built.
    package let hasSucceeded: Bool
    /// What it printed.
    package let output: String
    private let complaints: String

    /// All of its words: compilers complain on one stream, the package manager on the other.
    package var words: String { output + complaints }

    /// Runs it with `arguments` and waits for its end.
    ///
    /// - Parameter purpose: Who needs it for what, for the sentence that says that there is no Swift.
    /// - Throws: ``Interrupted`` when a signal arrived.
    package init(_ arguments: [String], purpose: String) throws {
        guard let swift = ChildProcess.find("swift") else {
            throw BuildFailure("Swift is not on the PATH, and \(purpose). Add it and run this again.")
        }
        // Interrupted as by a user: killed, it would leave its compilers running.
        let child = try ChildProcess(executable: swift, arguments: ["build"] + arguments, interruption: SIGINT)
        let result = try child.wait(timeoutSeconds: 3_600)
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        hasSucceeded = result.ending == .exited(0)
        output = String(decoding: result.output, as: UTF8.self)
        complaints = result.complaints
    }
}
