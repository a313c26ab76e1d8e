import Foundation

/// Takes those benchmarks out of a tree that do not compile with a subject that is too old for them.
struct BenchmarkPruner {
    private let tree: SourceTree
    private let subjects: Subjects
    /// What was taken out, one sentence each.
    private(set) var omissions: [String] = []

    init(tree: SourceTree, subjects: Subjects) {
        self.tree = tree
        self.subjects = subjects
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
            guard subjects.isShared(path), let text = try? String(contentsOfFile: copy, encoding: .utf8),
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
