import ArgumentParser
import Foundation
import RxBenchEngine

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes a package with a benchmark suite of your own.",
        discussion: """
            In the folder of a package, it writes a package 'Benchmarks' with a benchmark, a leak test and a race of \
            that package's code. Elsewhere the new package has a target with code to measure, one with the benchmarks, \
            which has every verb of this tool, and one with a race, which 'races' searches. Nothing that exists is \
            overwritten.

            Examples:
              rxbench init --path ../rx                                     for the package in the current folder
              rxbench init MyBenchmarks --path ../rx                        against a checkout
              rxbench init MyBenchmarks --url https://example.com/rx.git    against a repository, from version 1.0.0 on
              rxbench init . --name Streams --path /src/rx                  into the current folder
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder of the new package; it is made if it does not exist. (default: ., or Benchmarks in a package)",
            valueName: "folder"))
    var place: String?
    @Option(help: "The name of the package and its executable. (default: the folder's)") var name: String?
    @Option(
        help: .value(
            "folder", "A checkout of the package 'rx'. A relative path is stored relative to the new package."))
    var path: String?
    @Option(help: .value("url", "The repository of the package 'rx'.")) var url: String?
    @Option(help: .value("version", "With '--url': the first version that will do. (default: 1.0.0 once there is one)"))
    var from: String?
    @Option(help: .value("name", "With '--url': a branch, in the place of a version.")) var branch: String?
    @Option(help: .value("commit", "With '--url': a commit. (default: the newest, while no version is tagged)"))
    var revision: String?
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        if place?.isEmpty == true || path?.isEmpty == true {
            throw ValidationError("'' names no folder. Write '.' for the current one.")
        }
        switch (path, url) {
        case (nil, nil):
            throw ValidationError(
                "Nothing says where the package 'rx' is. Add '--path' with a checkout, or '--url' with a repository.")
        case (_?, _?):
            throw ValidationError("'--path' and '--url' both say where the package 'rx' is. Give one of them.")
        case (_?, nil):
            if from != nil || branch != nil || revision != nil {
                let options = revision == nil ? "'--from' and '--branch' belong" : "'--revision' belongs"
                throw ValidationError("\(options) to '--url'; a checkout is taken as it is.")
            }
        case (nil, let url?):
            if requirements.count > 1 {
                throw ValidationError(
                    "'\(requirements[0])' and '\(requirements[1])' are alternatives. Give one of them.")
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
            if let revision, revision.wholeMatch(of: /[0-9a-f]{40}/) == nil {
                throw ValidationError("'--revision \(revision)' is no commit. Write the 40 characters of its hash.")
            }
        }
    }

    /// The given options that select a version, branch or commit of a repository.
    private var requirements: [String] {
        [("--from", from), ("--branch", branch), ("--revision", revision)].filter { $0.1 != nil }.map(\.0)
    }

    func run() throws {
        let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL
        try checkCheckout()
        let project = try project(around: URL(fileURLWithPath: place ?? ".").standardizedFileURL, current)
        let folder = folder(in: current, for: project)
        let target = URL(fileURLWithPath: folder).standardizedFileURL
        let name = try checkedName(target, besides: project?.targets ?? [])
        var template = SuiteTemplate(name: name, source: try source(for: target))
        template.project = project.map { ($0, Self.relativePath(from: target, to: $0.folder)) }
        try write(template, into: target, called: folder)
        let run = "swift run -c release \(name)"
        let verbs =
            project == nil
            ? ["\(run) list", "\(run) doctor --quick", "\(run) run --quick", "\(run) races"]
            : ["\(run) run --quick", "swift test", "\(run) races"]
        let next = (folder == "." ? [] : ["cd '\(folder.replacing("'", with: "'\\''"))'"]) + verbs
        let files = template.files.map { (folder as NSString).appendingPathComponent($0.path) }
        if json {
            try Console.print(json: Summary(name: name, files: files, next: next))
        } else {
            for file in files { Console.print(file) }
            Console.print("\nNext:\n\(next.map { "  \($0)" }.joined(separator: "\n"))\n")
        }
        let subject = project.map { Self.sentence(on: $0, in: "\(folder)/Sources/\(name)/main.swift") } ?? ""
        Console.verdict("The package '\(name)' is written.\(subject)", outcome: .fine, toErrors: json)
    }

    /// Returns the package that the suite at `target` measures. This is the package in the current folder if `target`
    /// is the current folder, and otherwise the package in the folder that contains `target`. Returns `nil` if there is
    /// no package, or if it is the package 'rx' itself.
    private func project(around target: URL, _ current: URL) throws(CommandFailure) -> ProjectPackage? {
        let folder = target.path == current.path ? current : target.deletingLastPathComponent()
        guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) else { return nil }
        let checkout = path.map { Self.real(URL(fileURLWithPath: $0).standardizedFileURL).path }
        return checkout == Self.real(folder).path ? nil : try ProjectPackage(at: folder)
    }

    /// Returns the path of the new package's folder, in the form that the user typed.
    private func folder(in current: URL, for project: ProjectPackage?) -> String {
        let typed = place ?? "."
        guard let project,
            Self.real(URL(fileURLWithPath: typed).standardizedFileURL).path == Self.real(project.folder).path
        else { return typed }
        // A folder named `Benchmarks` often belongs to another benchmark harness.
        let free = ["Benchmarks", "RxBenchmarks"].first {
            !FileManager.default.fileExists(atPath: project.folder.appending(path: $0).path)
        }
        return (typed == "." ? "" : typed + "/") + (free ?? "RxBenchmarks")
    }

    /// Returns a sentence that names the type the suite measures, or says that the suite measures nothing until a call
    /// is added.
    private static func sentence(on project: ProjectPackage, in file: String) -> String {
        project.subject.isMade
            ? " It measures \(project.subject.name) of '\(project.product)'."
            : """
             No type of '\(project.product)' can be made without other types of it, so that nothing is measured \
            yet: put a call into '\(file)'.
            """
    }

    private struct Summary: Encodable {
        let name: String
        let files, next: [String]
    }

    /// - Parameter names: The names of the targets that the new package is linked with.
    private func checkedName(_ target: URL, besides names: Set<String>) throws(CommandFailure) -> String {
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
        // The names of modules that the package imports directly or indirectly. Names must differ in more than case,
        // because some file systems ignore case.
        let taken = [
            "Rx", "RxTest", "RxBlocking", "RxFoundation", "RxLegacy", "RxTrace", "RxBench", "RxBenchEngine",
            "RxBenchRaces", "RxBenchCommands", "RxBenchTool", "CRx", "CRxTrace", "CRxBench", "CRaces", "CJemalloc",
            "ArgumentParser", "OperatorBenchmarks", "SchedulerBenchmarks", "DisposeRaceBenchmarks", "Foundation",
            "Swift", "Synchronization", "Dispatch",
        ]
        if let other = (taken + names.sorted()).first(where: { $0.lowercased() == name.lowercased() }) {
            throw CommandFailure(
                .usage, "'\(name)' is taken by the module '\(other)'. Choose another name with '--name'."
            )
        }
        return name
    }

    private func source(for target: URL) throws(CommandFailure) -> SuiteTemplate.Source {
        guard let path else {
            let url = url ?? ""
            if let branch { return .branch(branch, url: url) }
            if let from { return .version(from, url: url) }
            if let revision { return .revision(revision, url: url) }
            return try newest(of: url)
        }
        let checkout = URL(fileURLWithPath: path).standardizedFileURL
        return .path(path.hasPrefix("/") ? path : Self.relativePath(from: target, to: checkout))
    }

    /// Throws an error if the folder given with '--path' is not a checkout of the package 'rx'.
    private func checkCheckout() throws(CommandFailure) {
        guard let path, !Self.isCheckout(URL(fileURLWithPath: path)) else { return }
        throw CommandFailure(
            .usage, "'\(path)' holds no Package.swift of the package 'rx'. Name the folder of a checkout with '--path'."
        )
    }

    private static func isCheckout(_ folder: URL) -> Bool {
        let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        return manifest?.contains("name: \"rx\"") ?? false
    }

    /// Returns a version requirement from the first version on if the repository has a version tag, and otherwise the
    /// repository's newest commit. If the repository cannot be reached, returns the commit of the checkout that this
    /// tool was built from.
    private func newest(of url: String) throws(CommandFailure) -> SuiteTemplate.Source {
        let answer = ChildProcess.find("git").flatMap {
            ChildProcess.output(
                of: $0, ["ls-remote", "--", url, "HEAD", "refs/tags/*"], environment: ["GIT_TERMINAL_PROMPT": "0"],
                timeoutSeconds: 60)
        }
        let references = (answer ?? "").split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        if references.contains(where: { $0.last?.wholeMatch(of: /refs\/tags\/v?[1-9][0-9]*\.[0-9]+\.[0-9]+/) != nil }) {
            return .version("1.0.0", url: url)
        }
        guard let commit = references.first(where: { $0.last == "HEAD" })?.first ?? Self.ownCommit else {
            throw CommandFailure(
                .usage,
                """
                '\(url)' cannot be read, so that its newest commit is not known. Add '--revision', '--branch' or \
                '--from'.
                """
            )
        }
        return .revision(commit, url: url)
    }

    /// The commit of the checkout of 'rx' that this tool was built in, or `nil` if it was built elsewhere.
    private static var ownCommit: String? {
        var folder = URL(fileURLWithPath: Bundle.main.executablePath ?? "/").deletingLastPathComponent()
        while folder.path != "/", !isCheckout(folder) { folder = folder.deletingLastPathComponent() }
        return folder.path == "/" ? nil : Commit.current(in: folder).value?.sha
    }

    /// Returns the relative path from one absolute folder to another, such as `../..`.
    static func relativePath(from start: URL, to end: URL) -> String {
        let from = real(start).pathComponents
        let to = real(end).pathComponents
        let common = zip(from, to).prefix { $0 == $1 }.count
        let parts = [String](repeating: "..", count: from.count - common) + to[common...]
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// Resolves symbolic links, because the operating system applies '..' to the resolved path. The last components of
    /// the path need not exist yet.
    private static func real(_ folder: URL) -> URL {
        if folder.pathComponents.count < 2 || FileManager.default.fileExists(atPath: folder.path) {
            return folder.resolvingSymlinksInPath()
        }
        return real(folder.deletingLastPathComponent()).appending(path: folder.lastPathComponent)
    }

    private func write(_ template: SuiteTemplate, into target: URL, called folder: String) throws(CommandFailure) {
        let files = template.files.map {
            (
                path: target.appending(path: $0.path).path,
                shown: (folder as NSString).appendingPathComponent($0.path), content: $0.content
            )
        }
        // A dangling symbolic link counts as an existing file.
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
            // Removes the files that were written. The next attempt would otherwise refuse the incomplete package
            // because it exists.
            for path in written { try? FileManager.default.removeItem(atPath: path) }
            let reason = (error as? FileError)?.description ?? "The folder '\(folder)' cannot be made or written."
            throw CommandFailure(.usage, "\(reason) Choose another folder.")
        }
    }
}
