/// Finds the author of a function by its symbol's name.
///
/// "Name Mangling" (Swift, docs/ABI/Mangling.rst): `$s`, the context's module as an identifier with its length, and for
/// each enclosing type its name and the letter of its kind. For a function in an extension of another module, that
/// module and `E` follow the extended type.
enum MangledName {
    static let internalModules: Set<String> = [
        "Rx", "HeapTrace", "RxTrace", "RxTraceObjects", "RxTraceTesting", "RxTraceMetrics", "RxTest", "RxBlocking",
        "RxFoundation", "RxLegacy", "RxCollections", "RxBench", "RxBenchCommands", "RxBenchEngine", "RxBenchRaces",
    ]

    /// The module that contains a function, or that extends a type of another module with it; `nil` if the name
    /// contains no module.
    static func module(_ symbol: String) -> String? {
        guard symbol.hasPrefix("$s") else { return nil }
        var name = MangledIdentifiers(symbol.dropFirst(2))
        return name.module()
    }

    /// Whether the function belongs to this package.
    static func isOurs(_ symbol: String) -> Bool {
        if symbol.hasPrefix("rx_") || symbol.hasPrefix("rxtrace_") { return true }
        return module(symbol).map(internalModules.contains) ?? false
    }

    /// Whether the function belongs to this package or the standard library.
    static func isInternal(_ symbol: String) -> Bool {
        // The runtime's functions belong to the program if `RxTraceObjects` interposes them.
        if ["rx_", "rxtrace_", "swift_"].contains(where: symbol.hasPrefix) { return true }
        guard let module = module(symbol) else { return false }
        return module == "Swift" || internalModules.contains(module)
    }
}

/// Reads the identifiers at the beginning of a mangled name.
///
/// An identifier may repeat words of earlier identifiers: `0C3App` is the third word, and `App`. A word begins with an
/// upper-case letter, or at the beginning of an identifier. After `demangleIdentifier()` in Demangler.cpp (Swift).
private struct MangledIdentifiers {
    private var rest: Substring
    private var words: [Substring] = []

    init(_ rest: Substring) { self.rest = rest }

    /// The module of the innermost extension, or else of the outermost type.
    mutating func module() -> String? {
        let declaring: String
        var isType = false
        switch rest.first {
        case "s":
            rest = rest.dropFirst()
            declaring = "Swift"
        case "S":
            // The types of the standard library that have a letter, or two in its concurrency library.
            isType = true
            rest = rest.dropFirst(rest.dropFirst().first == "c" ? 3 : 2)
            declaring = "Swift"
        default:
            guard let module = identifier() else { return nil }
            declaring = module
        }
        while let name = identifier() {
            if isType, endsExtension { return name }
            // A private type has a second identifier, for its file.
            if rest.hasPrefix("LL") { rest = rest.dropFirst(2) }
            if let kind = rest.first, "CVOPa".contains(kind) {
                rest = rest.dropFirst()
                isType = true
            } else if !(rest.first?.isNumber ?? false) {
                break
            }
        }
        return declaring
    }

    /// Whether the module of an extension ends here, perhaps with the extension's constraints, which end with `l`.
    private var endsExtension: Bool { rest.first == "E" || rest.prefix(80).prefixMatch(of: #/[A-Za-z_]*?lE/#) != nil }

    /// Removes an identifier from the beginning, and returns it.
    private mutating func identifier() -> String? {
        guard let first = rest.first, first.isNumber else { return nil }
        var repeatsWords = first == "0"
        if repeatsWords { rest = rest.dropFirst() }
        var name = ""
        repeat {
            while repeatsWords, let letter = rest.first?.asciiValue, rest.first?.isLetter ?? false {
                rest = rest.dropFirst()
                // An upper-case letter is the last one before the characters.
                repeatsWords = letter >= UInt8(ascii: "a")
                let index = Int(letter - (repeatsWords ? UInt8(ascii: "a") : UInt8(ascii: "A")))
                guard words.indices.contains(index) else { return nil }
                name += words[index]
            }
            if rest.first == "0" {
                rest = rest.dropFirst()
                break
            }
            let digits = rest.prefix { $0.isNumber }
            guard let length = Int(digits), length > 0, rest.count >= digits.count + length else { return nil }
            rest = rest.dropFirst(digits.count)
            name += rest.prefix(length)
            addWords(of: rest.prefix(length))
            rest = rest.dropFirst(length)
        } while repeatsWords
        return name
    }

    /// Records the words of an identifier's characters: 26 words at most, each of two characters or more.
    private mutating func addWords(of text: Substring) {
        var start: Substring.Index?
        var previous: Character = "_"
        for index in text.indices {
            let character = text[index]
            if let begin = start, character == "_" || character.isUppercase && !previous.isUppercase {
                add(text[begin..<index])
                start = nil
            }
            if start == nil, !character.isNumber, character != "_" { start = index }
            previous = character
        }
        if let start { add(text[start...]) }
    }

    private mutating func add(_ word: Substring) { if word.count >= 2, words.count < 26 { words.append(word) } }
}
