import Foundation

/// The commits that led to the one checked out, by first parents: the order in which a main branch saw them.
public struct CommitHistory: Sendable {
    private let positions: [String: Int]

    /// A history of full hashes, oldest first.
    public init(_ hashes: [String]) {
        positions = Dictionary(hashes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// How many commits came before the one called `hash`; `nil` when it is none of the history.
    public func position(of hash: String) -> Int? { positions[hash] }

    /// The history of the commit checked out in `folder`.
    public static func current(in folder: URL) -> Reading<CommitHistory> {
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        let arguments = ["-C", folder.path, "rev-list", "--first-parent", "--reverse", "HEAD"]
        guard let child = try? ChildProcess(executable: git, arguments: arguments),
            let result = try? child.wait(timeoutSeconds: 20),
            result.ending == .exited(0)
        else { return .unavailable("not in a git repository with a commit") }
        return .value(
            CommitHistory(String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)))
    }
}

extension CommitHistory: Codable, Equatable {}
