/// A line of code on a page.
struct CodeLine: Equatable {
    /// The line number on the page, from 1.
    let number: Int
    /// The line with spaces instead of `///`, so that columns do not change.
    let text: String

    var indentation: Int { text.prefix { $0 == " " }.count }
    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
    /// The line without spaces at either end.
    var trimmed: String { text.replacing(/^ +| +$/, with: "") }
}

/// The treatment that a page requests for a block of code.
enum Treatment: Equatable {
    /// The block must compile, run, and print the output that its comments state.
    case run
    /// The block must compile.
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
    /// The fences that hide Swift from the tests, in order.
    package let faults: [FenceFault]

    /// Reads a page.
    ///
    /// In doc comments, indented blocks and fences with the word `swift` contain Swift code. Markdown pages need a
    /// fence.
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
        faults = reader.faults
    }
}

/// A fence whose word hides Swift from the tests.
package struct FenceFault: Equatable {
    /// The fence's line on its page.
    package let line: Int
    /// The message: one sentence with the remedy.
    package let text: String

    static func word(_ word: String, line: Int) -> FenceFault {
        FenceFault(
            line: line,
            text: """
                \(word.isEmpty ? "A fence without a word" : "The fence '\(word)'") does not say what becomes of it: \
                write 'swift' for an example that runs, 'swift compiled' for one that must not run, 'sh' for commands, \
                'text' for anything else.
                """)
    }

    static func hiddenSwift(_ code: String, in word: String, line: Int) -> FenceFault {
        FenceFault(
            line: line,
            text: """
                No test reads the Swift '\(code)' in a fence '\(word)': write 'swift', or 'swift compiled' if it must \
                not run.
                """)
    }
}

/// Collects blocks line by line.
private struct BlockReader {
    private(set) var blocks: [CodeBlock] = []
    private(set) var faults: [FenceFault] = []
    private let indentedIsCode: Bool
    private var lines: [CodeLine] = []
    private var fence: Fence?
    private var isAfterBlank = true

    init(indentedIsCode: Bool) { self.indentedIsCode = indentedIsCode }

    /// - Parameter base: the column at which the text of the comment begins.
    mutating func read(_ line: CodeLine, base: Int = 0) {
        let isFence = line.text.dropFirst(line.indentation).hasPrefix("```")
        switch fence {
        case .some where isFence:
            finishFence()
        case .some:
            lines.append(line)
        case nil where isFence:
            finish(.run)
            fence = Fence(line)
        case nil:
            readUnfenced(line, base: base)
        }
    }

    /// An indented block needs a blank line before it; otherwise it continues a paragraph or a list.
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
        if fence == nil { finish(.run) } else { finishFence() }
        isAfterBlank = true
    }

    private mutating func finishFence() {
        if let fault = fence?.fault(of: lines) { faults.append(fault) }
        finish(fence?.treatment)
        fence = nil
    }

    private mutating func finish(_ treatment: Treatment?) {
        while lines.last?.isBlank == true { lines.removeLast() }
        if let treatment, !lines.isEmpty { blocks.append(CodeBlock(lines: lines, treatment: treatment)) }
        lines = []
    }
}

/// The start of a fence, and its info string.
private struct Fence {
    private let line: Int
    /// The text after the backquotes.
    private let word: String

    init(_ line: CodeLine) {
        self.line = line.number
        word = line.text.drop { $0 == " " || $0 == "`" }.split(separator: " ").joined(separator: " ")
    }

    /// `nil` if the block is ignored.
    var treatment: Treatment? {
        switch word {
        case "swift": .run
        case "swift compiled": .compile
        default: nil
        }
    }

    /// The fault of the fence around `lines`, or `nil`.
    func fault(of lines: [CodeLine]) -> FenceFault? {
        guard treatment == nil else { return nil }
        if word.isEmpty || word.lowercased().hasPrefix("swift") { return .word(word, line: line) }
        let code = word == "text" ? lines.lazy.map(\.trimmed).first(where: Self.isSwift) : nil
        return code.map { .hiddenSwift($0, in: word, line: line) }
    }

    /// Returns whether a line is a declaration, an import, an attribute, an assignment to `_`, or a call. Lines of
    /// pictures contain gaps.
    private static func isSwift(_ line: String) -> Bool {
        let shapes = [
            #/import \w+/#, #/(?:let|var) \w+ ?[:=].*/#, #/@\w+.*\bfunc\b.*/#, #/_ = .*/#,
            #/(?!.* {2})[A-Za-z_][\w.]*\(.*\)/#,
            #/(?:\w+ )*(?:func|struct|class|actor|enum|extension|protocol) \w+.*\{.*/#,
        ]
        return shapes.contains { line.wholeMatch(of: $0) != nil }
    }
}
