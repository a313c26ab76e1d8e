import Foundation

/// The files of a tree that define benchmarks: the files of every target in which a file imports `RxBench`.
struct BenchmarkFiles {
    /// The text of each file that imports `RxBench`, by its path.
    private let texts: [String: String]
    private let targets: Set<String>

    /// Reads the Swift files of a tree.
    init(of tree: SourceTree) {
        var texts: [String: String] = [:]
        for path in tree.visibleFiles where path.hasSuffix(".swift") {
            let text = try? String(contentsOfFile: "\(tree.folder)/\(path)", encoding: .utf8)
            if let text, text.contains("import RxBench") { texts[path] = text }
        }
        self.texts = texts
        targets = Set(texts.keys.map(Self.target))
    }

    /// Whether the file at `path` belongs to a target that defines benchmarks.
    func contain(_ path: String) -> Bool { targets.contains(Self.target(of: path)) }

    /// Returns the files at `paths` with their kinds.
    ///
    /// - Parameter isByName: Whether the user named the compared paths.
    func uncompared(_ paths: [String], isByName: Bool) -> [UncomparedFile] {
        paths.map { UncomparedFile(path: $0, kind: contain($0) ? .benchmark : isByName ? .outsideSubject : .code) }
    }

    /// Returns the literals that look like IDs of benchmarks. A literal ends at its first interpolation, with an
    /// ellipsis for the rest.
    ///
    /// Base may be compiled with head's benchmarks. In this case no image has the benchmarks that head has deleted, and
    /// only base's sources name them.
    ///
    /// - Parameter isWanted: Whether to read the file at a path.
    func names(where isWanted: (String) -> Bool = { _ in true }) -> Set<String> {
        var names: Set<String> = []
        for (path, text) in texts where isWanted(path) {
            for match in text.matches(
                of: #/"(?<name>[a-z0-9][a-z0-9-]*(?:\/[a-z0-9-]+)+\/?(?:\?[a-zA-Z0-9=&._-]*)?)(?<rest>\\\(|")/#)
            {
                names.insert(match.output.rest == "\"" ? String(match.output.name) : "\(match.output.name)…")
            }
        }
        return names
    }

    /// Returns the folder of the target that contains the file at `path`: the folder below the nearest `Sources`, or
    /// else the file's own folder.
    private static func target(of path: String) -> String {
        let parts = path.split(separator: "/")
        guard let sources = parts.lastIndex(of: "Sources"), sources + 2 < parts.count else {
            return (path as NSString).deletingLastPathComponent
        }
        return parts[...(sources + 1)].joined(separator: "/")
    }
}
