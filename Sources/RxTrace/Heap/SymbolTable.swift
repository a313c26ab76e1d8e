#if os(Linux)
import CPlatform
import Glibc
import Rx

/// The functions and variables of the program and its libraries, by address and by name, read from their files.
///
/// Read when a path is put in words, not when a heap is; a file without symbols gives none.
enum SymbolTable {
    struct Symbol {
        var address: UInt
        var size: UInt
        /// Mangled.
        var name: String
        var isVariable: Bool
    }

    fileprivate struct Entry {
        var address: UInt
        var size: UInt
        var name: Int
        var isVariable: Bool
    }

    /// One file: it stays mapped, as its names are read where they stand.
    // @unchecked: immutable, as the file is.
    final class Image: @unchecked Sendable {
        fileprivate let entries: [Entry]
        private let file: UnsafeRawBufferPointer?

        fileprivate init(_ path: String, bias: UInt) {
            file = SymbolTable.map(path.isEmpty ? "/proc/self/exe" : path)
            entries = file.map { SymbolTable.entries($0, bias: bias) } ?? []
        }

        deinit {
            if let file { munmap(UnsafeMutableRawPointer(mutating: file.baseAddress), file.count) }
        }

        fileprivate func symbol(_ entry: Entry) -> Symbol {
            let name = (file?.baseAddress).unsafelyUnwrapped + entry.name
            return Symbol(
                address: entry.address, size: entry.size, name: String(cString: name.assumingMemoryBound(to: CChar.self)),
                isVariable: entry.isVariable)
        }

        fileprivate func isNamed(_ entry: Entry, _ name: String) -> Bool {
            let start = (file?.baseAddress).unsafelyUnwrapped + entry.name
            return strcmp(start.assumingMemoryBound(to: CChar.self), name) == 0
        }
    }

    /// The files that were read, by where their images lie.
    private static let images = Guarded<[UInt: Image]>([:])

    /// The symbol that an address lies in. The first one of an image reads its file.
    static func symbol(at address: UInt) -> Symbol? {
        guard let image = image(at: address) else { return nil }
        var low = 0, high = image.entries.count
        while low < high {
            let middle = (low + high) / 2
            if image.entries[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = image.entries[low - 1]
        return address < entry.address + max(1, entry.size) ? image.symbol(entry) : nil
    }

    /// Where the symbol of a name lies, in the image of an address.
    static func address(of name: String, inImageOf address: UInt) -> UInt? {
        guard let image = image(at: address) else { return nil }
        return image.entries.first { image.isNamed($0, name) }?.address
    }

    static func demangled(_ name: String) -> String {
        guard let text = rx_demangle(name) else { return name }
        defer { free(text) }
        return String(cString: text)
    }

    private static func image(at address: UInt) -> Image? {
        guard let segment = segment(at: address) else { return nil }
        if let image = images.withLock({ $0[segment.bias] }) { return image }
        let image = Image(String(cString: segment.path), bias: segment.bias)
        images.withLock { $0[segment.bias] = image }
        return image
    }

    /// The segments when they were asked for last; libraries may have been loaded since.
    private static func segment(at address: UInt) -> rx_segment? {
        if let segment = loaded.withLock({ $0?.images.segment(at: address) }) { return segment }
        let current = LoadedImages()
        loaded.withLock { $0 = current }
        return current.images.segment(at: address)
    }

    // @unchecked: immutable.
    final class LoadedImages: @unchecked Sendable {
        fileprivate let images = Images()
    }

    private static let loaded = Guarded<LoadedImages?>(nil)

    fileprivate static func map(_ path: String) -> UnsafeRawBufferPointer? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size > 64 else { return nil }
        let size = Int(status.st_size)
        guard let mapped = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), mapped != MAP_FAILED else { return nil }
        return UnsafeRawBufferPointer(start: mapped, count: size)
    }

    /// The defined symbols of an ELF file in the order of their addresses.
    fileprivate static func entries(_ bytes: UnsafeRawBufferPointer, bias: UInt) -> [Entry] {
        guard bytes.count > 64, bytes.load(as: UInt32.self) == 0x464c_457f else { return [] }
        let header = bytes.loadUnaligned(as: Elf64_Ehdr.self)
        let sections = (0..<Int(header.e_shnum)).compactMap { index -> Elf64_Shdr? in
            let offset = Int(header.e_shoff) + index * Int(header.e_shentsize)
            return offset + 64 <= bytes.count ? bytes.loadUnaligned(fromByteOffset: offset, as: Elf64_Shdr.self) : nil
        }
        guard let table = sections.first(where: { $0.sh_type == 2 }) ?? sections.first(where: { $0.sh_type == 11 }),
              Int(table.sh_link) < sections.count, Int(table.sh_offset + table.sh_size) <= bytes.count else { return [] }
        let names = sections[Int(table.sh_link)]
        guard Int(names.sh_offset + names.sh_size) <= bytes.count else { return [] }
        var found: [Entry] = []
        found.reserveCapacity(Int(table.sh_size) / 24)
        for offset in stride(from: Int(table.sh_offset), to: Int(table.sh_offset + table.sh_size), by: 24) {
            let entry = bytes.loadUnaligned(fromByteOffset: offset, as: Elf64_Sym.self)
            let type = entry.st_info & 0xf
            guard entry.st_value != 0, type == 1 || type == 2, UInt64(entry.st_name) < names.sh_size else { continue }
            found.append(Entry(
                address: UInt(entry.st_value) + bias, size: UInt(entry.st_size), name: Int(names.sh_offset) + Int(entry.st_name),
                isVariable: type == 1))
        }
        return found.sorted { $0.address < $1.address }
    }
}
#endif
