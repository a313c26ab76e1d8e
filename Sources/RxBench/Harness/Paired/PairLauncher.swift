import Foundation

/// Has pairs measured by processes of their own.
protocol PairLauncher {
    func reply(to request: PairRequest) throws(Interrupted) -> PairReply
    /// The counts of one image.
    func exactReply(image: String, id: String) throws(Interrupted) -> WorkerReply
}

/// Starts this program again for every request, so that each has a memory layout of its own.
struct PairProcessLauncher: PairLauncher {
    let executable: String
    let timeoutSeconds: Double

    func reply(to request: PairRequest) throws(Interrupted) -> PairReply {
        do throws(LaunchProblem) {
            let result = try run([PairWorker.verb, Self.text(request)], [:])
            if let reply = try? JSONDecoder().decode(PairReply.self, from: Data(result.output)), result.ending == .exited(0) { return reply }
            return PairReply(failure: .refused(ProcessLauncher.reply(in: result, timeoutSeconds: timeoutSeconds).failure ?? "Its process sent no reply."))
        } catch {
            switch error {
            case .interrupted(let signal): throw Interrupted(signal: signal)
            case .notStarted(let sentence): return PairReply(failure: .refused(sentence))
            }
        }
    }

    func exactReply(image: String, id: String) throws(Interrupted) -> WorkerReply {
        let request = WorkerRequest(pass: .exact, id: id, budgetNanoseconds: 0, sampleLimit: 0)
        do throws(LaunchProblem) {
            let environment = HeapProbe.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
            return ProcessLauncher.reply(
                in: try run([PairWorker.exactVerb, image, Self.text(request)], environment), timeoutSeconds: timeoutSeconds)
        } catch {
            switch error {
            case .interrupted(let signal): throw Interrupted(signal: signal)
            case .notStarted(let sentence): return WorkerReply(failure: sentence)
            }
        }
    }

    private enum LaunchProblem: Error {
        case interrupted(Int32)
        case notStarted(String)
    }

    private func run(_ arguments: [String], _ environment: [String: String]) throws(LaunchProblem) -> ChildProcess.Result {
        let result: ChildProcess.Result
        do {
            let child = try ChildProcess(
                executable: executable, arguments: arguments, environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
            result = try child.wait(timeoutSeconds: timeoutSeconds)
        } catch {
            throw .notStarted("\(error)")
        }
        if let signal = Interruption.signal { throw .interrupted(signal) }
        return result
    }

    private static func text(_ request: some Encodable) -> String {
        (try? JSONEncoder().encode(request)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
