import Foundation

/// Scans JSON and reads only the requested values.
///
/// A JSON decoder creates every number of every sample, which takes seconds for a few hundred results. The bytes are
/// read through the array's checked subscript, so that even malformed input cannot cause an access outside the array.
struct JSONScanner {
    /// The text is not valid JSON, or it does not have the expected structure.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    /// The index of the next value or punctuation mark.
    var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Calls `member` with the key of each member of an object. `member` must read or skip the member's value.
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

    /// Calls `element` for each element of an array, and returns its results. `element` must read or skip the element.
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

        /// Returns whether the key is equal to `name`, which must be ASCII.
        static func ~= (name: StaticString, key: Key) -> Bool {
            guard key.bytes.count == name.utf8CodeUnitCount else { return false }
            // The bytes of the literal exist until the program ends, and the offset is less than their number.
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

    /// Returns whether the next value is null. If it is, skips it.
    mutating func null() -> Bool { skipWord("null") }

    /// Decodes the next value with a JSON decoder. Use this for small values that occur once in a file.
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

    /// Skips a value of any type. Brackets are counted but not checked for matching types.
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

    /// Throws an error if anything other than white space is left.
    mutating func end() throws {
        skipSpace()
        guard index == bytes.count else { throw Malformed() }
    }

    private mutating func skipContainer() throws {
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            // Most skipped bytes are digits, commas and points. The codes of brackets are greater than these codes, and
            // the codes of quotes are less, so this comparison is made first.
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

    /// Returns the range of the text of the next string, without its quotes.
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
