#if os(Linux)
/// The second word of every Swift object: how often it is held, and whether it is on its way out.
///
/// Laid out as in RefCount.h of the Swift repository: 31 bits of unowned references from bit 1 on, bit 32 while it deinitialises, 30 bits of
/// strong references less one from bit 33 on, bit 63 if the counts are kept elsewhere.
struct ReferenceCount {
    /// The counted references; -1 for an object that lives for ever.
    let strong: Int

    /// `nil` for an object that is gone or going.
    init?(ofObjectAt address: UInt, in blocks: BlockTable) {
        var bits = word(address + 8)
        if bits & 0xffff_ffff == 0xffff_ffff {
            strong = -1
            return
        }
        if bits >> 63 == 1 {
            // The address of the side table, less its three lowest bits, which are 0.
            let table = bits << 3 & 0x00ff_ffff_ffff_fff8
            guard blocks.contains(table, 32), word(table) == address else { return nil }
            bits = word(table + 16)
        }
        if bits == 0 || bits >> 32 & 1 == 1 { return nil }
        strong = Int(bits >> 33 & 0x3fff_ffff) + 1
    }
}
#endif
