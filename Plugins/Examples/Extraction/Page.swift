/// A line of code as it stands on a page.
struct CodeLine: Equatable {
    /// Its number on the page, from 1.
    let number: Int
    /// The line with spaces in place of `///`, so that columns stay what they are.
    let text: String

    var indentation: Int { text.prefix { $0 == " " }.count }
    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}

/// What a page wants done with a block of code.
enum Treatment: Equatable {
    /// It compiles, runs, and prints what its comments say.
    case run
    /// It compiles.
    case compile
}

/// A block of Swift code on a page.
struct CodeBlock: Equatable {
    let lines: [CodeLine]
    let treatment: Treatment
}

/// A Swift file with doc comments, or a Markdown page.
package struct Page {
    /// The blocks of Swift code, in order.
    let blocks: [CodeBlock]

    /// Reads a page.
    ///
    /// In doc comments an indented block is Swift, as is one fenced with the word `swift`; on a Markdown page a fence
    /// is needed.
    package init(text: String, isSwiftFile: Bool) {
        var reader = BlockReader(indentedIsCode: isSwiftFile)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard isSwiftFile else {
                reader.read(CodeLine(number: index + 1, text: String(line)))
                continue
            }
            let indentation = line.prefix { $0 == " " }
            let rest = line.dropFirst(indentation.count)
            if rest.hasPrefix("///") {
                reader.read(
                    CodeLine(number: index + 1, text: indentation + "   " + rest.dropFirst(3)),
                    base: indentation.count + 4)
            } else {
                reader.endComment()
            }
        }
        reader.endComment()
        blocks = reader.blocks
    }
}

/// Collects blocks line by line.
private struct BlockReader {
    private(set) var blocks: [CodeBlock] = []
    private let indentedIsCode: Bool
    private var lines: [CodeLine] = []
    /// The treatment that a fence asks for; a `nil` inside is a block that is left alone.
    private var fence: Treatment??
    private var isAfterBlank = true

    init(indentedIsCode: Bool) { self.indentedIsCode = indentedIsCode }

    /// - Parameter base: the column at which the text of the comment begins.
    mutating func read(_ line: CodeLine, base: Int = 0) {
        let isFence = line.text.dropFirst(line.indentation).hasPrefix("```")
        switch fence {
        case .some(let treatment) where isFence:
            finish(treatment)
            fence = nil
        case .some:
            lines.append(line)
        case nil where isFence:
            finish(.run)
            fence = .some(Self.treatment(line.text))
        case nil:
            readUnfenced(line, base: base)
        }
    }

    /// An indented block needs a blank line before it; else it is the continuation of a paragraph or a list.
    private mutating func readUnfenced(_ line: CodeLine, base: Int) {
        guard indentedIsCode else { return }
        let isIndented = !line.isBlank && line.indentation >= base + 4
        if isIndented && (isAfterBlank || !lines.isEmpty) {
            lines.append(line)
        } else if line.isBlank {
            if !lines.isEmpty { lines.append(line) }
        } else {
            finish(.run)
        }
        isAfterBlank = line.isBlank
    }

    mutating func endComment() {
        finish(fence ?? .run)
        fence = nil
        isAfterBlank = true
    }

    private mutating func finish(_ treatment: Treatment?) {
        while lines.last?.isBlank == true { lines.removeLast() }
        if let treatment, !lines.isEmpty { blocks.append(CodeBlock(lines: lines, treatment: treatment)) }
        lines = []
    }

    private static func treatment(_ fence: String) -> Treatment? {
        let words = fence.drop { $0 == " " || $0 == "`" }.split(separator: " ")
        switch words.map(String.init) {
        case ["swift"]: return .run
        case ["swift", "compiled"]: return .compile
        default: return nil
        }
    }
}
