import Foundation

/// A file that differs between two revisions and is head's on both sides of their comparison.
package struct UncomparedFile: Codable, Sendable, Equatable {
    /// What the difference may do to the figures.
    package enum Kind: String, Codable, Sendable {
        /// The file defines benchmarks. Both sides run head's, as they have to.
        case benchmark
        /// The file is code outside the paths that a person chose to compare.
        case outsideSubject
        /// The file is code that nothing compares.
        case code
        /// The file says how the code is built, and base does not build with its own.
        case buildDescription
        /// The file is a resource. Both sides read those of the tool that loads them.
        case resource
    }

    /// The path from the repository's root.
    package let path: String
    /// What the difference may do to the figures.
    package let kind: Kind

    /// A file of the given kind.
    package init(path: String, kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// Whether a comparison that leaves the file out says nothing about the change.
    package var spoilsComparison: Bool {
        switch kind {
        case .code, .buildDescription, .resource: true
        case .benchmark, .outsideSubject: false
        }
    }
}

/// The files of a tree that define benchmarks: those of every target in which a file imports `RxBench`.
struct BenchmarkFiles {
    private let tree: SourceTree

    init(of tree: SourceTree) { self.tree = tree }

    /// The files at `paths` with their kinds.
    ///
    /// - Parameter isByName: Whether a person named the compared paths.
    func uncompared(_ paths: [String], isByName: Bool) -> [UncomparedFile] {
        guard !paths.isEmpty else { return [] }
        let targets = Set(
            tree.visibleFiles.filter { path in
                path.hasSuffix(".swift")
                    && (try? String(contentsOfFile: "\(tree.folder)/\(path)", encoding: .utf8))?.contains(
                        "import RxBench")
                        ?? false
            }.map(Self.target))
        return paths.map { path in
            let isBenchmark = targets.contains(Self.target(of: path))
            return UncomparedFile(path: path, kind: isBenchmark ? .benchmark : isByName ? .outsideSubject : .code)
        }
    }

    /// The folder of the target with the file at `path`: the one below the nearest `Sources`, or else its own folder.
    private static func target(of path: String) -> String {
        let parts = path.split(separator: "/")
        guard let sources = parts.lastIndex(of: "Sources"), sources + 2 < parts.count else {
            return (path as NSString).deletingLastPathComponent
        }
        return parts[...(sources + 1)].joined(separator: "/")
    }
}
