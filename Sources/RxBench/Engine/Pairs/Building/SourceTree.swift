import Foundation

/// A folder with the files of one side.
struct SourceTree {
    let folder: String

    /// Writes the files of `revision` to `folder`, which must be empty.
    init(_ revision: Revision, of git: Git, in folder: String) throws(BuildFailure) {
        self.folder = folder
        switch revision {
        case .commit(let hash): try git.export(hash, to: folder)
        case .workingTree:
            for file in try git.workingFiles() {
                // A file that is tracked but deleted is not part of the working tree.
                guard FileManager.default.fileExists(atPath: "\(git.root)/\(file)") else { continue }
                try Self.copy("\(git.root)/\(file)", to: "\(folder)/\(file)")
            }
        }
    }

    /// Replaces the files at `paths` with the files of `other`. Files that `other` lacks are removed.
    func replace(_ paths: [String], from other: SourceTree) throws(BuildFailure) {
        for path in paths {
            let source = "\(other.folder)/\(path)"
            try? FileManager.default.removeItem(atPath: "\(folder)/\(path)")
            if FileManager.default.fileExists(atPath: source) { try Self.copy(source, to: "\(folder)/\(path)") }
        }
    }

    /// The relative paths of all files and links in the folder, in sorted order.
    var files: [String] {
        guard let all = FileManager.default.enumerator(atPath: folder) else { return [] }
        return all.compactMap { $0 as? String }.filter { path in
            let type =
                (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)"))?[.type] as? FileAttributeType
            return type != .typeDirectory
        }.sorted()
    }

    /// The ``files`` that are not hidden. A package's build folder is hidden, and it is far larger than the package.
    var visibleFiles: [String] {
        guard let all = FileManager.default.enumerator(atPath: folder) else { return [] }
        var visible: [String] = []
        for case let path as String in all {
            if (path as NSString).lastPathComponent.hasPrefix(".") {
                all.skipDescendants()
            } else if (try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)"))?[.type]
                as? FileAttributeType != .typeDirectory
            {
                visible.append(path)
            }
        }
        return visible.sorted()
    }

    /// Returns the paths of the files that differ between this tree and `other`.
    func differences(from other: SourceTree) -> [String] {
        Set(files + other.files).filter {
            !FileManager.default.contentsEqual(atPath: "\(folder)/\($0)", andPath: "\(other.folder)/\($0)")
        }.sorted()
    }

    /// Makes `target` contain the same files as this tree. Changes only files that differ, so that an incremental build
    /// detects the changes.
    ///
    /// - Parameter kept: The names of entries of `target` that are kept although they are not among the files.
    func synchronize(to target: String, keeping kept: Set<String> = []) throws(BuildFailure) {
        let wanted = files
        let present = FileManager.default.fileExists(atPath: target) ? SourceTree(folder: target).files : []
        for path in Set(present).subtracting(wanted) where !kept.contains(String(path.prefix { $0 != "/" })) {
            try? FileManager.default.removeItem(atPath: "\(target)/\(path)")
        }
        for path in wanted
        where !FileManager.default.contentsEqual(atPath: "\(folder)/\(path)", andPath: "\(target)/\(path)") {
            try? FileManager.default.removeItem(atPath: "\(target)/\(path)")
            try Self.copy("\(folder)/\(path)", to: "\(target)/\(path)", isFresh: true)
        }
    }

    init(folder: String) { self.folder = folder }

    static func copy(_ source: String, to target: String, isFresh: Bool = false) throws(BuildFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: source, toPath: target)
            // A copied file keeps its date. If this date is older than the last build, the build would treat the file
            // as unchanged.
            if isFresh { try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: target) }
        } catch {
            throw BuildFailure("'\(source)' cannot be copied to '\(target)': \(error.localizedDescription).")
        }
    }
}

/// The source of one side of a comparison: a commit, or the current files of the working tree.
package enum Revision: Sendable, Equatable {
    /// A commit by its full hash.
    case commit(String)
    /// The tracked and new files of the working tree.
    case workingTree

    /// The name in reports.
    package var name: String {
        switch self {
        case .commit(let hash): String(hash.prefix(12))
        case .workingTree: "working tree"
        }
    }
}

/// The git repository of a folder, accessed with the git command.
struct Git {
    private let executable: String
    /// The root folder of the repository.
    let root: String

    /// Finds the repository that `folder` belongs to.
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

    /// Returns the full hash of the commit that `name` refers to.
    func commit(_ name: String) throws(BuildFailure) -> String {
        // Git would treat a name that begins with a hyphen as an option.
        if !name.hasPrefix("-"),
            let hash = run(["rev-parse", "--verify", "--quiet", "\(name)^{commit}"])?.trimmingCharacters(in: .newlines),
            !hash.isEmpty
        {
            return hash
        }
        throw BuildFailure("'\(name)' is no commit of this repository. Run 'git log --oneline' to see what there is.")
    }

    /// The names of branches and tags, in the form that users type.
    var names: [String] {
        let format = "--format=%(refname:short)"
        return (run(["for-each-ref", format, "refs/heads", "refs/tags", "refs/remotes"]) ?? "").split(separator: "\n")
            .map(
                String.init)
    }

    /// Writes every file of `commit` to `folder`. Uses a separate index, so that neither the repository nor the working
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

    /// Returns the files of the working tree that are tracked or could be tracked, relative to the root. These are all
    /// files that are not ignored.
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

/// An error that says why an image cannot be built, in one or two sentences with the remedy.
package struct BuildFailure: Error, Equatable, CustomStringConvertible {
    /// The sentences that describe the error and the remedy.
    package let description: String
    /// The cause of the failure.
    package let cause: Cause

    /// The kinds of reasons why an image cannot be built.
    package enum Cause: Sendable {
        /// The code or the machine that builds it must change.
        case build
        /// The cause is temporary. The image can be built later.
        case passing
        /// The user's request must change.
        case usage
    }

    package init(_ description: String, cause: Cause = .build) {
        self.description = description
        self.cause = cause
    }
}
