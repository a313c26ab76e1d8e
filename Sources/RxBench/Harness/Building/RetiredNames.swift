import Foundation

/// IDs of benchmarks that a commit's own sources name and another's do not.
///
/// Base is compiled with head's benchmarks, so that no image has what head has deleted; its sources tell.
enum RetiredNames {
    /// The IDs that `base` names in files that both sides take from head, and that `head` names nowhere; in order.
    ///
    /// - Parameter isShared: Whether a path is head's on both sides.
    static func between(_ base: SourceTree, and head: SourceTree, isShared: (String) -> Bool) -> [String] {
        names(base, where: isShared).subtracting(names(head) { _ in true }).sorted()
    }

    /// Literals in files that define benchmarks which read like IDs; up to the first interpolation, with an ellipsis
    /// for the rest.
    private static func names(_ tree: SourceTree, where isWanted: (String) -> Bool) -> Set<String> {
        var names: Set<String> = []
        for path in tree.files where path.hasSuffix(".swift") && !path.hasPrefix("Tests/") && isWanted(path) {
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
