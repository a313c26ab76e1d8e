/// Rows of cells, as aligned text or as Markdown.
package struct TextTable: Sendable, Equatable {
    /// On which side of its column a cell stands.
    package enum Alignment: Sendable {
        /// Words.
        case left
        /// Numbers.
        case right
        /// Drawings of characters that are equally wide, on the left.
        case picture
    }

    /// The title and alignment of each column.
    package let columns: [(title: String, alignment: Alignment)]
    /// The cells, row by row, as many in each row as there are columns.
    package private(set) var rows: [[String]] = []

    /// A table without rows.
    package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    /// Adds a row.
    package mutating func add(_ cells: [String]) {
        precondition(cells.count == columns.count, "A row has \(cells.count) cells for \(columns.count) columns.")
        rows.append(cells)
    }

    /// Aligned text with two spaces between columns; no line ends in a space. Cells are ``Swift/String/printable``.
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

    /// The same table in GitHub's Markdown, which acts on nothing that stands in a cell.
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

    /// A picture in a code span, whose characters are equally wide; spaces that do not break, as others are drawn as
    /// one.
    private static func drawn(_ picture: String) -> String {
        picture.isEmpty ? "" : "`\(picture.replacing(" ", with: "\u{A0}").replacing("`", with: "'"))`"
    }

    /// Equal titles, alignments and rows.
    package static func == (left: Self, right: Self) -> Bool {
        left.rows == right.rows && left.columns.map(\.title) == right.columns.map(\.title)
            && left.columns.map(\.alignment) == right.columns.map(\.alignment)
    }
}

extension String {
    /// The text as a terminal may show it: characters that would move the cursor, colour what follows, turn the
    /// direction of writing or break a line are replaced by signs. Names in a file from elsewhere may hold any.
    package var printable: String { replacingControls { _ in false } }

    /// As ``printable``, with line feeds and tabs as they are.
    package var printableLines: String { replacingControls { $0 == "\n" || $0 == "\t" } }

    private func replacingControls(except isKept: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { Self.sign(for: $0) != nil && !isKept($0) }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(isKept(scalar) ? scalar : Self.sign(for: scalar) ?? scalar)
        }
        return text
    }

    /// Whether `scalar` acts on what displays it.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool { sign(for: scalar) != nil }

    /// The stand-in for a control character: its picture, where Unicode has one.
    private static func sign(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "␡"
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: nil
        }
    }
}
