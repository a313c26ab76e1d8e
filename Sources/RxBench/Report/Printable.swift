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

    /// What stands in for a control character: its picture, where Unicode has one.
    private static func sign(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
        case 0x7F: "␡"
        case 0x80..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: nil
        }
    }
}
