import Foundation
import Synchronization

/// The folder of stored results: `<folder>/<machine>/<date>-<sha12>.json`.
package struct ResultStore: Sendable {
    /// The path of the folder, as given.
    package let folder: String

    /// Creates a store in `folder`. The folder need not exist yet.
    package init(folder: String) { self.folder = folder }

    /// A stored file, described by its name alone.
    package struct File: Sendable, Equatable {
        /// The name of the machine's folder.
        package let machine: String
        /// The name of the file without its extension, such as `20260315T120000Z-0123456789ab-dirty`.
        package let stem: String
        /// The path of the file.
        package let path: String
        /// The time at which the run began, in the sortable format of file names.
        package var date: String { String(stem.prefix { $0 != "-" }) }
        /// The first characters of the commit's hash, or `nocommit`.
        package var commit: String { stem.split(separator: "-").dropFirst().first.map(String.init) ?? "" }
        /// Whether the code differed from the commit.
        package var isDirty: Bool { stem.contains("-dirty") }
        /// Whether the file contains only a part of a suite, which must be merged with the other parts.
        package var isShard: Bool { stem.contains("-shard-") }
    }

    /// All stored results, with the oldest first. O(*n* log *n*) in the number of files. The files are not read.
    package var files: [File] {
        names(in: folder).flatMap { machine in
            names(in: "\(folder)/\(machine)").compactMap { name -> File? in
                // The names of results begin with the date. The schema and hidden partial files have other names.
                guard name.hasSuffix(".json"), name.first?.isNumber == true else { return nil }
                return File(machine: machine, stem: String(name.dropLast(5)), path: "\(folder)/\(machine)/\(name)")
            }
        }.sorted { ($0.date, $0.stem) < ($1.date, $1.stem) }
    }

    /// Creates the folder of `machine` and checks that files can be created in it. Call this method before a long run
    /// begins.
    package func prepare(machine: String) throws(FileError) {
        let path = "\(folder)/\(machine)"
        try Self.makeFolder(path)
        guard access(path, W_OK | X_OK) == 0 else { throw FileError(path: path) }
    }

    /// Stores `result` atomically and returns its path.
    package func store(_ result: RunResult) throws(FileError) -> String {
        try prepare(machine: result.environment.machine)
        let stem = "\(folder)/\(result.environment.machine)/\(Self.stem(of: result))"
        // Two runs of a commit may begin within the same second, and two machines may end their runs at the same time.
        // Neither result may replace the other.
        var path = "\(stem).json"
        var number = 2
        while try !AtomicFile.create(result.encoded(), at: path) {
            path = "\(stem)-\(number).json"
            number += 1
        }
        return path
    }

    /// Reads the result that `text` names. `text` is a path, the beginning of a commit's hash, or `latest` or
    /// `previous`, which refer to results of `machine`.
    package func result(
        named text: String, machine: String
    ) throws(ResultError) -> (path: String, result: RunResult) {
        let path = try path(named: text, machine: machine)
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(path) }
        return (path, try RunResult.decoded(from: Array(data), name: path))
    }

    private func path(named text: String, machine: String) throws(ResultError) -> String {
        if text == "latest" || text == "previous" {
            let own = files.filter { $0.machine == machine && !$0.isShard }
            let back = text == "latest" ? 1 : 2
            guard own.count >= back else { throw .tooFew(text, stored: own.count) }
            return own[own.count - back].path
        }
        if text.contains("/") || text.hasSuffix(".json") { return text }
        if let named = files.last(where: { $0.stem == text && $0.machine == machine })
            ?? files.last(where: { $0.stem == text })
        {
            return named.path
        }
        guard text.count >= 4, text.allSatisfy(\.isHexDigit) else { throw .unknownCommit(text) }
        let wanted = text.lowercased().prefix(12)
        let found = files.filter { $0.commit.hasPrefix(wanted) && !$0.isShard }
        let commits = Set(found.map(\.commit)).sorted()
        guard commits.count <= 1 else { throw .ambiguousCommit(text, commits) }
        // The newest result of this machine is preferred. If there is no result of this machine, the newest result of
        // any machine is used. A clean result is preferred to a dirty one.
        let ranked = found.filter { $0.machine == machine }
        let candidates = ranked.isEmpty ? found : ranked
        guard let best = candidates.last(where: { !$0.isDirty }) ?? candidates.last else { throw .unknownCommit(text) }
        return best.path
    }

    static func stem(of result: RunResult) -> String {
        let date = result.run.date.filter { $0 != "-" && $0 != ":" }
        let shard = result.run.shard.map { "-shard-\($0.index)-of-\($0.count)" } ?? ""
        guard let commit = result.commit.value else { return "\(date)-nocommit\(shard)" }
        return "\(date)-\(commit.sha.prefix(12))\(commit.isDirty ? "-dirty" : "")\(shard)"
    }

    /// Creates `path` and its parent folders. Foundation's function is not used, because it reports a folder on a
    /// read-only disk as a folder that does not exist.
    private static func makeFolder(_ path: String) throws(FileError) {
        guard mkdir(path, 0o777) != 0 else { return }
        let code = errno
        var information = stat()
        if stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR { return }
        let parent = (path as NSString).deletingLastPathComponent
        guard code == ENOENT, !parent.isEmpty, parent != path, access(parent, F_OK) != 0 else {
            throw FileError(path: path, code: code)
        }
        try makeFolder(parent)
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw FileError(path: path) }
    }

    private func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

extension ResultStore {
    /// Returns the figures of each of `files`, in order, or the reason why a file cannot be used. Reads on all cores.
    /// O(*n*) in the number of bytes.
    package static func summaries(of files: [File]) -> [Result<ResultSummary, ResultError>] {
        let summaries = Mutex([Result<ResultSummary, ResultError>?](repeating: nil, count: files.count))
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let summary = summary(at: files[index].path)
            summaries.withLock { $0[index] = summary }
        }
        return summaries.withLock { $0.compactMap(\.self) }
    }

    private static func summary(at path: String) -> Result<ResultSummary, ResultError> {
        guard let data = FileManager.default.contents(atPath: path) else { return .failure(.unreadable(path)) }
        return Result { () throws(ResultError) in
            ResultSummary(try RunResult.decoded(from: Array(data), name: path))
        }
    }
}

extension RunResult {
    /// Returns the result as JSON with sorted keys. The text ends in a line feed.
    package func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every member is encodable, and every number is finite by construction.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("A result holds a number that JSON cannot express.")
        }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Decodes a result.
    ///
    /// - Parameter name: The name of the source in error messages.
    /// - Throws: ``ResultError`` if the bytes are not a result, or if their format is newer.
    package static func decoded(from bytes: [UInt8], name: String) throws(ResultError) -> RunResult {
        let data = Data(bytes)
        guard let result = try? JSONDecoder().decode(RunResult.self, from: data) else {
            throw problem(with: data, name)
        }
        if let id = result.repeatedID { throw .repeated(name, id: id) }
        return result
    }

    /// The first ID that two benchmarks share, or `nil`.
    package var repeatedID: String? {
        var seen: Set<String> = []
        return benchmarks.first { !seen.insert($0.id).inserted }?.id
    }

    /// Returns the reason why `data` is not a result of a known format.
    private static func problem(with data: Data, _ name: String) -> ResultError {
        struct Header: Decodable { let schemaVersion: Int }
        guard (try? JSONSerialization.jsonObject(with: data)) != nil else { return .notJSON(name) }
        guard let header = try? JSONDecoder().decode(Header.self, from: data) else { return .foreign(name) }
        return header.schemaVersion > currentSchemaVersion
            ? .newer(name, version: header.schemaVersion) : .foreign(name)
    }
}

/// The reasons why a stored result cannot be used.
package enum ResultError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(String)
    /// The file does not contain JSON.
    case notJSON(String)
    /// The file contains JSON, but it is not a result.
    case foreign(String)
    /// The file contains two benchmarks with the same ID.
    case repeated(String, id: String)
    /// The file was written in a format that this build does not know.
    case newer(String, version: Int)
    /// No result is stored for the commit.
    case unknownCommit(String)
    /// The text matches results of several commits.
    case ambiguousCommit(String, [String])
    /// Too few results are stored for `latest` or `previous`.
    case tooFew(String, stored: Int)

    /// A sentence that describes the error and the remedy.
    package var description: String {
        switch self {
        case .unreadable(let name):
            "No file can be read at '\(name)'. Run 'rxbench list --results' to see what is stored."
        case .notJSON(let name):
            "'\(name)' is broken: it holds no complete JSON. Restore it or run 'rxbench run' again."
        case .foreign(let name):
            "'\(name)' is JSON, but not a result of rxbench. Name a file that 'rxbench run' has stored."
        case .repeated(let name, let id):
            """
            '\(name)' has two benchmarks called '\(id)', and nothing says which of them to compare. Remove one from \
            the file, or measure again.
            """
        case .newer(let name, let version):
            """
            '\(name)' has format version \(version); this build reads up to \(RunResult.currentSchemaVersion). \
            Build a newer rxbench to read it.
            """
        case .unknownCommit(let text):
            // A short word that is not a hash is probably a mistyped form of one of these names.
            if let name = ["latest", "previous"].first(where: {
                EditDistance.isMistake(EditDistance.between(text, $0), in: text)
            }) {
                "There is no result '\(text)'. Did you mean '\(name)'?"
            } else {
                """
                No result for commit '\(text)'. Run 'rxbench run' on it, or 'rxbench list --results' to see what is \
                stored.
                """
            }
        case .ambiguousCommit(let text, let commits):
            "'\(text)' fits \(commits.count) commits: \(commits.joined(separator: ", ")). Write more of the hash."
        case .tooFew(let text, let stored):
            "'\(text)' needs more results of this machine than the \(stored) that are stored. Run 'rxbench run' first."
        }
    }
}
