import Foundation

extension Commit {
    /// The commit checked out in `folder`, with whether anything but stored results differs from it.
    public static func current(in folder: URL) -> Reading<Commit> {
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        func run(_ arguments: [String]) -> String? {
            guard let child = try? ChildProcess(executable: git, arguments: ["-C", folder.path] + arguments),
                let result = try? child.wait(timeoutSeconds: 20), result.ending == .exited(0)
            else { return nil }
            return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
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
    public static func file(_ path: String, at sha: String, in folder: URL) -> Reading<String> {
        // A hash from a file that somebody else wrote must not become an option of git's.
        guard !sha.isEmpty, sha.allSatisfy(\.isHexDigit) else { return .unavailable("'\(sha)' is no hash") }
        guard let git = ChildProcess.find("git") else { return .unavailable("git is not installed") }
        guard let child = try? ChildProcess(executable: git, arguments: ["-C", folder.path, "show", "\(sha):\(path)"]),
            let result = try? child.wait(timeoutSeconds: 20)
        else { return .unavailable("git cannot be started") }
        guard result.ending == .exited(0) else { return .unavailable("git has no such file there, or not that commit") }
        return .value(String(decoding: result.output, as: UTF8.self))
    }
}
