import Foundation

/// Swift source from which elements of array literals and declarations can be removed. It parses only brackets, strings
/// and comments.
struct ListSource {
    private var bytes: [UInt8]
    private var removedLines: Set<Int> = []

    init(_ text: String) { bytes = Array(text.utf8) }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a removed element covered `line`.
    func isRemoved(line: Int) -> Bool { removedLines.contains(line) }

    /// Returns the ID of the benchmark in the text of an element. The ID is the first string in the text.
    static func name(in element: String) -> String? {
        element.firstMatch(of: #/"([^"]+)"/#).map { String($0.output.1) }
    }

    /// Finds the element of the outermost literal that contains the given position, replaces it with blanks and returns
    /// it. Line breaks are kept. Returns `nil` if there is no literal at the position.
    mutating func removeElement(line: Int, column: Int) -> String? {
        guard let place = offset(line: line, column: column), let range = Scan(bytes).element(around: place) else {
            return nil
        }
        return blank(range)
    }

    /// Finds the top-level declaration that covers `line`, replaces it with blanks and returns it. Line breaks are
    /// kept. Returns `nil` if the line contains something else, such as an import or a statement.
    mutating func removeDeclaration(line: Int) -> String? {
        guard let place = offset(line: line, column: 1), let range = Scan(bytes).topLevel(around: place) else {
            return nil
        }
        let first = String(decoding: bytes[range].prefix { !" \n(".utf8.contains($0) }, as: UTF8.self)
        let keywords: Set = [
            "private", "fileprivate", "internal", "package", "public", "func", "let", "var", "struct", "class", "final",
            "enum", "extension", "actor", "typealias",
        ]
        return keywords.contains(first) ? blank(range) : nil
    }

    private mutating func blank(_ range: Range<Int>) -> String {
        let element = String(decoding: bytes[range], as: UTF8.self)
        var current = 1
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: "\n") {
                current += 1
            } else if range.contains(index), bytes[index] != UInt8(ascii: " ") {
                removedLines.insert(current)
                bytes[index] = UInt8(ascii: " ")
            }
        }
        return element
    }

    private func offset(line: Int, column: Int) -> Int? {
        var current = 1
        var index = 0
        while current < line {
            guard let newline = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            index = newline + 1
            current += 1
        }
        let place = index + column - 1
        return place < bytes.count ? place : nil
    }

    /// A single scan of the source.
    private struct Scan {
        let bytes: [UInt8]
        private enum Opening {
            case list(start: Int)
            case other
        }

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// Returns the range of the element of the outermost list that contains `place`, including its trailing comma.
        /// The element must contain a string, because types and subscripts look like lists but are not lists of
        /// benchmarks.
        func element(around place: Int) -> Range<Int>? {
            var stack: [Opening] = []
            var starts: [Int] = []
            var index = 0
            while index < bytes.count {
                if let end = skipped(from: index) {
                    index = end
                    continue
                }
                switch bytes[index] {
                case UInt8(ascii: "["):
                    stack.append(.list(start: index + 1))
                    starts.append(index + 1)
                case UInt8(ascii: "("), UInt8(ascii: "{"):
                    stack.append(.other)
                    starts.append(0)
                case UInt8(ascii: ","):
                    if let range = ended(stack, starts, at: index, around: place) {
                        return range.lowerBound..<(index + 1)
                    }
                    if let last = starts.indices.last { starts[last] = index + 1 }
                case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
                    if let range = ended(stack, starts, at: index, around: place) { return range }
                    _ = stack.popLast()
                    _ = starts.popLast()
                default: break
                }
                index += 1
            }
            return nil
        }

        /// Returns the range of the text outside brackets that begins in the first column and covers `place`. The range
        /// ends at the beginning of the next such text.
        func topLevel(around place: Int) -> Range<Int>? {
            var depth = 0
            var index = 0
            var start: Int?
            while index < bytes.count {
                let isAtEdge =
                    depth == 0 && (index == 0 || bytes[index - 1] == UInt8(ascii: "\n"))
                    && !" \t\n\r})]{".utf8.contains(bytes[index])
                if isAtEdge {
                    if index > place { return start.map { $0..<index } }
                    start = index
                }
                if let end = skipped(from: index) {
                    index = end
                    continue
                }
                if "([{".utf8.contains(bytes[index]) { depth += 1 }
                if ")]}".utf8.contains(bytes[index]) { depth = max(0, depth - 1) }
                index += 1
            }
            return start.flatMap { $0 <= place ? $0..<bytes.count : nil }
        }

        /// Returns the element that ends at `index`, if its list is the outermost list and the element contains `place`
        /// and a string.
        private func ended(_ stack: [Opening], _ starts: [Int], at index: Int, around place: Int) -> Range<Int>? {
            guard case .list = stack.last, let start = starts.last, (start..<index).contains(place) else { return nil }
            let isOutermost = !stack.dropLast().contains { if case .list = $0 { true } else { false } }
            return isOutermost && bytes[start..<index].contains(UInt8(ascii: "\"")) ? start..<index : nil
        }

        /// Returns the end of the comment or string that begins at `index`, or `nil` if none begins there.
        /// Interpolations are skipped together with their string.
        private func skipped(from index: Int) -> Int? {
            func starts(_ text: StaticString, at index: Int) -> Bool {
                index + text.utf8CodeUnitCount <= bytes.count
                    && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
            }
            if starts("//", at: index) { return bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }
            if starts("/*", at: index) {
                var end = index + 2
                while end < bytes.count, !starts("*/", at: end) { end += 1 }
                return min(end + 2, bytes.count)
            }
            guard bytes[index] == UInt8(ascii: "\"") else { return nil }
            let isLong = starts("\"\"\"", at: index)
            var end = index + (isLong ? 3 : 1)
            while end < bytes.count {
                if bytes[end] == UInt8(ascii: "\\") {
                    end += 2
                } else if isLong ? starts("\"\"\"", at: end) : bytes[end] == UInt8(ascii: "\"") {
                    return end + (isLong ? 3 : 1)
                } else {
                    end += 1
                }
            }
            return bytes.count
        }
    }
}

/// Removes benchmarks that do not compile because the code is too old for them.
struct BenchmarkPruner {
    let tree: SourceTree
    let compared: ComparedPaths
    /// The removed benchmarks, with one sentence for each.
    private(set) var omissions: [String] = []

    /// Removes the code that has compiler errors: elements of lists of benchmarks, and top-level declarations next to
    /// these lists. Uses of a removed declaration cause errors in the next build, and are then removed too. Returns
    /// `false` if an error is elsewhere and cannot be fixed in this way.
    ///
    /// - Parameter root: The folder of the compiled copy, as the compiler's messages name it.
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
                // The element may have several errors. The first error has already removed it.
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
