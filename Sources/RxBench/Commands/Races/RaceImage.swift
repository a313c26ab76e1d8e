import ArgumentParser
import Foundation
import RxBench
import RxBenchPairs
import RxBenchRaces

/// A program with races: compiled with instrumentation in a folder of its own, or as usual for real threads.
struct RaceImage {
    private let executable: String
    /// Begins every request.
    private let verbs: [String]
    /// The names of its races.
    let races: [String]

    /// Compiles the program of the package in `package`: `product`, or '<tool>-races' where the manifest names it, or
    /// the tool itself.
    init(
        package: String, product: String?, tool: String, isDebug: Bool, instrumentation: RaceInstrumentation
    ) throws {
        let name = product ?? (Self.isNamed(in: package, for: tool) ? Self.name(for: tool) : tool)
        let manifest = Self.manifest(of: package)
        var options = ["-c", isDebug ? "debug" : "release", "--package-path", package, "--product", name]
        // The trait of this package, and of a client that passes it on; without the others, of which it needs none.
        let hasTrait = manifest.contains(#/\.trait\(\s*name:\s*"TRACE_RESOURCES"/#)
        switch instrumentation {
        case .absent: Console.note("Compiling '\(name)'.")
        case .ordinary, .deep:
            options += try Self.options(for: instrumentation, in: package)
            if hasTrait, !isDebug { options += ["--traits", "TRACE_RESOURCES"] }
            Console.note("Compiling '\(name)' with instrumentation; the first time this takes minutes.")
        case .threadSanitizer:
            options += ["--sanitize", "thread", "--scratch-path", "\(package)/.build/rxbench-races-thread"]
            options += ["-Xswiftc", "-Xfrontend", "-Xswiftc", Self.keepsFunctionsApart]
            // jemalloc would take the place of the sanitizer's own allocator.
            if hasTrait { options.append("--disable-default-traits") }
            Console.note("Compiling '\(name)' with ThreadSanitizer; the first time this takes minutes.")
        }
        _ = try Self.build(options)
        let folder = try Self.build(options + ["--show-bin-path"]).trimmingCharacters(in: .newlines)
        let isStress = instrumentation == .absent || instrumentation == .threadSanitizer
        try self.init(executable: "\(folder)/\(name)", isStress: isStress)
    }

    private static func name(for tool: String) -> String { "\(tool)-races" }

    private static func manifest(of package: String) -> String {
        (try? String(contentsOfFile: "\(package)/Package.swift", encoding: .utf8)) ?? ""
    }

    /// Whether the manifest of the package names a program of races that belongs to the tool.
    static func isNamed(in package: String, for tool: String) -> Bool {
        manifest(of: package).contains("\"\(name(for: tool))\"")
    }

    /// A program that is compiled already.
    init(executable: String, isStress: Bool) throws {
        self.executable = executable
        verbs = [RaceMain.verb] + (isStress ? [RaceMain.threads] : [])
        let process = OwnProcess(executable: executable, timeoutSeconds: 60)
        switch try process.output(of: verbs, environment: [:]) {
        case .success(let bytes):
            races = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        case .failure(let error):
            throw BuildFailure("'\(executable)' does not tell its races: \(error)")
        }
    }

    /// The record of one search.
    ///
    /// - Parameter follow: is called some times a second with how far it came, if there is a terminal to show it on.
    func record(
        of request: RaceRequest, follow: (RaceProgress) -> Void = { _ in }
    ) throws -> Result<RaceRecord, OwnProcess.Failure> {
        var request = request
        request.tellsProgress = Console.hasLiveErrors
        let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let process = OwnProcess(
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
                ?? .failure(OwnProcess.Failure("Its process ended without a reply."))
        }
    }

    /// Without the first, sets and dictionaries have another order in every process. With the second, a program with
    /// ThreadSanitizer tells of its reports itself; what stands in the variable before counts too.
    private static var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment["TSAN_OPTIONS"].map { "\($0):" } ?? ""
        return ["SWIFT_DETERMINISTIC_HASHING": "1", "TSAN_OPTIONS": own + "exitcode=0:symbolize=0"]
    }

    /// Functions with equal bodies are one function without lines otherwise, so that no report could name them.
    private static let keepsFunctionsApart = "-disable-llvm-merge-functions-pass"

    /// The options for a build with instrumentation, in a folder of its own: a change of options compiles all anew.
    private static func options(for instrumentation: RaceInstrumentation, in package: String) throws -> [String] {
        let scratch = "\(package)/.build/rxbench-races\(instrumentation == .deep ? "-deep" : "")"
        let toolset = toolset(for: instrumentation)
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        let file = "\(scratch)/toolset.json"
        // Only where it differs, as the package manager compiles anew after a change of its date.
        if FileManager.default.contents(atPath: file) != Data(toolset.utf8) {
            try AtomicFile.write(Array(toolset.utf8), to: file)
        }
        return ["--scratch-path", scratch, "--toolset", file]
    }

    private static func toolset(for instrumentation: RaceInstrumentation) -> String {
        // To the front end alone: the driver would link ThreadSanitizer's library.
        var swift = #""-Xfrontend", "-sanitize=thread", "-Xfrontend", "\#(keepsFunctionsApart)""#
        var clang = #""-DRXRACES_INSTRUMENTED""#
        if instrumentation == .deep {
            // LLVM's own pass gives it to every function, before the pass that instruments.
            swift += #", "-Xllvm", "-force-attribute=sanitize_thread""#
            clang += #", "-DRXRACES_DEEP""#
        }
        return """
            {
              "schemaVersion": "1.0",
              "swiftCompiler": { "extraCLIOptions": [\(swift)] },
              "cCompiler": { "extraCLIOptions": [\(clang)] }
            }

            """
    }

    private static func build(_ options: [String]) throws -> String {
        let build = try SwiftBuild(options, purpose: "'races' compiles")
        guard build.hasSucceeded else {
            throw BuildFailure("The program does not compile:\n\(CompilerMessage.summary(build.words))")
        }
        return build.output
    }
}
