/// A line of code, with its comment separated.
struct ScannedLine {
    let line: CodeLine
    /// The code without indentation, comments, and the contents of string literals.
    let code: String
    /// The text after `//`.
    let comment: String?
    /// The position of the `//`.
    let commentColumn: Int?
    /// Whether the line begins inside a multi-line string literal.
    let startsInString: Bool

    var words: Set<String> { Set(code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)) }

    /// The number of opened braces minus the number of closed braces.
    var depthChange: Int { code.reduce(0) { $0 + ($1 == "{" ? 1 : $1 == "}" ? -1 : 0) } }

    /// An attribute on a separate line, whose declaration follows.
    var isAttributeOnly: Bool { code.hasPrefix("@") && !code.contains("{") }

    /// Whether a test of Swift Testing begins here. Such a test must be declared at file scope.
    var isTest: Bool { code.hasPrefix("@Test") || code.hasPrefix("@Suite") }

    /// Whether a type, an extension or a test begins here.
    var beginsDeclaration: Bool {
        isAttributeOnly || isTest
            || !words.isDisjoint(with: ["extension", "protocol", "class", "struct", "enum", "actor"])
                && !code.hasPrefix(".")
    }
}

extension ScannedLine {
    /// The first line of a declaration, made `fileprivate`: types in other files may have the same name.
    var forThisFileAlone: CodeLine {
        guard words.isDisjoint(with: ["extension", "public", "package", "internal", "private", "fileprivate"]),
            let keyword = line.text.firstRange(of: /\b(final|indirect|class|struct|enum|actor|protocol)\b/)
        else { return line }
        return CodeLine(
            number: line.number,
            text: line.text[..<keyword.lowerBound] + "fileprivate " + line.text[keyword.lowerBound...])
    }
}

/// Separates comments and strings from code, line by line.
struct SourceScanner {
    private var isInLongString = false

    mutating func scan(_ line: CodeLine) -> ScannedLine {
        let startsInString = isInLongString
        var code = ""
        var rest = Substring(line.text)
        var isInString = false
        while let character = rest.first {
            if rest.hasPrefix("\"\"\""), !isInString {
                isInLongString.toggle()
                code += "\"\"\""
                rest.removeFirst(3)
                continue
            }
            if !isInLongString, character == "\"" {
                isInString.toggle()
                code.append(character)
            } else if isInString || isInLongString {
                if character == "\\" { rest.removeFirst() }
                if rest.isEmpty { break }
            } else if rest.hasPrefix("//") {
                return ScannedLine(
                    line: line, code: trimmed(code), comment: trimmed(rest.drop { $0 == "/" }),
                    commentColumn: line.text.count - rest.count, startsInString: startsInString)
            } else {
                code.append(character)
            }
            rest.removeFirst()
        }
        return ScannedLine(
            line: line, code: trimmed(code), comment: nil, commentColumn: nil, startsInString: startsInString)
    }

    private func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
