import Foundation

/// A commit of the measured code.
package struct Commit: Codable, Sendable, Equatable {
    /// The full hash.
    package let sha: String
    /// Whether files outside the results folder differ from it.
    package let isDirty: Bool

    /// A commit.
    package init(sha: String, isDirty: Bool) {
        self.sha = sha
        self.isDirty = isDirty
    }
}

extension Commit {
    /// The commit checked out in `folder`, with whether anything but stored results differs from it.
    package static func current(in folder: URL) -> Reading<Commit> {
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        func run(_ arguments: [String]) -> String? {
            ChildProcess.output(of: git, ["-C", folder.path] + arguments, timeoutSeconds: 20)?
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard let sha = run(["rev-parse", "--verify", "HEAD"]) else {
            return .unavailable("not in a git repository with a commit")
        }
        guard let changes = run(["status", "--porcelain", "--", ":(top)", ":(top,exclude)results"]) else {
            return .unavailable("git cannot tell what has changed")
        }
        return .value(Commit(sha: sha, isDirty: !changes.isEmpty))
    }

    /// The content of a file at the commit `sha`, for a `path` from `folder` as git writes it (`./budgets.json`).
    package static func file(_ path: String, at sha: String, in folder: URL) -> Reading<String> {
        // A hash from a file that somebody else wrote must not become an option of git's.
        guard !sha.isEmpty, sha.allSatisfy(\.isHexDigit) else { return .unavailable("'\(sha)' is no hash") }
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        let arguments = ["-C", folder.path, "show", "\(sha):\(path)"]
        return ChildProcess.output(of: git, arguments, timeoutSeconds: 20).map(Reading.value)
            ?? .unavailable("git has no such file there, or not that commit")
    }
}

/// The commits that led to the one checked out, by first parents: the order in which a main branch saw them.
package struct CommitHistory: Codable, Sendable, Equatable {
    private let positions: [String: Int]

    /// A history of full hashes, oldest first.
    package init(_ hashes: [String]) {
        positions = Dictionary(hashes.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// How many commits came before the one called `hash`; `nil` when it is none of the history.
    package func position(of hash: String) -> Int? { positions[hash] }

    /// The history of the commit checked out in `folder`.
    package static func current(in folder: URL) -> Reading<CommitHistory> {
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        let arguments = ["-C", folder.path, "rev-list", "--first-parent", "--reverse", "HEAD"]
        return ChildProcess.output(of: git, arguments, timeoutSeconds: 20).map {
            .value(CommitHistory($0.split(separator: "\n").map(String.init)))
        } ?? .unavailable("not in a git repository with a commit")
    }
}
