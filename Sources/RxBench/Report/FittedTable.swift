extension TextTable {
    /// The table for a terminal of `width` columns, its rows in groups by family where `isGrouped`.
    ///
    /// The first column holds IDs. A family is what stands before an ID's last name: `operator/chain` of
    /// `operator/chain/mixed`. What is too wide loses the columns called in `spare`, the first ones first, then the
    /// ends of sentences in a last column, then the middle of IDs.
    package func text(fitting width: Int, dropping spare: [String] = [], isGrouped: Bool = true) -> String {
        var table = isGrouped ? grouped : self
        for title in spare where table.width > width { table = table.without(title) }
        let last = table.columns.count - 1
        if last > 0, table.columns[last].alignment == .left { table = table.shortening(last, to: width, least: 24) }
        return table.shortening(0, to: width, least: 12).text
    }

    /// How wide the widest line is.
    private var width: Int { text.split(separator: "\n").map(\.count).max() ?? 0 }

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

    /// The family of an ID, and its own name. Slashes of its parameters are no part of either.
    package static func family(of id: String) -> (family: String, name: String) {
        let path = id.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return ("", id) }
        return (String(id[..<slash]), String(id[id.index(after: slash)...]))
    }

    private func without(_ title: String) -> TextTable {
        guard let column = columns.firstIndex(where: { $0.title == title }) else { return self }
        func kept<Cell>(_ cells: [Cell]) -> [Cell] {
            cells.enumerated().filter { $0.offset != column }.map(\.element)
        }
        return mapped(columns: kept(columns)) { kept($0) }
    }

    /// With the cells of a column cut so that the table is no wider than `most`, though never below `least`: words at
    /// their end, IDs in the middle.
    private func shortening(_ column: Int, to most: Int, least: Int) -> TextTable {
        let own = (rows.map { $0[column].printable.count } + [columns[column].title.count]).max() ?? 0
        let limit = max(least, own - max(0, width - most))
        guard limit < own else { return self }
        return mapped(columns: columns) { cells in
            var cells = cells
            let text = cells[column]
            guard text.count > limit else { return cells }
            let tail = column == 0 ? (limit - 1) / 2 : 0
            cells[column] = "\(text.prefix(limit - 1 - tail))…\(text.suffix(tail))"
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
