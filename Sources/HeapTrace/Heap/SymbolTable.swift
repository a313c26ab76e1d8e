import CRx

#if os(Linux)
    import CRxTrace
    import Glibc

    /// The functions and variables of the program and its libraries, by address and by name. They are read from the
    /// same files as the symbols of stacks.
    ///
    /// The table is read when a path is described, not when the heap is read. A file without symbols provides none.
    enum SymbolTable {
        struct Symbol {
            var address: UInt
            var size: UInt
            /// The mangled name.
            var name: String
            var isVariable: Bool

            fileprivate init?(_ symbol: rxtrace_symbol) {
                guard let name = symbol.name else { return nil }
                address = symbol.address
                size = UInt(symbol.size)
                self.name = String(cString: name)
                isVariable = symbol.is_variable
            }
        }

        /// The symbol that contains an address. The first lookup in an image reads the image's file.
        static func symbol(at address: UInt) -> Symbol? {
            rxtrace_symbols_at(address).flatMap { Symbol(rxtrace_symbol_at($0, address)) }
        }

        /// The address of the symbol with a name, in the image that contains another address.
        static func address(of name: String, inImageOf address: UInt) -> UInt? {
            rxtrace_symbols_at(address).flatMap { Symbol(rxtrace_symbol_named($0, name)) }?.address
        }
    }

    /// A global or static variable, by its symbol.
    struct GlobalName {
        /// `Cache.shared`, without the module.
        let name: String
        /// Whether it is a Swift variable that holds its value strongly.
        let isStrong: Bool

        /// Whether a symbol is a stored variable of Swift code. This check is cheaper than creating a `GlobalName`.
        static func isSwiftVariable(_ symbol: SymbolTable.Symbol) -> Bool {
            symbol.isVariable && symbol.name.hasPrefix("$s")
                && (symbol.name.hasSuffix("vpZ") || symbol.name.hasSuffix("vp"))
        }

        init?(_ symbol: SymbolTable.Symbol) {
            guard symbol.isVariable else { return nil }
            let text = FunctionName.demangled(symbol.name)
            let parts = text.split(separator: " : ", maxSplits: 1).map(String.init)
            let isSwift = Self.isSwiftVariable(symbol) && parts.count == 2
            name = isSwift ? FunctionName.shortened(parts[0]) : text
            isStrong = isSwift && !parts[1].hasPrefix("weak ") && !parts[1].hasPrefix("unowned")
        }
    }
#endif

/// A growing array in memory outside the heap. Data that is stored here while the heap is read does not change the
/// heap.
struct MappedArray<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    // Unsafe: mapped here, never passed on, unmapped in `deinit`. Raw, because a build without optimisation calls the
    // runtime for the type of a typed pointer at each access, which took a third of the time of reading a heap.
    private var base: UnsafeMutableRawPointer?

    init() {}

    /// Creates an array of zeroes, for a type that has a value whose bytes are all zero. Memory becomes resident when
    /// it is written.
    init(zeroes count: Int) {
        reserve(count)
        self.count = count
    }

    deinit {
        if let base { rx_release(base, capacity * MemoryLayout<Element>.stride) }
    }

    subscript(index: Int) -> Element {
        assert(index >= 0 && index < count)
        return base!.load(fromByteOffset: index * MemoryLayout<Element>.stride, as: Element.self)
    }

    /// The address of the elements, which is valid until an element is added. Used in loops, because the subscript is a
    /// function call in a build without optimisation.
    var start: UnsafeMutablePointer<Element> { (base ?? Self.nowhere).assumingMemoryBound(to: Element.self) }

    // Never read from or written to.
    private static var nowhere: UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
    }

    /// Appends an element. O(1) amortised.
    mutating func append(_ element: Element) {
        if count == capacity { reserve(max(1024, capacity * 2)) }
        base!.storeBytes(of: element, toByteOffset: count * MemoryLayout<Element>.stride, as: Element.self)
        count += 1
    }

    /// Calls `fill` with the address after the last element, where it can write up to `room` elements. It returns the
    /// number of elements that it has written.
    mutating func append(room: Int, fill: (UnsafeMutablePointer<Element>) -> Int) {
        reserve(count + room)
        count += min(room, fill(base!.assumingMemoryBound(to: Element.self) + count))
    }

    private mutating func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let bytes = wanted * MemoryLayout<Element>.stride
        guard let mapped = rx_reserve(bytes) else {
            fatalError("The system has no '\(bytes)' bytes left for a heap snapshot.")
        }
        if let base {
            mapped.copyMemory(from: base, byteCount: count * MemoryLayout<Element>.stride)
            rx_release(base, capacity * MemoryLayout<Element>.stride)
        }
        base = mapped
        capacity = wanted
    }
}
