/// A block of code, split into the parts of a test.
struct ExtractedExample {
    /// The expected output that a comment after code states.
    struct Claim: Equatable {
        let line: Int
        let text: String
    }

    /// The line at which the example begins.
    let line: Int
    let imports: [CodeLine]
    /// Types, extensions and tests that cannot be declared in a function.
    let declarations: [CodeLine]
    let body: [CodeLine]
    let claims: [Claim]
    /// The names that the example declares at its top level. They are listed so that none counts as unused.
    let names: [String]
    let isAsync: Bool
    let treatment: Treatment

    init(_ block: CodeBlock) {
        treatment = block.treatment
        line = block.lines[0].number
        var scanner = SourceScanner()
        let scanned = block.lines.map { scanner.scan($0) }
        claims = Self.claims(scanned)
        let margin = block.lines.filter { !$0.isBlank }.map(\.indentation).min() ?? 0
        let parts = Self.parts(scanned, margin: margin)
        imports = parts.imports
        declarations = parts.declarations
        body = parts.body
        names = scanned.compactMap {
            $0.line.indentation == margin && !$0.startsInString ? Self.declaredName($0.code) : nil
        }
        isAsync = scanned.contains { $0.words.contains("await") }
    }

    /// The comments after code, and the comments directly below one of them in the same column.
    private static func claims(_ lines: [ScannedLine]) -> [Claim] {
        var claims: [Claim] = []
        var column: Int?
        for line in lines {
            guard let comment = line.comment, !line.code.isEmpty || line.commentColumn == column else {
                column = nil
                continue
            }
            column = line.commentColumn
            claims.append(Claim(line: line.line.number, text: comment))
        }
        return claims
    }

    /// Types stay in the function unless the language forbids it, so that names of different examples do not conflict.
    private static func parts(
        _ lines: [ScannedLine], margin: Int
    ) -> (imports: [CodeLine], declarations: [CodeLine], body: [CodeLine]) {
        let top = lines.filter { $0.line.indentation == margin && !$0.startsInString }
        let needsFile = top.contains {
            !$0.words.isDisjoint(with: ["extension", "protocol"]) || $0.code.hasPrefix("@Observable") || $0.isTest
        }
        var imports: [CodeLine] = []
        var declarations: [CodeLine] = []
        var body: [CodeLine] = []
        var isInDeclaration = false
        var isHead = false
        var depth = 0
        for line in lines {
            let isTop = line.line.indentation == margin && !line.startsInString
            if isTop, line.code.hasPrefix("import ") || line.code.hasPrefix("@testable import ") {
                imports.append(line.line)
                continue
            }
            if needsFile, !isInDeclaration, isTop, line.beginsDeclaration {
                (isInDeclaration, isHead) = (true, true)
                depth = 0
            }
            if isInDeclaration {
                declarations.append(isHead ? line.forThisFileAlone : line.line)
                isHead = isHead && line.isAttributeOnly
                depth += line.depthChange
                if depth == 0, !line.code.isEmpty, !line.isAttributeOnly { isInDeclaration = false }
            } else {
                body.append(line.line)
            }
        }
        return (imports, declarations, body)
    }

    private static func declaredName(_ code: String) -> String? {
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        guard words.count > 1, ["let", "var"].contains(words[0]), code.dropFirst(4).first?.isLetter == true else {
            return nil
        }
        return words[1]
    }
}
