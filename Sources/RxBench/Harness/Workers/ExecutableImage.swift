/// What has to be changed in an executable before valgrind can run it.
enum ExecutableImage {
    /// `bytes` with the sections of debug information renamed, so that valgrind does not read them; the code and the
    /// names of functions stay.
    ///
    /// Valgrind 3.19 gives up on the debug information that Swift 6 writes (DWARF 5): "I can't recover. Giving up."
    /// Bytes that are not a 64-bit little-endian ELF file are returned as they are. Layout: System V ABI, "ELF-64
    /// Object File Format", chapters 3 and 4.
    static func hidingDebugInformation(in bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]),
            let table = number(8, at: 0x28, in: bytes), let size = number(2, at: 0x3A, in: bytes),
            let names = number(2, at: 0x3E, in: bytes)
        else { return bytes }
        let (header, overflows) = table.addingReportingOverflow(size * names)
        guard !overflows, header <= bytes.count, let start = number(8, at: header + 0x18, in: bytes),
            let length = number(8, at: header + 0x20, in: bytes), start <= bytes.count, length <= bytes.count - start
        else { return bytes }
        var result = bytes
        for (name, replacement) in [(".debug_", ".hidden"), (".zdebug", ".hidden"), (".gnu_debug", ".gnu_hidde")] {
            replace(Array(name.utf8), by: Array(replacement.utf8), in: &result, range: start..<start + length)
        }
        return result
    }

    private static func replace(_ name: [UInt8], by replacement: [UInt8], in bytes: inout [UInt8], range: Range<Int>) {
        var index = range.lowerBound
        while index + name.count <= range.upperBound {
            if bytes[index..<index + name.count].elementsEqual(name) {
                bytes.replaceSubrange(index..<index + name.count, with: replacement)
                index += name.count
            } else {
                index += 1
            }
        }
    }

    /// The little-endian number of `count` bytes at `offset`; `nil` when it lies outside or does not fit.
    private static func number(_ count: Int, at offset: Int, in bytes: [UInt8]) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + count].reversed() { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }
}
