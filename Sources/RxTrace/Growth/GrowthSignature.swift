/// The name of a cause: the same across runs and builds, because it is made of names alone.
enum GrowthSignature {
    /// The names that tell a cause from others.
    ///
    /// What is counted, and the way on which it is held, without positions. Where that names no closure, many things
    /// may be held so: then the function that made it too, and not all that led there, as a test's runner is no part of
    /// the cause. Optimised, an initialiser may leave no trace in the functions that called it; a closure that is held
    /// keeps its name.
    static func parts(_ subject: String, _ stack: CallStack?, _ retention: Retention?) -> [String] {
        let way = retention?.stableNames ?? []
        if way.contains(where: { $0.hasPrefix("closure in ") }) { return [subject] + way }
        let maker = (stack?.framesOfYours.first ?? stack?.frames.first)?.function
        return [subject, maker.map(enclosingFunction) ?? ""] + way
    }

    /// The function that a closure stands in, or that a specialised one was made of: what was inlined there is the same
    /// code.
    private static func enclosingFunction(_ function: String) -> String {
        function.replacing(#/^(specialized |closure #\d+ in )+/#, with: "")
    }

    /// Twelve hexadecimal digits of the parts' names.
    ///
    /// 48 bits of FNV-1a with 64 bits. G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash
    /// Algorithm", IETF draft-eastlake-fnv, section 2; folded to 48 bits as its section 3 has it.
    static func text(of parts: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for part in parts {
            part.utf8.forEach(add)
            // No UTF-8 text holds this byte: "ab", "c" and "a", "bc" differ.
            add(0xFF)
        }
        let folded = (hash >> 48) ^ (hash & 0xFFFF_FFFF_FFFF)
        let digits = String(folded, radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits
    }
}
