import Foundation

/// What is compared: the paths that base's side takes from base. Everything else, harness and benchmarks included, is head's on both sides.
///
/// By default: in this repository its core; in a package that lies inside another project, all but that package; else all of the package but
/// the folder of the executable's own sources.
struct Subjects {
    private let paths: [String]
    /// The paths that are not compared, when everything else is.
    private let frame: [String]

    /// What of the platform's shims the core uses; the others are the harness's. A base without one of them gets head's, unused.
    static let platform = ["run.c", "counters.c", "thread.c", "include/CRun.h", "include/CCounters.h", "include/CThread.h"].map { "Sources/CPlatform/\($0)" }

    init(paths: [String], root: String, package: String, product: String) throws(BuildFailure) {
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }
        if let missing = paths.first(where: { !exists($0) || $0.isEmpty || $0.hasPrefix("/") || $0.contains("..") }) {
            throw BuildFailure("'\(missing)' is no path in the repository '\(root)'. Name what is compared by its path from there, as in 'Sources/Rx'.")
        }
        if !paths.isEmpty {
            (self.paths, frame) = (paths, [])
        } else if exists("Sources/RxBench"), exists("Sources/Rx") {
            (self.paths, frame) = (["Sources/Rx"] + Self.platform, [])
        } else if !package.isEmpty {
            (self.paths, frame) = ([], [package])
        } else if exists("Sources/\(product)") {
            (self.paths, frame) = ([], ["Sources/\(product)", "Package.swift"])
        } else {
            throw BuildFailure("It is not clear which files hold the benchmarks and which are compared. Name the compared ones with '--subject', as in '--subject Sources/MyLibrary'.")
        }
    }

    /// The top-level paths to take from the other tree.
    func compared(in tree: SourceTree, _ other: SourceTree) -> [String] {
        guard paths.isEmpty else { return paths }
        // All files of either tree but those of the frame.
        return Set(tree.files + other.files).filter { !isFrame($0) }.sorted()
    }

    private func isFrame(_ path: String) -> Bool { frame.contains { path == $0 || path.hasPrefix($0 + "/") } }

    /// Whether `path`, from the repository's root, is head's on both sides.
    func isShared(_ path: String) -> Bool {
        paths.isEmpty ? isFrame(path) : !paths.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// A name for everything that the compiled form of `tree` depends on. Tests, pages and results are no part of it.
    func key(of tree: SourceTree, package: String, product: String, compiler: String, flags: [String]) -> String {
        var hash = ContentHash()
        for text in [package, product, compiler] + flags { hash.add(text) }
        let ignored: Set<Substring> = ["Tests", "Documentation", "results", "scripts", ".ci"]
        for path in tree.files where !ignored.contains(path.prefix { $0 != "/" }) && !path.hasSuffix(".md") {
            hash.add(path)
            hash.add(FileManager.default.contents(atPath: "\(tree.folder)/\(path)") ?? Data())
        }
        return hash.text
    }
}
