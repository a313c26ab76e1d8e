import ArgumentParser
import Foundation
import RxBench
import RxBenchPairs
import RxBenchRaces
import RxTrace

/// A program with races: compiled with instrumentation in a folder of its own, or as usual for real threads.
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
        let process = OwnProcess(executable: executable, timeoutSeconds: 60)
        switch try process.output(of: verbs, environment: [:]) {
        case .success(let bytes):
            races = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        case .failure(let error):
            throw BuildFailure("'\(executable)' does not tell its races: \(error)")
        }
    }

    /// The record of one search. A finding is kept if a new process meets it on the same schedule.
    ///
    /// - Parameter follow: is called some times a second with how far it came, if there is a terminal to show it on.
    func record(
        of request: RaceRequest, follow: (RaceProgress) -> Void = { _ in }
    ) throws -> Result<RaceRecord, OwnProcess.Failure> {
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

    /// Marks the C code of this package, which the search leaves alone. A pragma of sections needs no end, unlike one
    /// of attributes, so that one file that is included first is enough.
    private static let prelude = """
        #ifdef RXRACES_EXEMPT
        #pragma clang section text = "rxraces_exempt"
        #endif

        """

    /// The options for a build with instrumentation, in a folder of its own: a change of options compiles all anew.
    private static func options(for instrumentation: RaceInstrumentation, in package: String) throws -> [String] {
        let scratch = Self.scratch(for: instrumentation, in: package)
        let (file, header) = ("\(scratch)/toolset.json", "\(scratch)/exempt.h")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        for (text, file) in [(try toolset(for: instrumentation, prelude: header), file), (prelude, header)] {
            // Only where it differs, as the package manager compiles anew after a change of its date.
            if FileManager.default.contents(atPath: file) == Data(text.utf8) { continue }
            try AtomicFile.write(Array(text.utf8), to: file)
        }
        return ["--scratch-path", scratch, "--toolset", file]
    }

    private static func toolset(for instrumentation: RaceInstrumentation, prelude: String) throws -> String {
        // To the front end alone: the driver would link ThreadSanitizer's library.
        var swift = ["-Xfrontend", "-sanitize=thread", "-Xfrontend", keepsFunctionsApart]
        // The optimiser removes marks of exclusive access that no thread of its own can violate; another thread can.
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

/// The files that a search of races writes for other tools.
struct RaceFiles: ParsableArguments {
    @Option(help: .value("file", "JUnit's XML, which every CI shows.")) var junit: String?
    @Option(help: .value("file", "SARIF 2.1.0, for code scanning.")) var sarif: String?

    /// Refuses a file that could not be written, before the search that would fill it.
    func check() throws(CommandFailure) { try OutputFile.check([junit, sarif]) }

    func write(_ records: [RaceRecord], _ report: RaceReport) throws {
        if let junit { try OutputFile.write(RaceJUnit.text(of: records, report), to: junit) }
        if let sarif { try OutputFile.write(RaceSARIF.text(of: records, report), to: sarif) }
    }
}

/// JUnit's XML: a test case for each race, a finding is a failure, a race without a verdict is skipped.
enum RaceJUnit {
    static func text(of records: [RaceRecord], _ report: RaceReport) -> String {
        let failures = records.count { $0.finding != nil }
        let skipped = records.count { report.reservation(about: $0) != nil }
        let cases = records.map { testCase($0, report) }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="races" tests="\(records.count)" failures="\(failures)" skipped="\(skipped)">
            \(cases)  </testsuite>
            </testsuites>

            """
    }

    private static func testCase(_ record: RaceRecord, _ report: RaceReport) -> String {
        let opening =
            "    <testcase classname=\"races\" name=\"\(XML.attribute(record.id))\" time=\"\(record.seconds)\""
        if let finding = record.finding {
            let message = XML.attribute("\(finding.kind.rawValue): \(finding.sentence)")
            let story = XML.text(report.story(of: finding, in: record).text)
            return "\(opening)>\n      <failure message=\"\(message)\">\(story)</failure>\n    </testcase>\n"
        }
        guard let reservation = report.reservation(about: record) else { return opening + "/>\n" }
        let message = XML.attribute(reservation.prefix(1).uppercased() + reservation.dropFirst())
        return "\(opening)>\n      <skipped message=\"\(message)\"/>\n    </testcase>\n"
    }
}

/// SARIF 2.1.0: each finding at the line of its last step, with the schedule that repeats it.
enum RaceSARIF {
    static func text(of records: [RaceRecord], _ report: RaceReport) throws -> String {
        let results = records.compactMap { record in record.finding.map { result($0, in: record.id, report) } }
        let document: [String: Any] = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": ["name": "rxbench races", "rules": [["id": "race"]]]],
                    "results": results,
                ]
            ],
        ]
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: document, options: options), as: UTF8.self) + "\n"
    }

    private static func result(_ finding: RaceFinding, in id: String, _ report: RaceReport) -> [String: Any] {
        let replay = finding.replay.isEmpty ? "" : " Replay: \(finding.replay)"
        var result: [String: Any] = [
            "ruleId": "race", "level": "error",
            "message": ["text": "\(id): \(finding.kind.rawValue). \(finding.sentence)\(replay)"],
            "partialFingerprints": ["race/v1": "\(id) \(finding.kind.rawValue) \(finding.sentence)"],
        ]
        let calls = finding.stacks.flatMap(\.frames).first { !$0.isForeign }
        if let frame = calls ?? finding.steps.last(where: { $0.place != nil })?.place, let path = frame.path {
            let artifact = ["uri": report.shown(path)]
            result["locations"] = [
                [
                    "physicalLocation": ["artifactLocation": artifact, "region": ["startLine": frame.line]]
                        as [String: Any]
                ]
            ]
        }
        return result
    }
}
