import ArgumentParser
import Foundation
import RxBenchEngine
import RxBenchRaces
import HeapTrace

/// A program with races: compiled with instrumentation in a separate folder, or as usual for real threads.
struct RaceImage {
    private let executable: String
    /// Begins every request.
    private let verbs: [String]
    /// The names of its races.
    let races: [String]

    /// Reads the program `name` of the package in `package` as it was compiled last; `nil` if it never was.
    init?(lastBuildOf name: String, in package: String, isDebug: Bool, instrumentation: RaceInstrumentation) {
        let folder = "\(Self.scratch(for: instrumentation, in: package))/\(isDebug ? "debug" : "release")"
        let isStress = instrumentation == .absent || instrumentation == .threadSanitizer
        guard let last = try? Self(executable: "\(folder)/\(name)", isStress: isStress) else { return nil }
        self = last
    }

    private static func scratch(for instrumentation: RaceInstrumentation, in package: String) -> String {
        switch instrumentation {
        case .absent: "\(package)/.build"
        case .ordinary: "\(package)/.build/rxbench-races"
        case .deep: "\(package)/.build/rxbench-races-deep"
        case .threadSanitizer: "\(package)/.build/rxbench-races-thread"
        }
    }

    /// Compiles the program `name` of the package in `package`; all of it where it `isFirst`.
    init(
        package: String, program name: String, isDebug: Bool, instrumentation: RaceInstrumentation, isFirst: Bool
    ) throws {
        let duration = isFirst ? "; the first time this takes minutes" : ", where it has changed"
        let manifest = Self.manifest(of: package)
        var options = ["-c", isDebug ? "debug" : "release", "--package-path", package, "--product", name]
        // The trait of this package, and of a client that passes it on; without the others, of which it needs none.
        let hasTrait = manifest.contains(#/\.trait\(\s*name:\s*"TRACE_RESOURCES"/#)
        switch instrumentation {
        case .absent: Console.note("Compiling '\(name)'\(duration).")
        case .ordinary, .deep:
            options += try Self.options(for: instrumentation, in: package)
            if hasTrait, !isDebug { options += ["--traits", "TRACE_RESOURCES"] }
            Console.note("Compiling '\(name)' with instrumentation\(duration).")
        case .threadSanitizer:
            options += ["--sanitize", "thread", "--scratch-path", Self.scratch(for: instrumentation, in: package)]
            options += ["-Xswiftc", "-Xfrontend", "-Xswiftc", Self.keepsFunctionsApart]
            // jemalloc would take the place of the sanitizer's own allocator.
            if hasTrait { options.append("--disable-default-traits") }
            Console.note("Compiling '\(name)' with ThreadSanitizer\(duration).")
        }
        _ = try Self.build(options)
        let folder = try Self.build(options + ["--show-bin-path"]).trimmingCharacters(in: .newlines)
        let isStress = instrumentation == .absent || instrumentation == .threadSanitizer
        try self.init(executable: "\(folder)/\(name)", isStress: isStress)
    }

    private static func manifest(of package: String) -> String {
        (try? String(contentsOfFile: "\(package)/Package.swift", encoding: .utf8)) ?? ""
    }

    /// A program that is compiled already.
    init(executable: String, isStress: Bool) throws {
        self.executable = executable
        verbs = [RaceMain.verb] + (isStress ? [RaceMain.threads] : [])
        let process = SelfSubprocess(executable: executable, timeoutSeconds: 60)
        switch try process.output(of: verbs, environment: [:]) {
        case .success(let bytes):
            races = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        case .failure(let error):
            throw BuildFailure("'\(executable)' does not list its races: \(error)")
        }
    }

    /// The record of one search. A finding is kept if a new process meets it on the same schedule.
    ///
    /// - Parameter follow: is called some times a second with how far it came, if there is a terminal to show it on.
    func record(
        of request: RaceRequest, follow: (RaceProgress) -> Void = { _ in }
    ) throws -> Result<RaceRecord, SelfSubprocess.Failure> {
        let result = try reply(to: request, follow: follow)
        guard request.replay == nil, case .success(let record) = result, let finding = record.finding,
            !finding.replay.isEmpty, Interruption.signal == nil
        else { return result }
        var again = request
        again.replay = finding.replay
        again.seconds = max(request.seconds, 5)
        guard case .success(let repeated) = try reply(to: again, follow: { _ in }),
            repeated.finding?.kind == finding.kind
        else { return .success(record.withoutRepetition) }
        return result
    }

    private func reply(
        to request: RaceRequest, follow: (RaceProgress) -> Void
    ) throws -> Result<RaceRecord, SelfSubprocess.Failure> {
        var request = request
        request.tellsProgress = Console.hasLiveErrors
        let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let process = SelfSubprocess(
            executable: executable, timeoutSeconds: request.seconds + 120, interruption: SIGINT,
            advice: "its threads may wait for one another, or one of them for ever.")
        return try process.output(of: verbs + [text], environment: Self.environment) { output in
            let line = output.dropLast().split(separator: UInt8(ascii: "\n")).last
            if output.last == UInt8(ascii: "\n"), let line,
                let progress = try? JSONDecoder().decode(RaceProgress.self, from: Data(line))
            {
                follow(progress)
            }
        }.flatMap { output in
            let reply = output.split(separator: UInt8(ascii: "\n")).last ?? []
            return (try? JSONDecoder().decode(RaceRecord.self, from: Data(reply))).map { .success($0) }
                ?? .failure(SelfSubprocess.Failure("Its process ended without a reply."))
        }
    }

    /// The environment of the program. Without the first variable, sets and dictionaries have a different order in each
    /// process. With the second, a program with ThreadSanitizer prints its reports itself. The user's own value of that
    /// variable applies too.
    private static var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment["TSAN_OPTIONS"].map { "\($0):" } ?? ""
        return ["SWIFT_DETERMINISTIC_HASHING": "1", "TSAN_OPTIONS": own + "exitcode=0:symbolize=0"]
    }

    /// Functions with equal bodies are one function without lines otherwise, so that no report could name them.
    private static let keepsFunctionsApart = "-disable-llvm-merge-functions-pass"

    /// Marks the C code of this package, which the search leaves alone. A pragma of sections needs no end, unlike one
    /// of attributes, so that one file that is included first is enough.
    private static let prelude = """
        #ifdef RXRACES_EXEMPT
        #pragma clang section text = "rxraces_exempt"
        #endif

        """

    /// The options for a build with instrumentation. It has a separate folder, because a change of options compiles
    /// everything again.
    private static func options(for instrumentation: RaceInstrumentation, in package: String) throws -> [String] {
        let scratch = Self.scratch(for: instrumentation, in: package)
        let (file, header) = ("\(scratch)/toolset.json", "\(scratch)/exempt.h")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        for (text, file) in [(try toolset(for: instrumentation, prelude: header), file), (prelude, header)] {
            // A file with the same content is kept: a newer date makes the package manager compile everything again.
            if FileManager.default.contents(atPath: file) == Data(text.utf8) { continue }
            try AtomicFile.write(Array(text.utf8), to: file)
        }
        return ["--scratch-path", scratch, "--toolset", file]
    }

    private static func toolset(for instrumentation: RaceInstrumentation, prelude: String) throws -> String {
        // To the front end alone: the driver would link ThreadSanitizer's library.
        var swift = ["-Xfrontend", "-sanitize=thread", "-Xfrontend", keepsFunctionsApart]
        // The optimiser removes checks of exclusive access that the accessing thread itself cannot violate. Another
        // thread can.
        for pass in ["wmo", "opts", "dom"] { swift += ["-Xllvm", "-sil-disable-pass=access-enforcement-\(pass)"] }
        var clang = ["-fsanitize=thread", "-DRXRACES_INSTRUMENTED", "-include", prelude]
        if instrumentation == .deep {
            // LLVM's own pass gives it to every function, before the pass that instruments.
            swift += ["-Xllvm", "-force-attribute=sanitize_thread"]
            clang.append("-DRXRACES_DEEP")
        }
        let tools = ["swiftCompiler": swift, "cCompiler": clang, "cxxCompiler": clang]
        var toolset: [String: Any] = tools.mapValues { ["extraCLIOptions": $0] }
        toolset["schemaVersion"] = "1.0"
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: toolset, options: options), as: UTF8.self) + "\n"
    }

    private static func build(_ options: [String]) throws -> String {
        let build = try SwiftBuild(options, purpose: "'races' compiles")
        guard build.hasSucceeded else {
            throw BuildFailure("The program does not compile:\n\(CompilerMessage.summary(build.words))")
        }
        return build.output
    }
}
