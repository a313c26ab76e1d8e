import Foundation

/// Samples the stacks of a benchmark with Linux's `perf`, in a process of its own.
struct PerfRecording {
    let perf: String
    let executable: String
    let timeoutSeconds: Double

    /// How long a benchmark is watched, in nanoseconds.
    private static let watched: UInt64 = 1_000_000_000

    /// The stacks of `benchmark`'s process, with the number of samples of each; set-up and calibration are among them.
    func stacks(of benchmark: Benchmark) throws(Interrupted) -> Reading<String> {
        let file = "\(NSTemporaryDirectory())/rxbench-perf-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(file) }
        let request = WorkerRequest(pass: .time, id: benchmark.id.text, budgetNanoseconds: Self.watched)
        guard let text = try? JSONEncoder().encode(request) else {
            return .unavailable("the request cannot be written")
        }
        // The kernel's clock: virtual machines rarely show the processor's own events.
        let recording = ["record", "--quiet", "--event", "cpu-clock", "--freq", "1000", "-g", "--output", file, "--"]
        let worker = [executable, Worker.verb, String(decoding: text, as: UTF8.self)]
        if let reason = try failure(of: run(recording + worker), "record") { return .unavailable(reason) }
        let script = try run(["script", "--input", file, "--fields", "ip,sym"])
        if let reason = failure(of: script, "show") { return .unavailable(reason) }
        guard case .success(let result) = script else { return .unavailable("perf cannot be started") }
        let folded = PerfScript(String(decoding: result.output, as: UTF8.self)).folded
        return folded.isEmpty ? .unavailable("perf took no sample of '\(benchmark.id)'") : .value(folded)
    }

    private func run(_ arguments: [String]) throws(Interrupted) -> Result<ChildProcess.Result, any Error> {
        let result: Result<ChildProcess.Result, any Error>
        do {
            let child = try ChildProcess(
                executable: perf, arguments: arguments,
                environment: ["SWIFT_BACKTRACE": "enable=no"].merging(TimeAllocator.system.environment) { $1 })
            result = .success(try child.wait(timeoutSeconds: timeoutSeconds))
        } catch {
            result = .failure(error)
        }
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        return result
    }

    private func failure(of result: Result<ChildProcess.Result, any Error>, _ act: String) -> String? {
        switch result {
        case .failure(let error): return "perf cannot be started (\(error))"
        case .success(let result):
            guard result.ending != .exited(0) else { return nil }
            let words =
                result.complaints.split(separator: "\n").first { $0.contains("rror") || $0.contains("ermission") }
                ?? "it gave no reason"
            return "perf could not \(act) the process: \(words.trimmingCharacters(in: .whitespaces))"
        }
    }
}

/// The output of `perf script --fields ip,sym`: for each sample a line for each frame, the innermost first, and an
/// empty line behind.
struct PerfScript {
    /// How many samples were taken of each stack, its frames outermost first.
    let samples: [String: Int]

    init(_ text: String) {
        var samples: [String: Int] = [:]
        var frames: [String] = []
        func finish() {
            if !frames.isEmpty { samples[frames.reversed().joined(separator: ";"), default: 0] += 1 }
            frames = []
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop(while: \.isWhitespace).split(separator: " ", maxSplits: 1)
            if words.isEmpty { finish() } else { frames.append(Self.frame(words)) }
        }
        finish()
        self.samples = samples
    }

    /// The function of `address name`; `[unknown]` where perf knows none.
    private static func frame(_ words: [Substring]) -> String {
        let name = words.count > 1 ? words[1].drop(while: \.isWhitespace) : "[unknown]"
        return FoldedStacks.frame(Demangler.readable(String(name)))
    }

    /// One line for each stack, sorted, with its samples.
    var folded: String { samples.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined() }
}
