import Foundation

/// A public type of a package that a suite in another package can create without any knowledge of the type.
struct PublicType: Equatable {
    /// The kind of a type, with the safest kinds first. The deinitialiser of a class may expect more than that
    /// an instance was created, and an initializer may reject an argument.
    enum Kind: Int { case structure, actor, classType, withArguments, name, nothing }

    /// The module that declares it.
    let module: String
    let name: String
    let kind: Kind
    /// An expression that creates a value of the type, or one that only names the type.
    let expression: String

    /// Whether a suite can measure the expression. An expression that only names a type does no work.
    var isMade: Bool { kind != .name && kind != .nothing }
}

/// The public types in the sources of a module, found without compiling the sources.
///
/// The parser recognises only brackets, strings and comments. It therefore includes only types that this is enough for:
/// types at the top level of a file, outside `#if`, whose initializer needs no arguments or only text, numbers and
/// Booleans. It excludes types with an attribute that may prevent a client from using them.
struct PublicTypes {
    private var kinds: [String: (kind: PublicType.Kind, generics: String)] = [:]
    private var excluded: Set<String> = []
    private var makeable: [(name: String, call: Call)] = []
    private var plain: [String] = []
    private let module: String

    /// A call of a public initializer.
    private struct Call {
        /// The arguments of the call, or an empty string if it needs none.
        let arguments: String
        let isThrowing: Bool

        var isPlain: Bool { arguments.isEmpty && !isThrowing }
    }

    /// Reads the types in `files`, the contents of the source files of `module`.
    init(module: String, files: [String]) {
        self.module = module
        for file in files { read(file) }
    }

    /// The types that can be created, with the safest first, followed by the types that can only be named.
    var all: [PublicType] {
        let made = makeable.compactMap { name, call -> PublicType? in
            guard let (kind, generics) = kinds[name], !excluded.contains(name), let arguments = Self.arguments(generics)
            else { return nil }
            let expression = "\(call.isThrowing ? "try? " : "")\(name)\(arguments)(\(call.arguments))"
            return PublicType(
                module: module, name: name, kind: call.isPlain ? kind : .withArguments, expression: expression)
        }
        let named = plain.filter { !excluded.contains($0) && kinds[$0]?.generics == "" }.map {
            PublicType(module: module, name: $0, kind: .name, expression: "ObjectIdentifier(\($0).self)")
        }
        return made.sorted { $0.kind.rawValue < $1.kind.rawValue } + named
    }

    /// Returns generic arguments that satisfy the parameters, such as `<Int>`, or `nil` if `Int` may not satisfy them.
    private static func arguments(_ generics: String) -> String? {
        guard !generics.isEmpty else { return "" }
        let satisfied: Set = ["Hashable", "Comparable", "Equatable", "Sendable", "Codable"]
        let parameters = generics.split(separator: ",").map { parameter in
            parameter.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        }
        let areKnown = parameters.allSatisfy { parts in
            !parts[0].contains(" ")
                && (parts.count == 1
                    || parts[1].split(separator: "&").allSatisfy {
                        satisfied.contains($0.trimmingCharacters(in: .whitespacesAndNewlines))
                    })
        }
        return areKnown ? "<\(parameters.map { _ in "Int" }.joined(separator: ", "))>" : nil
    }

    private mutating func read(_ source: String) {
        let text = Self.blanked(source)
        for declaration in Self.declarations(text) {
            // 'import struct Module.Name' is not a declaration of the type.
            let header = declaration.header.split(separator: "\n").filter { !$0.contains(#/^\s*(@\S+\s+)*import\s/#) }
                .joined(separator: "\n")
            guard
                let match = header.firstMatch(
                    of:
                        #/
                        \b(?<word>struct|class|actor|enum|extension)\s+(?<name>[A-Za-z][A-Za-z0-9_]*)\s*
                        (?:<(?<generics>[^<>]*)>)?(?<rest>[^{]*)$
                        /#)
            else { continue }
            let name = String(match.name)
            let isRestricted =
                Self.isWithheld(header)
                || ["@_spi", "Actor", "~Copyable", "~Escapable", "@unsafe"].contains { header.contains($0) }
                || String(match.rest).contains(#/\bwhere\b/#)
            if match.word == "extension" {
                guard !isRestricted, let call = Self.call(in: declaration.body) else { continue }
                makeable.append((name, call))
                continue
            }
            guard header.contains(#/\b(public|open)\b/#) else { continue }
            if isRestricted {
                excluded.insert(name)
                continue
            }
            let kind: PublicType.Kind =
                switch match.word {
                case "struct": .structure
                case "actor": .actor
                default: .classType
                }
            kinds[name] = (kind, match.generics.map(String.init) ?? "")
            plain.append(name)
            if match.word != "enum", let call = Self.call(in: declaration.body) { makeable.append((name, call)) }
        }
    }

    /// Returns whether an attribute makes a declaration unavailable to every client, or warns about its use. A minimum
    /// system version does not count, because the suite requires recent systems.
    private static func isWithheld(_ header: some StringProtocol) -> Bool {
        String(header).contains(#/@available\s*\([^)]*\b(unavailable|deprecated|obsoleted|noasync)\b/#)
    }

    /// Returns the declarations at the top level of a file that have a body. The header of a declaration is the text
    /// before its opening brace.
    private static func declarations(_ bytes: [UInt8]) -> [(header: String, body: String)] {
        var found: [(header: String, body: String)] = []
        var depth = 0
        var conditions = 0
        var start = 0
        var open = 0
        var index = 0
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"):
                if depth == 0 { open = index }
                depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                guard depth == 0 else { break }
                if conditions == 0 { found.append((text(start..<open), text(open + 1..<index))) }
                start = index + 1
            case UInt8(ascii: "#") where depth == 0:
                let line = text(index..<(bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count))
                if line.hasPrefix("#if") { conditions += 1 }
                if line.hasPrefix("#endif") {
                    conditions -= 1
                    start = index + line.utf8.count
                }
            default: break
            }
            index += 1
        }
        return found
    }

    /// Returns a call of a public initializer that is declared directly in `body`, needs only literals and is not
    /// `async`. Prefers an initializer that takes no arguments and does not throw.
    private static func call(in body: String) -> Call? {
        var level = 0
        var flat = ""
        for character in body {
            if character == "}" { level -= 1 }
            if level == 0 { flat.append(character) }
            if character == "{" { level += 1 }
        }
        // The bodies of the members have been removed, so a declaration ends with its brace or its line.
        if flat.contains("#if") { return nil }
        let calls = flat.matches(of: #/public\s+(?:convenience\s+)?init\s*\(/#).compactMap { match -> Call? in
            let before = flat[..<match.range.lowerBound]
            let lead = before.suffix(from: before.lastIndex { "{}".contains($0) } ?? before.startIndex)
            if Self.isWithheld(lead) || ["@_spi", "@MainActor"].contains(where: { lead.contains($0) }) { return nil }
            var depth = 1
            var parameters = [""]
            var rest = flat[match.range.upperBound...]
            while let character = rest.popFirst() {
                if "([{".contains(character) { depth += 1 }
                if ")]}".contains(character) { depth -= 1 }
                if depth == 0 { break }
                if depth == 1, character == "," {
                    parameters.append("")
                } else {
                    parameters[parameters.count - 1].append(character)
                }
            }
            let effects = rest.prefix { $0 != "{" }
            if ["async", "where"].contains(where: { effects.contains($0) }) { return nil }
            let required = parameters.filter { !$0.contains("=") && !$0.allSatisfy(\.isWhitespace) }
            let arguments = required.compactMap(argument)
            guard arguments.count == required.count else { return nil }
            return Call(arguments: arguments.joined(separator: ", "), isThrowing: effects.contains("throws"))
        }
        return calls.first(where: \.isPlain) ?? calls.first
    }

    /// Returns a literal argument for a parameter of a simple type, with its label: `count: 1` for `count number: Int`.
    /// Returns `nil` for other types.
    private static func argument(for parameter: String) -> String? {
        let literals = ["String": "\"text\"", "Int": "1", "Double": "1", "Float": "1", "Bool": "true"]
        let parts = parameter.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let label = parts[0].split(whereSeparator: \.isWhitespace).first,
            let literal = literals[parts[1].trimmingCharacters(in: .whitespacesAndNewlines)]
        else { return nil }
        return label == "_" ? literal : "\(label): \(literal)"
    }

    /// Returns the source with comments and the contents of string literals replaced by spaces.
    private static func blanked(_ source: String) -> [UInt8] {
        var bytes = Array(source.utf8)
        func starts(_ text: StaticString, at index: Int) -> Bool {
            index + text.utf8CodeUnitCount <= bytes.count
                && (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
        }
        var index = 0
        while index < bytes.count {
            var end = index
            if starts("//", at: index) {
                end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if starts("/*", at: index) {
                var depth = 1
                end = index + 2
                while end < bytes.count, depth > 0 {
                    let isOpening = starts("/*", at: end)
                    let isClosing = starts("*/", at: end)
                    depth += isOpening ? 1 : isClosing ? -1 : 0
                    end += isOpening || isClosing ? 2 : 1
                }
            } else if bytes[index] == UInt8(ascii: "\"") {
                let isLong = starts("\"\"\"", at: index)
                end = index + (isLong ? 3 : 1)
                while end < bytes.count, !(isLong ? starts("\"\"\"", at: end) : bytes[end] == UInt8(ascii: "\"")) {
                    end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                end += isLong ? 3 : 1
            }
            guard end > index else {
                index += 1
                continue
            }
            for place in index..<min(end, bytes.count) where bytes[place] != UInt8(ascii: "\n") {
                bytes[place] = UInt8(ascii: " ")
            }
            index = end
        }
        return bytes
    }
}
