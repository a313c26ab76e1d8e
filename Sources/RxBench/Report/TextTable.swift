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
