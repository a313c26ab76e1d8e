import Foundation
import RxBench

/// Takes those benchmarks out of a tree that do not compile with code that is too old for them.
struct BenchmarkPruner {
    private let tree: SourceTree
    private let compared: ComparedPaths
    /// The benchmarks that were taken out, one sentence each.
    private(set) var omissions: [String] = []

    init(tree: SourceTree, compared: ComparedPaths) {
        self.tree = tree
        self.compared = compared
    }

    /// Takes out what the compiler's words complain about: elements of lists of benchmarks, and declarations beside
    /// them, whose users the next words complain about. `false` when an error lies elsewhere: nothing helps then.
    ///
    /// - Parameter root: The folder of the compiled copy, which the words name.
    mutating func prune(after output: String, root: String) throws -> Bool {
        let errors = CompilerMessage.errors(in: output)
        guard !errors.isEmpty else { return false }
        for (file, errors) in Dictionary(grouping: errors, by: \.file) {
            guard file.hasPrefix(root + "/") else { return false }
            let path = String(file.dropFirst(root.count + 1))
            let copy = "\(tree.folder)/\(path)"
            guard compared.isShared(path), let text = try? String(contentsOfFile: copy, encoding: .utf8),
                text.contains("import RxBench")
            else { return false }
            var source = ListSource(text)
            for error in errors {
                // Several errors of one element: the first has taken it out.
                if source.isRemoved(line: error.line) { continue }
                guard
                    let element = source.removeElement(line: error.line, column: error.column)
                        ?? source.removeDeclaration(line: error.line)
                else { return false }
                omissions.append("'\(ListSource.name(in: element) ?? "line \(error.line) of \(path)")': \(error.text)")
            }
            try AtomicFile.write(Array(source.text.utf8), to: copy)
        }
        return true
    }
}

/// IDs of benchmarks that a commit's own sources name and another's do not.
///
/// Base is compiled with head's benchmarks, so that no image has what head has deleted; its sources tell.
enum RetiredNames {
    /// The IDs that `base` names in files that both sides take from head, and that `head` names nowhere; in order.
    ///
    /// - Parameter isWanted: Whether the file at a path is compiled, and head's on both sides.
    static func between(_ base: SourceTree, and head: SourceTree, isWanted: (String) -> Bool) -> [String] {
        names(base, where: isWanted).subtracting(names(head) { _ in true }).sorted()
    }

    /// Literals in files that define benchmarks which read like IDs; up to the first interpolation, with an ellipsis
    /// for the rest.
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
