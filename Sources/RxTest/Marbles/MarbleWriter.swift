/// Writes a diagram so that reading it gives the same marks at the same times.
enum MarbleWriter {
    /// Above so many ticks, a wait is written as a number.
    private static let longestDashes = 60

    /// - Parameter marks: at so many units from the beginning, in the order in which they happened.
    static func text(of marks: [(offset: Int, mark: Mark)], tick: Int) -> String {
        var text = ""
        var cursor = 0
        var rest = marks[...]
        while let first = rest.first {
            let group = rest.prefix { $0.offset == first.offset }
            rest = rest.dropFirst(group.count)
            text += wait(first.offset - cursor, tick: tick) + cell(group.map(\.mark))
            cursor = first.offset + tick
        }
        return text
    }

    /// So many units in which nothing happens.
    static func wait(_ units: Int, tick: Int) -> String {
        guard units != 0 else { return "" }
        let isDashes = units > 0 && units.isMultiple(of: tick) && units / tick <= longestDashes
        return isDashes ? String(repeating: "-", count: units / tick) : "<\(units)>"
    }

    /// The events of one time.
    static func cell(_ marks: [Mark]) -> String {
        let text = marks.map(self.text).joined()
        return marks.count == 1 ? text : "(\(text))"
    }

    private static func text(of mark: Mark) -> String {
        switch mark {
        case .next(let name): self.text(ofName: name)
        case .completed: "|"
        case .error: "#"
        case .subscribe: "^"
        case .unsubscribe: "!"
        }
    }

    private static func text(ofName name: String) -> String {
        if let scalar = name.unicodeScalars.first, name.unicodeScalars.count == 1, standsAlone(scalar) { return name }
        var text = "{"
        for scalar in name.unicodeScalars {
            if scalar == "}" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text + "}"
    }

    /// Whether a character is a name without braces: nothing else is meant by it, and it melts into no neighbour.
    /// Letters beyond Latin, Greek and Cyrillic are read without braces, and are written with them, as some scripts
    /// join theirs.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.value > 0x20 && scalar.value < 0x7f && !MarbleReader.reserved.contains(scalar)
        }
        return scalar.properties.isAlphabetic && !scalar.properties.isGraphemeExtend && scalar.value < 0x530
            && !(0x300..<0x370 ~= scalar.value)
    }
}
