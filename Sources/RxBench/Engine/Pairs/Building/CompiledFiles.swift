import Foundation

/// Decides by paths which files of a package can be compiled. An image depends on these files and no others.
///
/// Sources, headers and manifests are recognised by their extensions. Other files are included only if a manifest has
/// resources or plugins, which may compile any file of a target. Other files at the root of a package are never
/// included. A package within the tree belongs to the tree only if another manifest of the tree names its folder.
struct CompiledFiles {
    private static let extensions: Set = [
        "swift", "c", "cc", "cpp", "cxx", "m", "mm", "s", "S", "h", "hh", "hpp", "hxx", "inc", "def", "modulemap",
    ]
    /// Folders at the root of a package that contain no sources of products.
    private static let ignored: Set<Substring> = ["Tests", "Documentation", "results", "scripts"]

    /// The package's folder, relative to the root of the tree. The path is empty for the root itself.
    private let package: String
    private let hasResources: Bool
    /// The folders of packages that do not belong to the tree.
    private let strangers: [String]

    init(of tree: SourceTree, package: String = "") {
        self.package = package
        let visible = tree.visibleFiles
        let folders = visible.filter { $0.hasSuffix("/Package.swift") }.map {
            ($0 as NSString).deletingLastPathComponent
        }
        let roots = visible.contains("Package.swift") ? folders + [""] : folders
        let manifests = roots.map { folder in
            let place = folder.isEmpty ? tree.folder : "\(tree.folder)/\(folder)"
            let texts = ManifestPaths.manifests(in: place).map { try? String(contentsOfFile: $0, encoding: .utf8) }
            return (folder: folder, text: texts.compactMap { $0 }.joined(separator: "\n"))
        }
        hasResources = manifests.contains { manifest in
            ["resources:", "plugins:"].contains { manifest.text.contains($0) }
        }
        strangers = folders.filter { folder in
            let name = (folder as NSString).lastPathComponent
            return folder != package
                && !manifests.contains { other in
                    other.folder != folder && ["\(name)\"", "\(name)/\""].contains { other.text.contains($0) }
                }
        }
    }

    /// Whether the file at `path`, relative to the tree's root, can be compiled.
    func contain(_ path: String) -> Bool {
        let inPackage =
            package.isEmpty || !path.hasPrefix(package + "/") ? path : String(path.dropFirst(package.count + 1))
        for parts in [path.split(separator: "/"), inPackage.split(separator: "/")] {
            guard let first = parts.first, !Self.ignored.contains(first), !parts.contains(where: { $0.hasPrefix(".") })
            else { return false }
        }
        if strangers.contains(where: { path.hasPrefix($0 + "/") }) { return false }
        if Self.extensions.contains((path as NSString).pathExtension) { return true }
        return hasResources && path.contains("/") && inPackage.contains("/") && !Self.isDocumentation(path)
    }
}

extension CompiledFiles {
    /// Returns whether the file at `path` is documentation and not a resource, judging by its path or name.
    private static func isDocumentation(_ path: String) -> Bool {
        path.contains(".docc/") || (path as NSString).lastPathComponent == "README.md"
    }
}

/// A short name for content. Equal bytes give the same name, and different bytes give different names.
///
/// FNV-1a with 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv-21, section 2). It is suitable for caches, but does not
/// resist forgery.
struct ContentHash {
    private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt128(byte)) &* Self.prime }
    }

    /// Adds a text and a terminator, so that "ab" and "c" differ from "a" and "bc".
    mutating func add(_ text: String) {
        add(text.utf8)
        add(CollectionOfOne(0))
    }

    /// The hash as 16 hexadecimal digits.
    var text: String {
        let digits = String(UInt64(truncatingIfNeeded: state ^ (state >> 64)), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// An error message in the format that compilers print.
package struct CompilerMessage: Equatable {
    let file: String
    /// The line and the column, counted from 1.
    let line, column: Int
    let text: String

    /// Returns the errors in the output of a build, without duplicates.
    static func errors(in output: String) -> [CompilerMessage] {
        var errors: [CompilerMessage] = []
        for line in output.split(separator: "\n") {
            guard
                let match = line.wholeMatch(
                    of: #/(?<file>/[^:]+):(?<line>[0-9]+):(?<column>[0-9]+): error: (?<text>.*)/#),
                let number = Int(match.line), let column = Int(match.column)
            else { continue }
            let error = CompilerMessage(
                file: String(match.file), line: number, column: column, text: String(match.text))
            if !errors.contains(error) { errors.append(error) }
        }
        return errors
    }

    /// Returns the first errors that have a source location. Otherwise returns the first errors without a location or,
    /// if no error was found at all, the end of the build's output.
    package static func summary(_ output: String) -> String {
        let errors = errors(in: output)
        guard errors.isEmpty else {
            return errors.prefix(5).map { "\($0.file):\($0.line): \($0.text)" }.joined(separator: "\n")
        }
        // A linker invocation lists every object, in a line of some kilobytes.
        let lines = output.split(separator: "\n").filter { $0.utf8.count < 1_000 }
        let complaints = linkerReasons(lines) + lines.filter { $0.hasPrefix("error: ") }
        return (complaints.isEmpty ? lines.suffix(8) : complaints.prefix(5)).joined(separator: "\n")
    }

    /// Returns the linker's own messages about its failure.
    private static func linkerReasons(_ lines: [Substring]) -> [Substring] {
        let signs = [
            "undefined reference to", "undefined symbol", "multiple definition of", "duplicate symbol",
            "cannot find -l", "ld: error:", "ld.gold: error:",
        ]
        return lines.filter { line in signs.contains { line.contains($0) } }
    }
}
