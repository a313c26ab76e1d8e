import Foundation

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
