/// JSON as other tools write it: each value with its line, and with the bare `NaN` and `Infinity` that Google Benchmark
/// writes.
struct ImportedJSON {
    enum Value {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([ImportedJSON])
        case object([(name: String, value: ImportedJSON)])
    }

    let line: Int
    let value: Value

    /// The whole document.
    init(_ text: ImportedText) throws(ImportProblem) {
        var parser = Parser(bytes: text.bytes)
        self = try parser.value(depth: 0)
        try parser.end()
    }

    fileprivate init(line: Int, value: Value) {
        self.line = line
        self.value = value
    }

    /// The member called `name`, or `nil`; null counts as none.
    subscript(_ name: String) -> ImportedJSON? {
        guard case .object(let members) = value, let member = members.first(where: { $0.name == name })?.value else {
            return nil
        }
        if case .null = member.value { return nil }
        return member
    }

    var members: [(name: String, value: ImportedJSON)]? {
        if case .object(let members) = value { members } else { nil }
    }
    var list: [ImportedJSON]? { if case .list(let list) = value { list } else { nil } }
    var text: String? { if case .text(let text) = value { text } else { nil } }
    var flag: Bool? { if case .flag(let flag) = value { flag } else { nil } }

    /// A number, or a text that is one: JMH writes a missing one as `"NaN"`.
    var number: Double? {
        switch value {
        case .number(let number): number
        case .text(let text): Double(text)
        default: nil
        }
    }
}

/// Recursive in the depth of a document alone, which is limited.
private struct Parser {
    let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(bytes: [UInt8]) { self.bytes = bytes }

    private static let deepest = 64

    mutating func value(depth: Int) throws(ImportProblem) -> ImportedJSON {
        guard depth < Self.deepest else { throw problem("is nested too deeply") }
        skipSpace()
        let start = line
        guard index < bytes.count else { throw problem("ends before the JSON does") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return ImportedJSON(line: start, value: .object(try members(depth: depth)))
        case UInt8(ascii: "["): return ImportedJSON(line: start, value: .list(try elements(depth: depth)))
        case UInt8(ascii: "\""): return ImportedJSON(line: start, value: .text(try string()))
        default: return ImportedJSON(line: start, value: try word())
        }
    }

    mutating func end() throws(ImportProblem) {
        skipSpace()
        guard index == bytes.count else { throw problem("goes on behind the end of the JSON") }
    }

    private mutating func members(depth: Int) throws(ImportProblem) -> [(name: String, value: ImportedJSON)] {
        var members: [(name: String, value: ImportedJSON)] = []
        index += 1
        if skip("}") { return members }
        repeat {
            skipSpace()
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw problem("has no name where a member of an object begins")
            }
            let name = try string()
            guard skip(":") else { throw problem("has no ':' behind \(ImportProblem.quoted(name))") }
            members.append((name, try value(depth: depth + 1)))
        } while skip(",")
        guard skip("}") else { throw problem("does not end an object that was begun") }
        return members
    }

    private mutating func elements(depth: Int) throws(ImportProblem) -> [ImportedJSON] {
        var elements: [ImportedJSON] = []
        index += 1
        if skip("]") { return elements }
        repeat { elements.append(try value(depth: depth + 1)) } while skip(",")
        guard skip("]") else { throw problem("does not end a list that was begun") }
        return elements
    }

    private mutating func word() throws(ImportProblem) -> ImportedJSON.Value {
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .flag(true)
        case "false": return .flag(false)
        default:
            guard let number = Double(word) else {
                throw problem("has \(ImportProblem.quoted(word)) where a value of JSON belongs")
            }
            return .number(number)
        }
    }

    private mutating func string() throws(ImportProblem) -> String {
        index += 1
        var text: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A { line += 1 }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            text += try escape()
        }
        guard index < bytes.count else { throw problem("does not end a text that was begun") }
        index += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// The character that an escape stands for. Half of a surrogate pair becomes U+FFFD.
    private mutating func escape() throws(ImportProblem) -> [UInt8] {
        guard index < bytes.count else { throw problem("ends within a text") }
        let mark = bytes[index]
        index += 1
        switch mark {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [mark]
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
                index += 2
                units.append(try unit())
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default: throw problem("has an escape in a text that JSON does not know")
        }
    }

    private mutating func unit() throws(ImportProblem) -> UInt16 {
        guard index + 4 <= bytes.count,
            let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else {
            throw problem("has an escape in a text that JSON does not know")
        }
        index += 4
        return unit
    }

    private mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20 {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
    }

    private func problem(_ clause: String) -> ImportProblem { ImportProblem("line \(line) \(clause)") }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2B
            || byte == 0x2D || byte == 0x2E
    }
}
