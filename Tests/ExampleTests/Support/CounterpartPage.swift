/// A page with tables that map the names of another library to their counterparts in this package.
struct CounterpartPage {
    struct Row {
        let section: String
        /// The code in the two columns, with one string for each code span.
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

    /// Returns the names in `theirs`, by table, that are missing on the left side of that table.
    func missing(_ theirs: [String: [String]]) -> [String] {
        theirs.sorted { $0.key < $1.key }.flatMap { section, names in
            let found = Set(rows.filter { $0.section == section }.flatMap(\.theirs).flatMap(Self.words))
            return names.filter { !found.contains($0) }.map { "\(section): \($0)" }
        }
    }

    /// Returns the code on the left side that contains no name from `theirs`.
    func unknown(_ theirs: [String: [String]]) -> [String] {
        rows.flatMap { row in
            row.theirs.filter { Set(Self.words($0)).isDisjoint(with: theirs[row.section] ?? []) }
        }
    }

    /// Returns the calls and types on the right that `names` lacks, and the labels that `labels` lacks for them.
    func undeclared(_ names: Set<String>, labels: [String: Set<String>]) -> [String] {
        rows.flatMap(\.ours).flatMap { code in
            Self.mentions(in: code).flatMap { name, given in
                names.contains(name)
                    ? given.filter { !labels[name, default: []].contains($0) }.map { "\(name)(\($0):)" } : [name]
            }
        }
    }

    private static func words(_ code: String) -> [String] { code.matches(of: /[A-Za-z]+/).map { String($0.0) } }

    /// Returns the types that a code span names and the functions that it calls, with the labels of the call's
    /// arguments. A span of one word is a name. So is a capitalised word, and a word before a parenthesis or a closure.
    private static func mentions(in code: String) -> [(name: String, labels: [String])] {
        let isName = code.wholeMatch(of: /[\w.]+/) != nil
        return code.matches(of: /[A-Za-z_]\w*/).compactMap { match in
            let rest = code[match.range.upperBound...]
            let before = code[..<match.range.lowerBound]
            // Skips labels, members in key paths, closure arguments, and `rx`.
            guard rest.first != ":", !before.hasSuffix("\\."), !before.hasSuffix("$"), match.0 != "rx" else {
                return nil
            }
            let isCall = rest.hasPrefix("(") || rest.hasPrefix(" {")
            guard isName || isCall || match.0.first?.isUppercase == true else { return nil }
            return (String(match.0), rest.hasPrefix("(") ? labels(in: rest.dropFirst()) : [])
        }
    }

    /// Returns the labels of an argument list. `text` begins after the opening parenthesis.
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
