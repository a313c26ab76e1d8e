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

        fileprivate init?(_ symbol: rx_symbol) {
            guard let name = symbol.name else { return nil }
            address = symbol.address
            size = UInt(symbol.size)
            self.name = String(cString: name)
            isVariable = symbol.is_variable
        }
    }

    /// One file.
    // @unchecked: its symbols are read once, and live for ever.
    private struct Image: @unchecked Sendable {
        let symbols: OpaquePointer?

        init(_ segment: rx_segment) {
            let path = segment.path.pointee == 0 ? "/proc/self/exe" : String(cString: segment.path)
            symbols = rx_symbols_read(path, segment.bias)
        }
    }

    /// The files that were read, by where their images lie.
    private static let images = Guarded<[UInt: Image]>([:])

    /// The symbol that an address lies in. The first one of an image reads its file.
    static func symbol(at address: UInt) -> Symbol? {
        symbols(at: address).flatMap { Symbol(rx_symbol_at($0, address)) }
    }

    /// Where the symbol of a name lies, in the image of an address.
    static func address(of name: String, inImageOf address: UInt) -> UInt? {
        symbols(at: address).flatMap { Symbol(rx_symbol_named($0, name)) }?.address
    }

    static func demangled(_ name: String) -> String {
        guard let text = rx_demangle(name) else { return name }
        defer { free(text) }
        return String(cString: text)
    }

    private static func symbols(at address: UInt) -> OpaquePointer? {
        guard let segment = segment(at: address) else { return nil }
        return images.withLock { images in
            if let image = images[segment.bias] { return image }
            let image = Image(segment)
            images[segment.bias] = image
            return image
        }.symbols
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
}
#endif
