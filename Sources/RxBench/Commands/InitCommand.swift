import ArgumentParser
import Foundation
import RxBench

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes a package with a benchmark suite of your own.",
        discussion: """
            The package has a target with the code that is measured, one with the benchmarks, which has every verb \
            of this tool, and one with a race, which 'races' searches. Nothing that exists is overwritten.

            Examples:
              rxbench init MyBenchmarks --path ../rx                        against a checkout
              rxbench init MyBenchmarks --url https://example.com/rx.git    against a repository, from version 1.0.0 on
              rxbench init . --name Streams --path /src/rx                  into the current folder
            """)

    @Argument(help: "The folder of the new package; it is made if it does not exist.") var folder = "."
    @Option(help: "The name of the package and its executable. (default: the folder's)") var name: String?
    @Option(
        help: .value(
            "folder", "A checkout of the package 'rx'. A relative path is stored relative to the new package."))
    var path: String?
    @Option(help: .value("url", "The repository of the package 'rx'.")) var url: String?
    @Option(help: .value("version", "With '--url': the first version that will do. (default: 1.0.0)")) var from: String?
    @Option(help: .value("name", "With '--url': a branch, in the place of a version.")) var branch: String?
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        if folder.isEmpty || path?.isEmpty == true {
            throw ValidationError("'' names no folder. Write '.' for the current one.")
        }
        switch (path, url) {
        case (nil, nil):
            throw ValidationError(
                "Nothing says where the package 'rx' is. Add '--path' with a checkout, or '--url' with a repository.")
        case (_?, _?):
            throw ValidationError("'--path' and '--url' both say where the package 'rx' is. Give one of them.")
        case (_?, nil):
            if from != nil || branch != nil {
                throw ValidationError("'--from' and '--branch' belong to '--url'; a checkout is taken as it is.")
            }
        case (nil, let url?):
            if from != nil, branch != nil {
                throw ValidationError("'--from' and '--branch' are alternatives. Give one of them.")
            }
            if url.isEmpty || url.contains(where: \.isWhitespace) || url.contains(where: \.isNewline) {
                throw ValidationError(
                    "'--url \(url)' is no URL. Name a repository, as in 'https://example.com/rx.git'.")
            }
            if let from, from.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) == nil {
                throw ValidationError("'--from \(from)' is no version. Write three numbers, as in '1.0.0'.")
            }
            if let branch, branch.isEmpty || branch.contains(where: \.isWhitespace) {
                throw ValidationError("'--branch \(branch)' is no name of a branch.")
            }
        }
    }

    func run() throws {
        let target = URL(fileURLWithPath: folder).standardizedFileURL
        let template = SuiteTemplate(name: try checkedName(target), source: try source(for: target))
        try write(template, into: target)
        let next = [
            "cd '\(folder.replacing("'", with: "'\\''"))'", "swift run -c release \(template.name) list",
            "swift run -c release \(template.name) doctor --quick",
            "swift run -c release \(template.name) run --quick",
            "swift run -c release \(template.name) races",
        ].dropFirst(folder == "." ? 1 : 0)
        if json {
            try Console.print(
                json: Summary(name: template.name, files: template.files.map { shown($0.path) }, next: Array(next)))
        } else {
            for file in template.files { Console.print(shown(file.path)) }
            Console.print("\nNext:\n\(next.map { "  \($0)" }.joined(separator: "\n"))\n")
        }
        Console.verdict("The package '\(template.name)' is written.", outcome: .fine, toErrors: json)
    }

    /// The path of a new file as the user would write it.
    private func shown(_ path: String) -> String { (folder as NSString).appendingPathComponent(path) }

    private struct Summary: Encodable {
        let name: String
        let files, next: [String]
    }

    private func checkedName(_ target: URL) throws(CommandFailure) -> String {
        let name = name ?? target.lastPathComponent
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
            throw CommandFailure(
                .usage,
                """
                '\(name)' cannot name a Swift module: letters, digits and underscores can, beginning with a \
                letter. Choose one with '--name'.
                """
            )
        }
        // Modules that the package imports, directly or not; names differ in more than case, for file systems that
        // ignore it.
        let taken = [
            "Rx", "RxTest", "RxBlocking", "RxFoundation", "RxLegacy", "RxTrace", "RxBench", "RxBenchStatistics",
            "RxBenchRaces", "RxBenchReport",
            "RxBenchCommands", "RxBenchTool", "CRx", "CRxTrace", "CRxBench", "CJemalloc", "ArgumentParser", "Histogram",
            "Numerics",
            "RealModule", "ComplexModule",
            "OperatorBenchmarks", "SchedulerBenchmarks", "DisposeRaceBenchmarks", "Foundation", "Swift",
            "Synchronization", "Dispatch",
        ]
        if let other = taken.first(where: { $0.lowercased() == name.lowercased() }) {
            throw CommandFailure(
                .usage, "'\(name)' is taken by the module '\(other)'. Choose another name with '--name'."
            )
        }
        return name
    }

    private func source(for target: URL) throws(CommandFailure) -> SuiteTemplate.Source {
        guard let path else {
            let url = url ?? ""
            return branch.map { .branch($0, url: url) } ?? .version(from ?? "1.0.0", url: url)
        }
        let checkout = URL(fileURLWithPath: path).standardizedFileURL
        let manifest = try? String(contentsOf: checkout.appending(path: "Package.swift"), encoding: .utf8)
        guard let manifest, manifest.contains("name: \"rx\"") else {
            throw CommandFailure(
                .usage,
                "'\(path)' holds no Package.swift of the package 'rx'. Name the folder of a checkout with '--path'."
            )
        }
        return .path(path.hasPrefix("/") ? path : Self.relativePath(from: target, to: checkout))
    }

    /// The way from one folder to another, both absolute: `../..`.
    static func relativePath(from start: URL, to end: URL) -> String {
        let from = real(start).pathComponents
        let to = real(end).pathComponents
        let common = zip(from, to).prefix { $0 == $1 }.count
        let parts = [String](repeating: "..", count: from.count - common) + to[common...]
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// With links followed, as the system takes '..', also where the end of the path does not exist yet.
    private static func real(_ folder: URL) -> URL {
        if folder.pathComponents.count < 2 || FileManager.default.fileExists(atPath: folder.path) {
            return folder.resolvingSymlinksInPath()
        }
        return real(folder.deletingLastPathComponent()).appending(path: folder.lastPathComponent)
    }

    private func write(_ template: SuiteTemplate, into target: URL) throws(CommandFailure) {
        let files = template.files.map {
            (path: target.appending(path: $0.path).path, shown: shown($0.path), content: $0.content)
        }
        // Links that lead nowhere count as existing.
        for file in files where (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil {
            throw CommandFailure(
                .usage,
                "'\(file.shown)' exists, and nothing is overwritten. Choose another folder, or move the file away.")
        }
        var written: [String] = []
        do {
            for file in files {
                let parent = (file.path as NSString).deletingLastPathComponent
                try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
                try AtomicFile.write(Array(file.content.utf8), to: file.path)
                written.append(file.path)
            }
        } catch {
            // All or nothing: half a package would be refused as existing the next time.
            for path in written { try? FileManager.default.removeItem(atPath: path) }
            let reason = (error as? FileError)?.description ?? "The folder '\(folder)' cannot be made or written."
            throw CommandFailure(.usage, "\(reason) Choose another folder.")
        }
    }
}
