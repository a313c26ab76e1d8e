/// A page whose tables say which name of ours does what one of another library does.
struct CounterpartPage {
    struct Row {
        let section: String
        /// The code of the two columns, a text a code span.
        let theirs, ours: [String]
    }

    let rows: [Row]

    init(_ text: String) {
        var section = ""
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(Self.code)
            guard line.hasPrefix("| "), cells.count == 4, !(cells[1] + cells[2]).isEmpty else { continue }
            rows.append(Row(section: section, theirs: cells[1], ours: cells[2]))
        }
        self.rows = rows
    }

    private static func code(in cell: Substring) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }

    /// The names of `theirs`, by table, that no row of that table has on its left.
    func missing(_ theirs: [String: [String]]) -> [String] {
        theirs.sorted { $0.key < $1.key }.flatMap { section, names in
            let found = Set(rows.filter { $0.section == section }.flatMap(\.theirs).flatMap(Self.words))
            return names.filter { !found.contains($0) }.map { "\(section): \($0)" }
        }
    }

    /// The code on the left that no name of `theirs` stands in.
    func unknown(_ theirs: [String: [String]]) -> [String] {
        rows.flatMap { row in
            row.theirs.filter { Set(Self.words($0)).isDisjoint(with: theirs[row.section] ?? []) }
        }
    }

    /// The calls and types on the right that `names` lack, and labels that no function of that name in `labels` has.
    func undeclared(_ names: Set<String>, labels: [String: Set<String>]) -> [String] {
        rows.flatMap(\.ours).flatMap { code in
            Self.mentions(in: code).flatMap { name, given in
                names.contains(name)
                    ? given.filter { !labels[name, default: []].contains($0) }.map { "\(name)(\($0):)" } : [name]
            }
        }
    }

    private static func words(_ code: String) -> [String] { code.matches(of: /[A-Za-z]+/).map { String($0.0) } }

    /// The types that a code names and the functions that it calls, with the labels of the call's own arguments: a
    /// span of one word is a name, as is a word with a capital, before a parenthesis, or before a closure.
    private static func mentions(in code: String) -> [(name: String, labels: [String])] {
        let isName = code.wholeMatch(of: /[\w.]+/) != nil
        return code.matches(of: /[A-Za-z_]\w*/).compactMap { match in
            let rest = code[match.range.upperBound...]
            let before = code[..<match.range.lowerBound]
            // A label, a keyword, an argument's own member, what is no more than an example's value.
            guard rest.first != ":", !before.hasSuffix("\\."), !before.hasSuffix("$"), match.0 != "rx" else {
                return nil
            }
            let isCall = rest.hasPrefix("(") || rest.hasPrefix(" {")
            guard isName || isCall || match.0.first?.isUppercase == true else { return nil }
            return (String(match.0), rest.hasPrefix("(") ? labels(in: rest.dropFirst()) : [])
        }
    }

    /// The labels of a list of arguments, of which `text` is what follows its parenthesis.
    private static func labels(in text: Substring) -> [String] {
        var depth = 1
        var list = ""
        for character in text {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth == 0 { break }
            if depth == 1 { list.append(character) }
        }
        return list.matches(of: /([A-Za-z]\w*):/).map { String($0.1) }
    }
}
