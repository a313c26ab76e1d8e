#if os(Linux)
    import CRx
    import CRxTrace
    import Glibc

    /// The functions and variables of the program and its libraries, by address and by name, read from their files as
    /// stacks are.
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

        /// The symbol that an address lies in. The first one of an image reads its file.
        static func symbol(at address: UInt) -> Symbol? {
            rx_symbols_at(address).flatMap { Symbol(rx_symbol_at($0, address)) }
        }

        /// Where the symbol of a name lies, in the image of an address.
        static func address(of name: String, inImageOf address: UInt) -> UInt? {
            rx_symbols_at(address).flatMap { Symbol(rx_symbol_named($0, name)) }?.address
        }

        static func demangled(_ name: String) -> String {
            guard let text = rxtrace_demangle(name) else { return name }
            defer { free(text) }
            return String(cString: text)
        }
    }

    /// A global or static variable, by its symbol.
    struct GlobalName {
        /// `Cache.shared`, without the module.
        let name: String
        /// Whether it is a Swift variable that holds its value strongly.
        let isStrong: Bool

        /// Whether it is a stored variable of Swift code; costs less than asking for more.
        static func isSwiftVariable(_ symbol: SymbolTable.Symbol) -> Bool {
            symbol.isVariable && symbol.name.hasPrefix("$s")
                && (symbol.name.hasSuffix("vpZ") || symbol.name.hasSuffix("vp"))
        }

        init?(_ symbol: SymbolTable.Symbol) {
            guard symbol.isVariable else { return nil }
            let text = SymbolTable.demangled(symbol.name)
            let parts = text.split(separator: " : ", maxSplits: 1).map(String.init)
            let isSwift = Self.isSwiftVariable(symbol) && parts.count == 2
            name = isSwift ? FunctionName.shortened(parts[0]) : text
            isStrong = isSwift && !parts[1].hasPrefix("weak ") && !parts[1].hasPrefix("unowned")
        }
    }
#endif
