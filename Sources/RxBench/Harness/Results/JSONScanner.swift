import Foundation

/// Walks over JSON and reads only what it is asked for.
///
/// A JSON decoder builds every number of every sample, which takes seconds for a few hundred results. The array is read
/// through its checked subscript, so that no input, however broken, leads out of it.
struct JSONScanner {
    /// The text is no JSON, or not of the shape that was expected.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    /// Where the next value or mark begins.
    var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `member` for each member of an object, with its key; it must read or skip the value.
    mutating func object(_ member: (inout JSONScanner, Key) throws -> Void) throws {
        try expect("{")
        if skipMark("}") { return }
        repeat {
            let key = try stringRange()
            try expect(":")
            try member(&self, Key(bytes: bytes[key]))
        } while skipMark(",")
        try expect("}")
    }

    /// What `element` makes of each element of an array; it must read or skip the value.
    mutating func array<Element>(_ element: (inout JSONScanner) throws -> Element) throws -> [Element] {
        try expect("[")
        if skipMark("]") { return [] }
        var elements: [Element] = []
        repeat { elements.append(try element(&self)) } while skipMark(",")
        try expect("]")
        return elements
    }

    /// The name of a member.
    struct Key {
        fileprivate let bytes: ArraySlice<UInt8>

        /// Whether the member is called `name`, which must be ASCII.
        static func ~= (name: StaticString, key: Key) -> Bool {
            guard key.bytes.count == name.utf8CodeUnitCount else { return false }
            // The literal's bytes live as long as the program, and the offset is below their count.
            let start = key.bytes.startIndex
            for offset in 0..<key.bytes.count where key.bytes[start + offset] != name.utf8Start[offset] {
                return false
            }
            return true
        }
    }

    mutating func string() throws -> String {
        let range = try stringRange()
        guard bytes[range].contains(UInt8(ascii: "\\")) else {
            guard let text = String(validating: bytes[range], as: UTF8.self) else { throw Malformed() }
            return text
        }
        return try JSONDecoder().decode(String.self, from: Data(bytes[range.lowerBound - 1...range.upperBound]))
    }

    mutating func bool() throws -> Bool {
        if skipWord("true") { return true }
        guard skipWord("false") else { throw Malformed() }
        return false
    }

    /// Whether the next value is null, which is then skipped.
    mutating func null() -> Bool { skipWord("null") }

    /// The next value as a decoder reads it: for what is small and stands in a file once.
    mutating func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
        let start = index
        try skip()
        return try JSONDecoder().decode(Value.self, from: Data(bytes[start..<index]))
    }

    mutating func number() throws -> Double {
        skipSpace()
        let start = index
        while index < bytes.count, Self.isNumeric(bytes[index]) { index += 1 }
        guard let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)), number.isFinite else {
            throw Malformed()
        }
        return number
    }

    mutating func integer() throws -> Int {
        guard let value = Int(exactly: try number()) else { throw Malformed() }
        return value
    }

    /// Skips a value of any kind. Brackets inside are counted, not matched.
    mutating func skip() throws {
        skipSpace()
        guard index < bytes.count else { throw Malformed() }
        switch bytes[index] {
        case UInt8(ascii: "\""): _ = try stringRange()
        case UInt8(ascii: "{"), UInt8(ascii: "["): try skipContainer()
        default:
            let start = index
            while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
            guard index > start else { throw Malformed() }
        }
    }

    /// Throws unless nothing but white space is left.
    mutating func end() throws {
        skipSpace()
        guard index == bytes.count else { throw Malformed() }
    }

    private mutating func skipContainer() throws {
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            // Digits, commas and points are most of what is skipped; quotes lie below them, brackets above.
            if byte >= UInt8(ascii: "[") {
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                    depth -= 1
                    if depth == 0 {
                        index += 1
                        return
                    }
                }
            } else if byte == UInt8(ascii: "\"") {
                _ = try stringRange()
                continue
            }
            index += 1
        }
        throw Malformed()
    }

    /// Where the text of the next string lies, between its quotes.
    private mutating func stringRange() throws -> Range<Int> {
        try expect("\"")
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                return start..<index - 1
            }
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        throw Malformed()
    }

    private mutating func expect(_ mark: Unicode.Scalar) throws {
        guard skipMark(mark) else { throw Malformed() }
    }

    private mutating func skipMark(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: mark) else { return false }
        index += 1
        return true
    }

    private mutating func skipWord(_ word: StaticString) -> Bool {
        skipSpace()
        let count = word.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += count
        return true
    }

    private mutating func skipSpace() {
        while index < bytes.count,
            bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09
        { index += 1 }
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte == 0x65 || byte == 0x45
    }

    private static func isWord(_ byte: UInt8) -> Bool { isNumeric(byte) || (0x61...0x7A).contains(byte) }
}
