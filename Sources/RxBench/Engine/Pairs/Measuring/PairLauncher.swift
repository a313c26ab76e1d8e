import Foundation

/// Measures pairs in separate processes.
protocol PairLauncher: AnyObject {
    func reply(to request: PairRequest) throws(Interrupted) -> PairReply
    /// Returns the counts of one image.
    func count(_ pass: WorkerRequest.Pass, image: String, id: String) throws(Interrupted) -> WorkerReply
}

/// Starts this program again for every request, so that each process has a different memory layout.
final class PairProcessLauncher: PairLauncher {
    private let executable: String
    private let timeoutSeconds: Double
    private let instructions: InstructionCounting
    private let allocator: TimeAllocator
    /// The launchers that count in images, by the images' paths.
    private var counters: [String: ProcessLauncher] = [:]
    private let whereabouts = Whereabouts()

    init(executable: String, timeoutSeconds: Double, allocator: TimeAllocator = .system) {
        self.executable = executable
        self.allocator = allocator
        self.timeoutSeconds = timeoutSeconds
        instructions = .available(wantsCallgrind: true)
    }

    func reply(to request: PairRequest) throws(Interrupted) -> PairReply {
        if request.arrangement == .twoPrograms { return try replyOfPrograms(request) }
        let result: ChildProcess.Result
        var request = request
        request.whereabouts = whereabouts?.descriptor
        whereabouts?.note(.loading)
        do {
            let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
            let child = try ChildProcess(
                executable: executable, arguments: [PairWorker.verb, text],
                environment: ["SWIFT_BACKTRACE": "enable=no"].merging(LoadedImage.environment) { $1 }
                    .merging(allocator.environment) { $1 })
            result = try child.wait(timeoutSeconds: timeoutSeconds)
        } catch {
            if let signal = Interruption.signal { throw Interrupted(signal: signal) }
            return PairReply(failure: .refused("\(error)"))
        }
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        if result.ending == .exited(0), let reply = try? JSONDecoder().decode(PairReply.self, from: Data(result.output))
        {
            guard case .shortage(let code)? = reply.failure else { return reply }
            Interruption.stop(forShortage: code)
            throw Interrupted(signal: 0)
        }
        let task = whereabouts?.step?.words ?? "Its process"
        let sentence =
            ProcessLauncher.failure(of: result, timeoutSeconds: timeoutSeconds, task: task)
            ?? "Its process sent no reply."
        return PairReply(failure: .refused(sentence), failedSide: whereabouts?.side)
    }

    /// Returns the times of two programs that measure in turns, in the order ABBA.
    private func replyOfPrograms(_ request: PairRequest) throws(Interrupted) -> PairReply {
        let turns: [PairedSide] = request.seed & 4 == 4 ? [.head, .base, .base, .head] : [.base, .head, .head, .base]
        var times: [PairedSide: [Double]] = [:]
        for side in turns {
            let launcher = ProcessLauncher(
                executable: side == .base ? request.base : request.head, timeoutSeconds: timeoutSeconds,
                allocator: allocator)
            let reply = try launcher.reply(
                to: WorkerRequest(pass: .time, id: request.id, budgetNanoseconds: request.budgetNanoseconds / 2))
            if let failure = reply.failure { return PairReply(failure: .refused(failure), failedSide: side) }
            guard !reply.timesLatencies else {
                return PairReply(
                    failure: .refused("It records latencies, which programs in turns do not compare."), failedSide: side
                )
            }
            guard let nanoseconds = reply.nanosecondsPerOperation, nanoseconds > 0 else {
                return PairReply(failure: .refused("Its program measured no time."), failedSide: side)
            }
            times[side, default: []].append(log(nanoseconds))
        }
        func mean(_ side: PairedSide) -> Double { (times[side] ?? []).reduce(0, +) / 2 }
        let middle = exp((mean(.base) + mean(.head)) / 2) * Double(request.operations)
        let figure = PairFigure(.time, middle: middle, logRatio: mean(.head) - mean(.base), iterations: 1)
        return PairReply(series: PairSeries(figures: [figure], quadruples: 1))
    }

    /// Returns the benchmarks of one image.
    static func list(image: String, executable: String, timeoutSeconds: Double) throws -> [ListedBenchmark] {
        let result = try ChildProcess(
            executable: executable, arguments: [PairWorker.listVerb, image], environment: LoadedImage.environment
        ).wait(timeoutSeconds: timeoutSeconds)
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        if result.ending == .exited(0),
            let list = try? JSONDecoder().decode([ListedBenchmark].self, from: Data(result.output))
        {
            return list
        }
        let reason =
            ProcessLauncher.failure(of: result, timeoutSeconds: timeoutSeconds, task: "Listing them")
            ?? "Its process sent no reply."
        throw BuildFailure("The benchmarks of an image cannot be listed. \(reason)")
    }

    func count(_ pass: WorkerRequest.Pass, image: String, id: String) throws(Interrupted) -> WorkerReply {
        if pass == .instructions, case .unavailable(let reason) = instructions { return .unavailable(reason) }
        let counter =
            counters[image]
            ?? ProcessLauncher(
                executable: executable, timeoutSeconds: timeoutSeconds, instructions: instructions,
                leading: [PairWorker.exactVerb, image], variables: LoadedImage.environment)
        counters[image] = counter
        let reply = try counter.reply(to: WorkerRequest(pass: pass, id: id))
        return pass == .instructions ? reply.withoutFailure : reply
    }
}
