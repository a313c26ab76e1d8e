import Foundation
import RxBench

/// The git repository of a folder, asked through its own command.
struct Git {
    private let executable: String
    /// The repository's topmost folder.
    let root: String

    /// The repository that `folder` belongs to.
    init(folder: String) throws(BuildFailure) {
        guard let executable = ChildProcess.find("git") else {
            throw BuildFailure("git is not installed. Install it and run this again.")
        }
        self.executable = executable
        let arguments = ["-C", folder, "rev-parse", "--show-toplevel"]
        let output = ChildProcess.output(of: executable, arguments, timeoutSeconds: 120)
        guard let root = output?.trimmingCharacters(in: .newlines), !root.isEmpty else {
            throw BuildFailure(
                """
                '\(folder)' is in no git repository, and 'ab' compares commits. Run it inside one, or name one \
                with '--package-path'.
                """
            )
        }
        self.root = root
    }

    /// The full hash of the commit called `name`.
    func commit(_ name: String) throws(BuildFailure) -> String {
        // A name that begins with a hyphen would be taken for an option.
        if !name.hasPrefix("-"),
            let hash = run(["rev-parse", "--verify", "--quiet", "\(name)^{commit}"])?.trimmingCharacters(in: .newlines),
            !hash.isEmpty
        {
            return hash
        }
        throw BuildFailure("'\(name)' is no commit of this repository. Run 'git log --oneline' to see what there is.")
    }

    /// Writes every file of `commit` below `folder`, by an index of its own: neither the repository nor the working
    /// tree is changed.
    func export(_ commit: String, to folder: String) throws(BuildFailure) {
        let index = ["GIT_INDEX_FILE": "\(folder)/.index"]
        guard run(["read-tree", commit], index) != nil,
            run(["checkout-index", "--all", "--force", "--prefix=\(folder)/"], index) != nil
        else {
            throw BuildFailure(
                """
                The files of commit '\(commit.prefix(12))' cannot be written to '\(folder)'. Make room on the disk \
                and run this again.
                """
            )
        }
        unlink("\(folder)/.index")
    }

    /// The files of the working tree that are tracked or could be: all but ignored ones, from the root.
    func workingFiles() throws(BuildFailure) -> [String] {
        guard let output = run(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]) else {
            throw BuildFailure("git cannot list the files of the working tree in '\(root)'.")
        }
        return output.split(separator: "\0").map(String.init)
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) -> String? {
        ChildProcess.output(of: executable, ["-C", root] + arguments, environment: environment, timeoutSeconds: 120)
    }
}

/// Why an image cannot be made, in one sentence or two that say what to do.
package struct BuildFailure: Error, Equatable, CustomStringConvertible {
    /// The sentences.
    package let description: String
    /// Whether nothing is wrong with what was to be built: another time it can be.
    package let isPassing: Bool

    package init(_ description: String, isPassing: Bool = false) {
        self.description = description
        self.isPassing = isPassing
    }
}
