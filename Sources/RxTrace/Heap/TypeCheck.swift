#if os(Linux)
/// Tells words that refer to types from all others, before anything is read through them.
final class TypeCheck {
    private let blocks: BlockTable
    private let images = Images()
    /// The bytes that an instance takes at least; -1 for what is no type of objects.
    private var instanceSizes: [UInt: Int] = [:]
    private var valueTypes: [UInt: Bool] = [:]

    init(_ blocks: BlockTable) { self.blocks = blocks }

    /// Whether so many bytes can be read.
    func isReadable(_ address: UInt, _ bytes: UInt) -> Bool {
        address > 4096 && address >> 47 == 0 && (images.contains(address) && images.contains(address + bytes - 1) || blocks.contains(address, bytes))
    }

    /// Whether the program or a library contains what an address refers to.
    func isInImage(_ address: UInt) -> Bool { images.contains(address) }

    /// The bytes that an object of the type at an address takes at least; `nil` if there is no type of objects.
    func instanceSize(_ address: UInt) -> Int? {
        if address & 7 != 0 || address < 4096 || address >> 47 != 0 { return nil }
        if let known = instanceSizes[address] { return known < 0 ? nil : known }
        let size = readInstanceSize(address)
        instanceSizes[address] = size ?? -1
        return size
    }

    private func readInstanceSize(_ address: UInt) -> Int? {
        guard isReadable(address, 48) else { return nil }
        switch word(address) {
        case 0:
            let size = Int(half(address + 24))
            return isDescriptor(word(address + 40), 16) && size >= 16 ? size : nil
        // Contexts, errors and tasks have types of the program's and the runtime's own; boxes of generic types are described when they are met.
        case 0x400: return images.contains(address) ? 16 : nil
        case 0x500: return isType(word(address + 16)) ? 24 : nil
        case 0x501, 0x502: return images.contains(address) ? 24 : nil
        default: return nil
        }
    }

    /// Whether the type of a value lies at an address.
    func isType(_ address: UInt) -> Bool {
        if address & 7 != 0 || address < 4096 || address >> 47 != 0 { return false }
        if let known = valueTypes[address] { return known }
        let isType = readIsType(address)
        valueTypes[address] = isType
        return isType
    }

    private func readIsType(_ address: UInt) -> Bool {
        guard isReadable(address - 8, 32), isReadable(word(address - 8), 88) else { return false }
        switch word(address) {
        case 0: return isReadable(address, 48) && isDescriptor(word(address + 40), 16)
        case 0x200: return isDescriptor(word(address + 8), 17)
        case 0x201, 0x202: return isDescriptor(word(address + 8), 18)
        case 0x203, 0x300...0x308: return true
        default: return false
        }
    }

    /// Whether the description of a class (16), struct (17) or enumeration (18) lies at an address.
    private func isDescriptor(_ address: UInt, _ kind: UInt32) -> Bool {
        address & 3 == 0 && images.contains(address) && images.contains(address + 47) && half(address) & 0x1f == kind
    }
}
#endif
