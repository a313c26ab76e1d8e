/// A table that can be printed as aligned text or as Markdown.
package struct TextTable: Sendable, Equatable {
    /// The alignment of a column.
    package enum Alignment: Sendable {
        /// Left-aligned words.
        case left
        /// Right-aligned numbers.
        case right
        /// Left-aligned drawings made of characters of equal width.
        case picture
    }

    /// The title and alignment of each column.
    package let columns: [(title: String, alignment: Alignment)]
    /// The cells, row by row. Each row has as many cells as there are columns.
    package private(set) var rows: [[String]] = []

    /// Creates a table without rows.
    package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    /// Adds a row.
    package mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "A row has \(cells.count) cells for \(columns.count) columns.")
        rows.append(cells)
    }

    /// The table as aligned text with two spaces between columns. No line ends in a space. Control characters in cells
    /// are replaced as in ``Swift/String/printable``.
    package var text: String {
        let rows = ([columns.map(\.title)] + rows).map { $0.map(\.printable) }
        let widths = columns.indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
        return rows.map { cells in
            let line = cells.indices.map { index in
                let padding = String(repeating: " ", count: widths[index] - cells[index].count)
                return columns[index].alignment == .right ? padding + cells[index] : cells[index] + padding
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// The table in GitHub's Markdown. The text of cells is escaped, so that GitHub interprets nothing in it.
    package var markdown: String {
        func line(_ cells: [String]) -> String {
            "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
        }
        let rule = columns.map { $0.alignment == .right ? "---:" : ":---" }
        let cells = rows.map { row in
            zip(columns, row).map { $0.alignment == .picture ? Self.drawn($1) : MarkdownReport.escape($1) }
        }
        return ([line(columns.map(\.title)), line(rule)] + cells.map(line)).joined(separator: "\n")
    }

    /// Returns a picture as a code span, whose characters have equal width. Spaces become no-break spaces, because
    /// several ordinary spaces would be collapsed into one.
    private static func drawn(_ picture: String) -> String {
        picture.isEmpty ? "" : "`\(picture.replacing(" ", with: "\u{A0}").replacing("`", with: "'"))`"
    }

    /// Returns whether two tables have equal titles, alignments and rows.
    package static func == (left: Self, right: Self) -> Bool {
        left.rows == right.rows && left.columns.map(\.title) == right.columns.map(\.title)
            && left.columns.map(\.alignment) == right.columns.map(\.alignment)
    }
}

extension String {
    /// The text in a form that is safe to print on a terminal. Characters that would move the cursor, change the colour
    /// of later text, change the writing direction or break a line are replaced by visible characters. Names in a file
    /// from an unknown source may contain such characters.
    package var printable: String { replacingControls { _ in false } }

    /// The text like ``printable``, but with line feeds and tabs unchanged.
    package var printableLines: String { replacingControls { $0 == "\n" || $0 == "\t" } }

    private func replacingControls(except isKept: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { Self.sign(for: $0) != nil && !isKept($0) }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(isKept(scalar) ? scalar : Self.sign(for: scalar) ?? scalar)
        }
        return text
    }

    /// Returns whether `scalar` is a control character that affects the display.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool { sign(for: scalar) != nil }

    /// Returns the visible replacement of a control character: its Unicode control picture, if there is one.
    private static func sign(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "␡"
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: nil
        }
    }
}

extension TextTable {
    /// Returns the table as text for a terminal of `width` columns. If `isGrouped` is true, the rows are grouped by
    /// family.
    ///
    /// The first column contains IDs. The family of an ID is the part before its last name: `operator/chain` for
    /// `operator/chain/mixed`. If the table is too wide, the columns named in `spare` are removed, beginning with the
    /// first. If that is not enough, sentences in the last column are cut at their end, and then IDs are cut in their
    /// middle.
    package func text(fitting width: Int, dropping spare: [String] = [], isGrouped: Bool = true) -> String {
        var table = isGrouped ? grouped : self
        for title in spare where table.width > width { table = table.without(title) }
        let last = table.columns.count - 1
        if last > 0, table.columns[last].alignment == .left { table = table.shortening(last, to: width, least: 24) }
        return table.shortening(0, to: width, least: 12).text
    }

    /// The length of the longest line.
    package var width: Int { text.split(separator: "\n").map(\.count).max() ?? 0 }

    private var grouped: TextTable {
        var table = TextTable(columns)
        var family = ""
        for row in rows {
            let (group, name) = Self.family(of: row[0])
            if group != family { table.add([group] + Array(repeating: "", count: row.count - 1)) }
            family = group
            table.add([group.isEmpty ? name : "  \(name)"] + row.dropFirst())
        }
        return table
    }

    /// Returns the family and the name of an ID. Slashes in the ID's parameters belong to neither.
    package static func family(of id: String) -> (family: String, name: String) {
        let path = id.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return ("", id) }
        return (String(id[..<slash]), String(id[id.index(after: slash)...]))
    }

    /// Returns `text` wrapped between words to lines of at most `width` characters. Continuation lines begin with
    /// `indentation`.
    package static func wrapped(_ text: String, to width: Int, indenting indentation: String = "") -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var lines: [String] = []
            var current = ""
            var isAtStart = true
            for word in line.split(separator: " ", omittingEmptySubsequences: false) {
                if current.contains(where: { $0 != " " }), current.count + 1 + word.count > width {
                    lines.append(current)
                    current = indentation
                    isAtStart = true
                }
                // An empty word represents an additional space. Additional spaces are kept only within a line.
                if isAtStart, word.isEmpty, !lines.isEmpty { continue }
                current += (isAtStart ? "" : " ") + word
                isAtStart = false
            }
            return (lines + [current]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private func without(_ title: String) -> TextTable {
        guard let column = columns.firstIndex(where: { $0.title == title }) else { return self }
        func kept<Cell>(_ cells: [Cell]) -> [Cell] {
            cells.enumerated().filter { $0.offset != column }.map(\.element)
        }
        return mapped(columns: kept(columns)) { kept($0) }
    }

    /// Returns the table with the cells of a column cut so that the table is no wider than `most`. The column does not
    /// become narrower than `least`. Words are cut at their end, and IDs in their middle.
    private func shortening(_ column: Int, to most: Int, least: Int) -> TextTable {
        let own = (rows.map { $0[column].printable.count } + [columns[column].title.count]).max() ?? 0
        let limit = max(least, own - max(0, width - most))
        guard limit < own else { return self }
        return mapped(columns: columns) { cells in
            var cells = cells
            let text = cells[column]
            guard text.count > limit else { return cells }
            let tail = column == 0 ? (limit - 1) / 2 : 0
            var start = text.prefix(limit - 1 - tail)
            // A sentence is not cut within a word.
            if column > 0, let space = start.lastIndex(of: " ") { start = start[..<space] }
            cells[column] = "\(start)…\(text.suffix(tail))"
            return cells
        }
    }

    private func mapped(
        columns: [(title: String, alignment: Alignment)], _ change: ([String]) -> [String]
    ) -> TextTable {
        var table = TextTable(columns)
        for row in rows { table.add(change(row)) }
        return table
    }
}
