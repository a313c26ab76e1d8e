import Foundation

/// Which files of a package can be part of what is compiled, told by their paths: what an image depends on, and nothing
/// else.
///
/// Sources, headers and manifests by their extensions. Other files only where a manifest has resources or plugins,
/// which may compile any file of a target; those at a package's root never are.
struct CompiledFiles {
    private static let extensions: Set = [
        "swift", "c", "cc", "cpp", "cxx", "m", "mm", "s", "S", "h", "hh", "hpp", "hxx", "inc", "def", "modulemap",
    ]
    /// Folders at a package's root that hold no sources of products.
    private static let ignored: Set<Substring> = ["Tests", "Documentation", "results", "scripts"]

    /// The package's folder from the tree's root; empty for the root itself.
    private let package: String
    private let hasResources: Bool

    init(of tree: SourceTree, package: String = "") {
        self.package = package
        hasResources = tree.visibleFiles.contains { path in
            guard path == "Package.swift" || path.hasSuffix("/Package.swift") else { return false }
            let text = (try? String(contentsOfFile: "\(tree.folder)/\(path)", encoding: .utf8)) ?? ""
            return ["resources:", "plugins:"].contains { text.contains($0) }
        }
    }

    /// Whether the file at `path`, from the tree's root, can be compiled.
    func contain(_ path: String) -> Bool {
        let inPackage =
            package.isEmpty || !path.hasPrefix(package + "/") ? path : String(path.dropFirst(package.count + 1))
        for parts in [path.split(separator: "/"), inPackage.split(separator: "/")] {
            guard let first = parts.first, !Self.ignored.contains(first), !parts.contains(where: { $0.hasPrefix(".") })
            else { return false }
        }
        if Self.extensions.contains((path as NSString).pathExtension) { return true }
        return hasResources && path.contains("/") && inPackage.contains("/") && !path.hasSuffix(".md")
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
