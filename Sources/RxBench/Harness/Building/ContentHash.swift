/// A short name for content: equal bytes give the same one, other bytes give another.
///
/// FNV-1a with 128 bits (Fowler, Noll, Vo; draft-eastlake-fnv-21, section 2). For caches; not against forgery.
struct ContentHash {
    private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt128(byte)) &* Self.prime }
    }

    /// A text, with its end: "ab" and "c" differ from "a" and "bc".
    mutating func add(_ text: String) {
        add(text.utf8)
        add(CollectionOfOne(0))
    }

    /// 16 hexadecimal digits.
    var text: String {
        let digits = String(UInt64(truncatingIfNeeded: state ^ (state >> 64)), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
