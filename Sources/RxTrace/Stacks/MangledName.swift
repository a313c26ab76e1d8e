/// What a symbol's name says about who wrote the function.
///
/// "Name Mangling" (Swift, docs/ABI/Mangling.rst): `$s`, the context's module as an identifier with its length, the
/// type's name and kind; where the function is in an extension of another module, that module and `E`.
enum MangledName {
    private static let internalModules: Set<String> = [
        "Rx", "RxTrace", "RxTraceObjects", "RxTraceTesting", "RxTraceMetrics", "RxTest", "RxBlocking", "RxFoundation",
        "RxLegacy", "RxBench", "RxBenchCommands", "RxBenchObjects", "RxBenchRaces",
    ]

    /// Whether the function belongs to this package or the standard library.
    static func isInternal(_ symbol: String) -> Bool {
        // The runtime's functions are the program's own where `RxTraceObjects` stands before them.
        if symbol.hasPrefix("rx_") || symbol.hasPrefix("swift_") { return true }
        guard symbol.hasPrefix("$s") else { return false }
        var rest = Substring(symbol.dropFirst(2))
        let isOfOurs: Bool
        if rest.first == "s" || rest.first == "S" {
            // The standard library, or one of its types by a letter of its own.
            rest = rest.dropFirst(rest.first == "s" ? 1 : 2)
            isOfOurs = true
            if symbol.hasPrefix("$ss"), identifier(&rest) != nil { rest = rest.dropFirst() }
        } else {
            guard let module = identifier(&rest) else { return false }
            isOfOurs = internalModules.contains(module)
            if isOfOurs, identifier(&rest) != nil { rest = rest.dropFirst() }
        }
        if isOfOurs, let extending = identifier(&rest), rest.first == "E" { return internalModules.contains(extending) }
        return isOfOurs
    }

    /// Takes an identifier off the front: its length and its characters.
    private static func identifier(_ rest: inout Substring) -> String? {
        let digits = rest.prefix { $0.isNumber }
        // A 0 begins an identifier with substitutions, which a module's name has none of.
        guard let length = Int(digits), digits.first != "0", rest.count >= digits.count + length else { return nil }
        let name = rest.dropFirst(digits.count).prefix(length)
        rest = rest.dropFirst(digits.count + length)
        return String(name)
    }
}
