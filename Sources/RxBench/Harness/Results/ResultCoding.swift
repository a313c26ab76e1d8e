import Foundation

extension RunResult {
    /// The result as JSON with sorted keys, ending in a line feed.
    package func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every member is encodable and every number is finite by construction.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("A result holds a number that JSON cannot express.")
        }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Reads a result.
    ///
    /// - Parameters:
    ///   - name: What the source is called in an error.
    ///   - hasSamples: Whether raw samples and quantiles are read, which are most of a file. A comparison does not need
    ///     them.
    /// - Throws: ``ResultError`` for bytes that are no result, and for a newer format.
    package static func decoded(
        from bytes: [UInt8], name: String, hasSamples: Bool = true
    ) throws(ResultError) -> RunResult {
        let data = Data(bytes)
        let decoder = JSONDecoder()
        decoder.userInfo[Metric.skipsSamples] = !hasSamples
        if let result = try? decoder.decode(RunResult.self, from: data), result.schemaVersion <= currentSchemaVersion {
            return result
        }
        throw problem(with: data, name)
    }

    /// Why `data` is no result of a known format.
    private static func problem(with data: Data, _ name: String) -> ResultError {
        struct Header: Decodable { let schemaVersion: Int }
        guard (try? JSONSerialization.jsonObject(with: data)) != nil else { return .notJSON(name) }
        guard let header = try? JSONDecoder().decode(Header.self, from: data) else { return .foreign(name) }
        return header.schemaVersion > currentSchemaVersion
            ? .newer(name, version: header.schemaVersion) : .foreign(name)
    }
}

/// Why a stored result cannot be used.
package enum ResultError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(String)
    /// The file holds no JSON.
    case notJSON(String)
    /// The file holds JSON, but no result.
    case foreign(String)
    /// The file was written in a format that this build does not know.
    case newer(String, version: Int)
    /// Nothing is stored for the commit.
    case unknownCommit(String)
    /// The text fits results of several commits.
    case ambiguousCommit(String, [String])
    /// Too few results are stored for `latest` or `previous`.
    case tooFew(String, stored: Int)

    /// One sentence with the remedy.
    package var description: String {
        switch self {
        case .unreadable(let name):
            "No file can be read at '\(name)'. Run 'rxbench list --results' to see what is stored."
        case .notJSON(let name):
            "'\(name)' is broken: it holds no complete JSON. Restore it or run 'rxbench run' again."
        case .foreign(let name):
            "'\(name)' is JSON, but not a result of rxbench. Name a file that 'rxbench run' has stored."
        case .newer(let name, let version):
            """
            '\(name)' has format version \(version); this build reads up to \(RunResult.currentSchemaVersion). \
            Build a newer rxbench to read it.
            """
        case .unknownCommit(let text):
            """
            No result for commit '\(text)'. Run 'rxbench run' on it, or 'rxbench list --results' to see what is \
            stored.
            """
        case .ambiguousCommit(let text, let commits):
            "'\(text)' fits \(commits.count) commits: \(commits.joined(separator: ", ")). Write more of the hash."
        case .tooFew(let text, let stored):
            "'\(text)' needs more results of this machine than the \(stored) that are stored. Run 'rxbench run' first."
        }
    }
}
