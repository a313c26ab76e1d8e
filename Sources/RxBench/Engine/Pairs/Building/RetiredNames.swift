import Foundation

/// Finds IDs of benchmarks that the sources of one commit name and the sources of another do not.
///
/// Base is compiled with head's benchmarks, so no image has the benchmarks that head has deleted. Only base's sources
/// name them.
enum RetiredNames {
    /// Returns the IDs, in order, that `base` names in files that both sides take from head, and that `head` names
    /// nowhere.
    ///
    /// - Parameter isWanted: Whether the file at a path is compiled and taken from head on both sides.
    static func between(_ base: SourceTree, and head: SourceTree, isWanted: (String) -> Bool) -> [String] {
        names(base, where: isWanted).subtracting(names(head) { _ in true }).sorted()
    }

    /// Returns literals that look like IDs, in files that define benchmarks. A literal ends at its first interpolation,
    /// with an ellipsis for the rest.
    private static func names(_ tree: SourceTree, where isWanted: (String) -> Bool) -> Set<String> {
        var names: Set<String> = []
        for path in tree.files where path.hasSuffix(".swift") && isWanted(path) {
            guard let text = try? String(contentsOfFile: "\(tree.folder)/\(path)", encoding: .utf8),
                text.contains("import RxBench")
            else { continue }
            for match in text.matches(
                of: #/"(?<name>[a-z0-9][a-z0-9-]*(?:\/[a-z0-9-]+)+\/?(?:\?[a-zA-Z0-9=&._-]*)?)(?<rest>\\\(|")/#)
            {
                names.insert(match.output.rest == "\"" ? String(match.output.name) : "\(match.output.name)…")
            }
        }
        return names
    }
}
