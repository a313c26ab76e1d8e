import Foundation

/// The paths of the compared code, which base's side takes from base. Both sides take everything else, including the
/// harness and the benchmarks, from head.
///
/// Manifests and files of resolved versions define how the code is built. Each side therefore uses its own, wherever
/// these files are.
///
/// In the tool's own repository, the default paths are the paths that the tool names. In a package inside another
/// project, the default is everything except that package. Otherwise, the default is the whole package except the
/// folder with the sources of the executable.
struct ComparedPaths {
    private let paths: [String]
    /// The paths that are not compared, although they are inside a compared path.
    private let frame: Set<String>

    /// - Parameter standard: The paths that are compared in the tool's own repository. The root of that repository
    ///   contains all of them.
    init(
        paths: [String], standard: [String] = [], root: String, package: String, product: String
    ) throws(BuildFailure) {
        func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }
        if let missing = paths.first(where: { !exists($0) || $0.isEmpty || $0.hasPrefix("/") || $0.contains("..") }) {
            throw BuildFailure(
                """
                '\(missing)' is no path in the repository '\(root)'. Name what is compared by its path from there, \
                as in 'Sources/Rx'.
                """, cause: .usage
            )
        }
        if !paths.isEmpty {
            (self.paths, frame) = (paths, [])
        } else if package.isEmpty, !standard.isEmpty, standard.allSatisfy(exists) {
            (self.paths, frame) = (standard, [])
        } else if !package.isEmpty {
            (self.paths, frame) = ([], [package])
        } else if exists("Sources/\(product)") {
            (self.paths, frame) = ([], ["Sources/\(product)"])
        } else {
            throw BuildFailure(
                """
                It is not clear which files hold the benchmarks and which are compared. Name the compared ones \
                with '--subject', as in '--subject Sources/MyLibrary'.
                """, cause: .usage
            )
        }
    }

    /// Replaces the compared files of `tree` with the compared files of `other`. Compared files that `other` lacks are
    /// removed.
    ///
    /// A manifest or a file of resolved versions that `other` lacks is kept. In this case `other` is older than the
    /// package or doesn't fix the versions.
    func take(from other: SourceTree, into tree: SourceTree) throws {
        let present = Set(other.files)
        let compared = present.union(tree.files).filter {
            !isShared($0) && (present.contains($0) || !Self.describesBuild($0))
        }
        try tree.replace(compared.sorted(), from: other)
    }

    /// Whether the file at `path` defines how code is built or the versions of its dependencies.
    static func describesBuild(_ path: String) -> Bool {
        let name = (path as NSString).lastPathComponent
        return name == "Package.swift" || name == "Package.resolved" || name.hasPrefix("Package@swift-")
    }

    /// Whether the user named the compared paths.
    var areNamed: Bool { !paths.isEmpty }

    /// Whether `path`, relative to the repository's root, is taken from head on both sides.
    func isShared(_ path: String) -> Bool {
        if Self.describesBuild(path) { return false }
        func lies(in places: some Sequence<String>) -> Bool {
            places.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        return lies(in: frame) || !(paths.isEmpty || lies(in: paths))
    }

    /// Returns a hash of everything that the compiled form of `tree` depends on: its ``CompiledFiles``, the compiled
    /// files of packages at paths outside the repository, and the versions of all other packages.
    ///
    /// - Parameters:
    ///   - root: The path of the repository itself.
    ///   - pins: The file with the versions of dependencies that is used if `tree` has no such file.
    func key(
        of tree: SourceTree, root: String, package: String, product: String, compiler: String, flags: [String],
        pins: String
    ) -> String {
        var hash = ContentHash()
        for text in [BuiltImage.format, package, product, compiler] + flags { hash.add(text) }
        func add(_ tree: SourceTree, _ files: [String], _ compiled: CompiledFiles) {
            for path in files where compiled.contain(path) {
                hash.add(path)
                hash.add(FileManager.default.contents(atPath: "\(tree.folder)/\(path)") ?? Data())
            }
        }
        add(tree, tree.files, CompiledFiles(of: tree, package: package))
        for folder in OutsideDependencies.folders(of: tree, root: root) {
            let dependency = SourceTree(folder: folder)
            hash.add(folder)
            add(dependency, dependency.visibleFiles, CompiledFiles(of: dependency))
        }
        let own = "\(tree.folder)/\(package.isEmpty ? "" : package + "/")Package.resolved"
        hash.add(FileManager.default.contents(atPath: own) ?? FileManager.default.contents(atPath: pins) ?? Data())
        return hash.text
    }
}

/// The way in which the tool of a repository builds its images, if the harness is part of the repository that it
/// measures.
package struct ImageRecipe: Sendable {
    /// The paths, relative to the root, that are compared if the user names no other paths.
    let compared: [String]
    /// The contents of stand-in files, by path. Each stand-in is the only file of its folder that an image needs. The
    /// verbs, the reports, and the traces that these read are removed. Without them, a core that is too old for head's
    /// verbs compiles, and a changed verb causes no recompilation.
    let standIns: [String: String]

    package init(comparing compared: [String], standIns: [String: String]) {
        self.compared = compared
        self.standIns = standIns
    }

    /// Replaces the folders of `tree` that have stand-ins with their stand-ins.
    func reduce(_ tree: SourceTree) throws {
        func folder(of path: String) -> String { "\(tree.folder)/\((path as NSString).deletingLastPathComponent)" }
        let present = standIns.filter { FileManager.default.fileExists(atPath: folder(of: $0.key)) }
        // One of the folders may be inside another.
        for path in present.keys.sorted() where FileManager.default.fileExists(atPath: folder(of: path)) {
            try FileManager.default.removeItem(atPath: folder(of: path))
        }
        for (path, text) in present {
            try FileManager.default.createDirectory(atPath: folder(of: path), withIntermediateDirectories: true)
            try AtomicFile.write(Array(text.utf8), to: "\(tree.folder)/\(path)")
        }
    }
}

/// Handles dependencies that a manifest names by a relative path that leaves the repository. In a copy of the
/// repository, such a path would lead to a different place.
enum ManifestPaths {
    /// Rewrites these paths in the copy at `folder`, so that they lead to the same places as from `root`.
    static func makeAbsolute(in folder: String, package: String, root: String) throws {
        let manifest = (folder as NSString).appendingPathComponent("\(package)/Package.swift")
        guard FileManager.default.fileExists(atPath: manifest) else {
            throw BuildFailure(
                """
                There is no Package.swift in '\(package.isEmpty ? "." : package)' of this commit. Compare commits \
                that have the package.
                """
            )
        }
        let origin = package.isEmpty ? root : "\(root)/\(package)"
        for manifest in manifests(in: (manifest as NSString).deletingLastPathComponent) {
            let text = (try? String(contentsOfFile: manifest, encoding: .utf8)) ?? ""
            let rewritten = rewritten(text, origin: origin, root: root)
            if rewritten != text { try AtomicFile.write(Array(rewritten.utf8), to: manifest) }
        }
    }

    /// Returns the manifests of the package in `folder`: `Package.swift` and the version-specific manifests that can
    /// replace it.
    static func manifests(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".swift") && ComparedPaths.describesBuild($0) }.sorted()
            .map { "\(folder)/\($0)" }
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

/// Finds packages that a manifest names by a path outside the repository. Their code is part of each image too.
enum OutsideDependencies {
    /// Returns the folders of these packages, including packages that they depend on by a path, in order and without
    /// duplicates.
    ///
    /// - Parameters:
    ///   - tree: The files of the repository whose original path is `root`.
    static func folders(of tree: SourceTree, root: String) -> [String] {
        var found: Set<String> = []
        // `copy` has the manifests of the package whose original path is `folder`.
        func visit(_ copy: String, at folder: String) {
            let texts = ManifestPaths.manifests(in: copy).map { try? String(contentsOfFile: $0, encoding: .utf8) }
            for target in texts.flatMap({ paths(in: $0 ?? "", at: folder) }) {
                if target == root || target.hasPrefix(root + "/") || !found.insert(target).inserted { continue }
                visit(target, at: target)
            }
        }
        for path in tree.visibleFiles where path == "Package.swift" || path.hasSuffix("/Package.swift") {
            let folder = (path as NSString).deletingLastPathComponent
            let place = folder.isEmpty ? "" : "/\(folder)"
            visit(tree.folder + place, at: root + place)
        }
        return found.sorted()
    }

    /// Returns the folders that a manifest in `folder` names by a path.
    private static func paths(in manifest: String, at folder: String) -> [String] {
        manifest.matches(of: #/\.package\([^)"]*(?:name:\s*"[^"]*",\s*)?path:\s*"(?<path>[^"]*)"/#).map { match in
            let path = String(match.output.path)
            return
                (path.hasPrefix("/") ? URL(fileURLWithPath: path) : URL(fileURLWithPath: folder).appending(path: path))
                .standardizedFileURL.path
        }
    }
}
