#if os(Linux)
    /// What a symbol says of a global or static variable.
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
