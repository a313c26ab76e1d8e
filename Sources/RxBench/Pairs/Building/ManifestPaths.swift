import Foundation
import RxBench

/// Dependencies that a manifest names by a path out of the repository, which would lead elsewhere from a copy.
enum ManifestPaths {
    /// Rewrites such paths in the copy at `folder`, so that they lead where they lead from `root`.
    static func makeAbsolute(in folder: String, package: String, root: String) throws {
        let manifest = (folder as NSString).appendingPathComponent("\(package)/Package.swift")
        guard let text = try? String(contentsOfFile: manifest, encoding: .utf8) else {
            throw BuildFailure(
                """
                There is no Package.swift in '\(package.isEmpty ? "." : package)' of this commit. Compare commits \
                that have the package.
                """
            )
        }
        let origin = package.isEmpty ? root : "\(root)/\(package)"
        let rewritten = rewritten(text, origin: origin, root: root)
        if rewritten != text { try AtomicFile.write(Array(rewritten.utf8), to: manifest) }
    }

    static func rewritten(_ manifest: String, origin: String, root: String) -> String {
        manifest.replacing(#/(?<head>\.package\([^)"]*(?:name:\s*"[^"]*",\s*)?path:\s*")(?<path>\.[^"]*)"/#) { match in
            let target = URL(fileURLWithPath: origin).appending(path: String(match.output.path)).standardizedFileURL
                .path
            let isInside = target == root || target.hasPrefix(root + "/")
            return "\(match.output.head)\(isInside ? String(match.output.path) : target)\""
        }
    }
}

/// Packages that a manifest names by a path out of the repository: what they compile is a part of each image too.
enum OutsideDependencies {
    /// Their folders, those that they depend on by a path included, in order and each once.
    ///
    /// - Parameters:
    ///   - tree: The files of the repository whose own place is `root`.
    static func folders(of tree: SourceTree, root: String) -> [String] {
        var found: Set<String> = []
        func visit(_ manifest: String, at folder: String) {
            for target in paths(in: (try? String(contentsOfFile: manifest, encoding: .utf8)) ?? "", at: folder) {
                if target == root || target.hasPrefix(root + "/") || !found.insert(target).inserted { continue }
                visit("\(target)/Package.swift", at: target)
            }
        }
        for path in tree.visibleFiles where path == "Package.swift" || path.hasSuffix("/Package.swift") {
            let folder = (path as NSString).deletingLastPathComponent
            visit("\(tree.folder)/\(path)", at: folder.isEmpty ? root : "\(root)/\(folder)")
        }
        return found.sorted()
    }

    /// The folders that a manifest in `folder` names by a path.
    private static func paths(in manifest: String, at folder: String) -> [String] {
        manifest.matches(of: #/\.package\([^)"]*(?:name:\s*"[^"]*",\s*)?path:\s*"(?<path>[^"]*)"/#).map { match in
            let path = String(match.output.path)
            return
                (path.hasPrefix("/") ? URL(fileURLWithPath: path) : URL(fileURLWithPath: folder).appending(path: path))
                .standardizedFileURL.path
        }
    }
}
