import CRxTrace
import Foundation

/// The name of a function or closure from its symbol, as its author would write it.
package struct FunctionName: Equatable {
    /// The function, or the function that contains the closure: `ViewModel.bind(to:)`.
    package let text: String
    /// Whether it only adapts another closure's calling convention.
    let isThunk: Bool
    /// Whether it is part of `Rx`.
    let isOurs: Bool
    /// Whether it is a method that was passed as a closure: `subscribe(onNext: show)`.
    let isMethod: Bool
    /// The function that contains the closure, with the types of its parameters.
    private let signature: String

    /// Demangles a symbol.
    package init(symbol: String) { self.init(symbol: symbol, text: Self.demangled(symbol)) }

    /// The name as the runtime demangles it; the name itself if it is not mangled.
    static func demangled(_ name: String) -> String {
        guard let text = rxtrace_demangle(name) else { return name }
        defer { free(text) }
        return String(cString: text)
    }

    /// - Parameters:
    ///   - symbol: the mangled name.
    ///   - text: the demangled name: `closure #1 (Swift.Int) -> () in App.ViewModel.bind(to: App.Source) -> ()`.
    init(symbol: String, text: String) {
        // If a closure was inlined into another, the text names both, and the user's closure is chosen.
        let closures = text.components(separatedBy: "closure #").dropFirst().compactMap(Self.function)
        let users = closures.filter { !$0.isOurs }
        let chosen = users.first ?? closures.first
        signature = chosen?.signature ?? ""
        let name = chosen?.text ?? Self.shortened(text.components(separatedBy: " for ").last ?? text)
        // The compiler merges functions with equal code, so the original function is unknown.
        let isMerged = text.hasPrefix("merged ") || text.contains(" merged ")
        self.text = isMerged ? name + " (merged with equal code)" : name
        isThunk =
            closures.isEmpty && (text.contains("thunk") || text.contains("partial apply forwarder for reabstraction"))
        isOurs = chosen.map(\.isOurs) ?? symbol.hasPrefix("$s2Rx")
        // The compiler generates two closures for a method: an outer closure that takes `self`, and inside it the
        // closure that is called.
        let isReference = text.contains(#/implicit closure #\d.* in implicit closure #/#)
        isMethod = !isThunk && (isReference || closures.isEmpty && text.hasPrefix("partial apply"))
    }

    /// Whether a captured object of a type can only be `self`: the function belongs to the type, and has no parameter
    /// of that type.
    func isSelf(_ type: Substring) -> Bool {
        self.text.split(separator: ".").dropLast().contains(type)
            && signature.split { !($0.isLetter || $0.isNumber || $0 == "_") }.count { $0 == type } == 1
    }

    private static func function(_ closure: String) -> (text: String, signature: String, isOurs: Bool)? {
        guard let end = endOfSignature(closure) else { return nil }
        let text = withoutPrefixes(String(closure[end...]))
        // The text is empty for a closure within a closure. The outer closure follows.
        if text.isEmpty || text == "implicit " { return nil }
        return (shortened(text), withoutResult(text), text.hasPrefix("Rx.") || text.hasPrefix("(extension in Rx)"))
    }

    /// The text of a function without its result: `App.Model.init(leaks: Swift.Bool)`.
    private static func withoutResult(_ text: String) -> String {
        String(text[..<(firstIndex(of: [" -> ", " : "], in: text) ?? text.endIndex)])
    }

    /// The position after the first " in " that is not part of a type: after the second " in " of
    /// `1 (App.(Row in _12)) -> () in show()`.
    private static func endOfSignature(_ closure: String) -> String.Index? {
        firstIndex(of: [" in "], in: closure).map { closure.index($0, offsetBy: 4) }
    }

    /// The position of the first separator that is outside all brackets. Each separator begins with a space.
    private static func firstIndex(of separators: [String], in text: String) -> String.Index? {
        var depth = 0
        var last: Character = " "
        for index in text.indices {
            let character = text[index]
            defer { last = character }
            switch character {
            case "(", "<", "[": depth += 1
            case ")", "]": depth -= 1
            case ">" where last != "-": depth -= 1
            case " " where depth == 0 && separators.contains(where: text[index...].hasPrefix): return index
            default: break
            }
        }
        return nil
    }

    /// Returns a name without modules, types and generic arguments:
    /// `(extension in App):App.(Model in _12).bind(to: Swift.Int) -> ()` → `Model.bind(to:)`.
    static func shortened(_ text: String) -> String {
        // Except in arrows, an angle bracket opens or closes generic arguments.
        var text = withoutPrefixes(text).replacing("->", with: "→")
        if text.hasPrefix("(extension in "), let end = text.firstIndex(of: ":") {
            text = String(text[text.index(after: end)...])
        }
        var result = ""
        var depth = 0
        var label = ""
        var isPrivate = false
        for index in text.indices {
            let character = text[index]
            switch character {
            case "<" where !result.hasSuffix("."): depth += 1
            case ">" where depth > 0: depth -= 1
            case _ where depth > 0: break
            case "(" where result.isEmpty || result.hasSuffix("."): isPrivate = true
            case " " where isPrivate: label = " "
            case ")" where isPrivate: (isPrivate, label) = (false, "")
            case _ where isPrivate: if label.isEmpty { result.append(character) }
            case "(": return withoutModule(result) + "(" + labels(text[text.index(after: index)...]) + ")"
            case " ", "→", ":", "]", "[", ",", ";": return withoutModule(result)
            default: result.append(character)
            }
        }
        return withoutModule(result)
    }

    /// Returns the name of the function from which another function was made:
    /// `generic specialization <Swift.Int> of static App.Model.show() -> ()` → `App.Model.show() -> ()`.
    private static func withoutPrefixes(_ text: String) -> String {
        var text = text
        while let end = firstIndex(of: [" of "], in: text) { text = String(text[text.index(end, offsetBy: 4)...]) }
        for prefix in ["merged ", "static "] where text.hasPrefix(prefix) {
            text = String(text.dropFirst(prefix.count))
        }
        return text
    }

    private static func withoutModule(_ name: String) -> String {
        let parts = name.split(separator: ".")
        return parts.count > 1 ? parts.dropFirst().joined(separator: ".") : name
    }

    /// The argument labels at the beginning of a demangled parameter list: `to: Swift.Int, (Swift.Int) -> ()) -> ()` →
    /// `to:_:`.
    private static func labels(_ list: Substring) -> String {
        var depth = 0
        var part = ""
        var parts: [String] = []
        scan: for character in list {
            switch character {
            case "(", "<", "[": depth += 1
            case ")" where depth == 0: break scan
            case ")", ">", "]": depth -= 1
            case "," where depth == 0:
                parts.append(part)
                part = ""
                continue
            default: break
            }
            part.append(character)
        }
        if !part.isEmpty || !parts.isEmpty { parts.append(part) }
        return parts.map { part in
            let head = part.prefix { $0 != ":" }
            let name = head.drop { $0 == " " }
            return head.count < part.count && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
                ? name + ":" : "_:"
        }.joined()
    }
}
