import ArgumentParser
import Foundation
import RxBench
import RxBenchPairs
import RxBenchRaces

/// A program with races, compiled with instrumentation in a folder of its own.
struct RaceImage {
    private let executable: String
    /// The names of its races.
    let races: [String]

    /// Compiles the program of the package in `package`: `product`, or '<tool>-races' where the manifest names it, or
    /// the tool itself.
    init(package: String, product: String?, tool: String, isDebug: Bool) throws {
        let manifest = (try? String(contentsOfFile: "\(package)/Package.swift", encoding: .utf8)) ?? ""
        let own = manifest.contains("\"\(tool)-races\"") ? "\(tool)-races" : tool
        let name = product ?? own
        let scratch = "\(package)/.build/rxbench-races"
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        let toolset = "\(scratch)/toolset.json"
        // Only where it differs, as the package manager compiles anew after a change of its date.
        if FileManager.default.contents(atPath: toolset) != Data(Self.toolset.utf8) {
            try AtomicFile.write(Array(Self.toolset.utf8), to: toolset)
        }
        var options = [
            "-c", isDebug ? "debug" : "release", "--package-path", package, "--scratch-path", scratch,
            "--toolset", toolset, "--product", name,
        ]
        if manifest.contains("TRACE_RESOURCES"), !isDebug { options += ["--traits", "TRACE_RESOURCES"] }
        Console.note("Compiling '\(name)' with instrumentation; the first time this takes minutes.")
        _ = try Self.build(options)
        let folder = try Self.build(options + ["--show-bin-path"]).trimmingCharacters(in: .newlines)
        try self.init(executable: "\(folder)/\(name)")
    }

    /// A program that is compiled already.
    init(executable: String) throws {
        self.executable = executable
        let process = OwnProcess(executable: executable, timeoutSeconds: 60)
        switch try process.output(of: [RaceMain.verb], environment: [:]) {
        case .success(let bytes):
            races = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        case .failure(let error):
            throw BuildFailure("'\(executable)' does not tell its races: \(error)")
        }
    }

    /// What one search has found out.
    func record(of request: RaceRequest) throws -> Result<RaceRecord, OwnProcess.Failure> {
        let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let process = OwnProcess(executable: executable, timeoutSeconds: request.seconds + 120, interruption: SIGINT)
        // Without it, sets and dictionaries have another order in every process.
        return try process.output(of: [RaceMain.verb, text], environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
            .flatMap { bytes in
                (try? JSONDecoder().decode(RaceRecord.self, from: Data(bytes))).map { .success($0) }
                    ?? .failure(OwnProcess.Failure("Its process ended without a reply."))
            }
    }

    // To the front end alone: the driver would link ThreadSanitizer's library.
    private static let toolset = """
        {
          "schemaVersion": "1.0",
          "swiftCompiler": { "extraCLIOptions": ["-Xfrontend", "-sanitize=thread"] },
          "cCompiler": { "extraCLIOptions": ["-DRXRACES_INSTRUMENTED"] }
        }

        """

    private static func build(_ options: [String]) throws -> String {
        let build = try SwiftBuild(options, purpose: "'races' compiles")
        guard build.hasSucceeded else {
            throw BuildFailure("The program does not compile:\n\(CompilerMessage.summary(build.words))")
        }
        return build.output
    }
}
