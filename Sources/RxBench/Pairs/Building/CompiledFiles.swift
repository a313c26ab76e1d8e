import Foundation
import RxBench

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

/// A short name for content: equal bytes give the same one, other bytes give another.
///
/// FNV-1a with 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv-21, section 2). For caches; not against forgery.
struct ContentHash {
    private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt128(byte)) &* Self.prime }
    }

    /// A text, with its end: "ab" and "c" differ from "a" and "bc".
    mutating func add(_ text: String) {
        add(text.utf8)
        add(CollectionOfOne(0))
    }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(UInt64(truncatingIfNeeded: state ^ (state >> 64)), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
