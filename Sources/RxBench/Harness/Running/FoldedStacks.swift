import Foundation

/// The stacks under which a chain spends its work, as flame graph tools read them: `map;main;run 120`. The first frame
/// is a stage of the chain's growth.
package enum FoldedStacks {
    /// By what means stacks are seen.
    package enum Means: Sendable, Equatable, Codable {
        /// Callgrind sees every instruction of one iteration; `valgrind` is the path of the program.
        case callgrind(valgrind: String)
        /// The processor is interrupted a thousand times a second; `perf` is the path of the program.
        case perf(String)

        /// The unit of a stack's count.
        package var unit: String {
            switch self {
            case .callgrind: "instructions of one iteration"
            case .perf: "samples of a thousandth of a second"
            }
        }

        /// The means that is installed here, callgrind before perf: it sees everything, and alike each time.
        package static var available: Reading<Means> {
            choose(valgrind: ChildProcess.find("valgrind"), perf: ChildProcess.find("perf"))
        }

        static func choose(valgrind: String?, perf: String?) -> Reading<Means> {
            if let valgrind { return .value(.callgrind(valgrind: valgrind)) }
            if let perf { return .value(.perf(perf)) }
            return .unavailable("neither valgrind nor perf is installed; install one ('apt-get install valgrind')")
        }
    }

    /// How many callers callgrind tells apart; deeper stacks lose their outermost frames.
    static let depth = 40

    /// The stacks of each stage of `benchmark`, from the source on: demangled, outermost function first, behind the
    /// stage's name.
    ///
    /// - Parameter progress: Receives the name of each stage before it is watched, with how many have been and how many
    ///   there are.
    /// - Throws: ``Interrupted`` when a signal arrived.
    package static func collect(
        _ benchmark: Benchmark, by means: Means, executable: String, timeoutSeconds: Double,
        progress: (_ stage: String, _ completed: Int, _ total: Int) -> Void = { _, _, _ in }
    ) throws(Interrupted) -> Reading<String> {
        var text = ""
        for (number, stage) in benchmark.stages.enumerated() {
            guard let growth = benchmark.growth(.stage, number) else { continue }
            progress(stage.name, number, benchmark.stages.count)
            let stacks: Reading<String> =
                switch means {
                case .callgrind(let valgrind): try callgrind(growth, valgrind, executable, timeoutSeconds)
                case .perf(let perf):
                    try PerfRecording(perf: perf, executable: executable, timeoutSeconds: timeoutSeconds).stacks(
                        of: growth)
                }
            guard case .value(let lines) = stacks else { return stacks }
            let name = frame(stage.name)
            for line in lines.split(separator: "\n") { text += "\(name);\(line)\n" }
        }
        return .value(text)
    }

    /// `name` as it may stand between the separators of a stack.
    static func frame(_ name: String) -> String { name.replacing(";", with: ":").replacing("\n", with: " ") }

    private static func callgrind(
        _ benchmark: Benchmark, _ valgrind: String, _ executable: String, _ timeoutSeconds: Double
    ) throws(Interrupted) -> Reading<String> {
        let launcher = ProcessLauncher(
            executable: executable, timeoutSeconds: timeoutSeconds, instructions: .callgrind(valgrind: valgrind),
            separateCallers: depth)
        let request = WorkerRequest(pass: .instructions, id: benchmark.id.text)
        let reply = try launcher.reply(to: request).withoutFailure
        if case .unavailable(let reason)? = reply.exact.first?.readings.first { return .unavailable(reason) }
        // The last file holds the last iteration.
        guard let text = launcher.lastCallgrindFile.flatMap({ try? String(contentsOfFile: $0, encoding: .utf8) }) else {
            return .unavailable("callgrind left no file")
        }
        return .value(CallgrindFile(text).folded)
    }
}

/// A file that callgrind wrote with contexts: every function is named with its callers, `inner'outer'outermost`.
///
/// The format: Valgrind's manual, "Callgrind Format Specification". Cost lines behind `fn=` are the function's own; one
/// behind `calls=` is a callee's.
struct CallgrindFile {
    /// The cost of each context, by its name in the file.
    let costs: [String: UInt64]

    init(_ text: String) {
        var names: [Substring: String] = [:]
        var costs: [String: UInt64] = [:]
        var current = ""
        var isCall = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("fn=") {
                current = Self.name(line.dropFirst(3), &names)
            } else if line.hasPrefix("cfn=") {
                _ = Self.name(line.dropFirst(4), &names)
            } else if line.hasPrefix("calls=") {
                isCall = true
            } else if let first = line.first, first.isNumber || first == "+" || first == "-" || first == "*" {
                let words = line.split(separator: " ")
                if !isCall, words.count >= 2, let cost = UInt64(words[1]) {
                    costs[current] = (costs[current] ?? 0).saturatingSum(cost)
                }
                isCall = false
            }
        }
        self.costs = costs
    }

    /// `(12) name` defines a number, `(12)` uses it.
    private static func name(_ text: Substring, _ names: inout [Substring: String]) -> String {
        guard text.first == "(", let end = text.firstIndex(of: ")") else { return String(text) }
        let number = text[...end]
        let rest = text[text.index(after: end)...].drop { $0 == " " }
        if !rest.isEmpty { names[number] = String(rest) }
        return names[number] ?? String(number)
    }

    /// One line for each stack, sorted, with what it cost.
    var folded: String {
        var lines: [String: UInt64] = [:]
        for (context, cost) in costs where cost > 0 {
            let frames = context.split(separator: "'").filter { !$0.allSatisfy(\.isNumber) }
                .map { FoldedStacks.frame(Demangler.readable(String($0))) }
            let stack = frames.reversed().joined(separator: ";")
            lines[stack] = (lines[stack] ?? 0).saturatingSum(cost)
        }
        return lines.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    }
}

/// Names of functions as people write them.
package enum Demangler {
    /// `name` demangled when it is a mangled name of Swift's, else as it is.
    package static func readable(_ name: String) -> String {
        guard name.hasPrefix("$s"), let text = demangle(name, UInt(name.utf8.count), nil, nil, 0) else { return name }
        defer { free(text) }
        return String(cString: text)
    }
}

/// The runtime's own demangler (stdlib/public/runtime/Demangle.cpp); its text is freed by the caller.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

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
