import Foundation

/// Has a request measured.
protocol WorkerLauncher {
    /// The reply, whose failure says why nothing was measured.
    func reply(to request: WorkerRequest) throws(Interrupted) -> WorkerReply
}

/// Starts this program again for every request: a crash ends one measurement, and every process has a memory layout of its own.
struct ProcessLauncher: WorkerLauncher {
    let executable: String
    let timeoutSeconds: Double

    func reply(to request: WorkerRequest) throws(Interrupted) -> WorkerReply {
        var environment = ["SWIFT_BACKTRACE": "enable=no"]
        if request.pass == .exact {
            environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
            environment.merge(HeapProbe.environment) { $1 }
        }
        let result: ChildProcess.Result
        do {
            let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
            let child = try ChildProcess(executable: executable, arguments: [Worker.verb, text], environment: environment)
            result = try child.wait(timeoutSeconds: timeoutSeconds)
        } catch {
            return WorkerReply(failure: "\(error)")
        }
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        return Self.reply(in: result, timeoutSeconds: timeoutSeconds)
    }

    static func reply(in result: ChildProcess.Result, timeoutSeconds: Double) -> WorkerReply {
        if let failure = failure(of: result, timeoutSeconds: timeoutSeconds) { return WorkerReply(failure: failure) }
        if let reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(result.output)) { return reply }
        return WorkerReply(failure: "Its process ended without a reply.\(lastWords(result.complaints))")
    }

    /// Why a process has nothing to say, in one sentence; `nil` if it ended well.
    static func failure(of result: ChildProcess.Result, timeoutSeconds: Double) -> String? {
        switch result.ending {
        case .exited(0): nil
        case .exited(let code): "Its process exited with code \(code).\(lastWords(result.complaints))"
        case .killed(let signal): "Its process crashed with signal \(signal).\(lastWords(result.complaints))"
        case .timedOut: "It did not finish within \(Int(timeoutSeconds)) s."
        }
    }

    /// The fatal error's own line, or nothing.
    private static func lastWords(_ text: String) -> String {
        guard let line = text.split(separator: "\n").last(where: { $0.contains("Fatal error") }) else { return "" }
        return " It said '\(line.split(separator: "/").last ?? line)'."
    }
}
