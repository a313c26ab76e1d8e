import Foundation

/// The declarations in the source files, read from their text.
enum DeclarationScan {
    /// The root of the package.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        .standardized

    /// The Swift files in a folder of the package, with their text.
    static func files(in folder: String) throws -> [(url: URL, text: String)] {
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        var found: [(URL, String)] = []
        while let file = files?.nextObject() as? URL {
            if file.pathExtension == "swift" { found.append((file, try String(contentsOf: file, encoding: .utf8))) }
        }
        return found
    }

    /// The public functions in a folder, with the number of declarations of each.
    ///
    /// - Parameter owner: returns the owner of a file's functions as a prefix: `Single.`
    static func functions(in folder: String, owner: (URL) -> String = { _ in "" }) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for file in try files(in: folder) {
            for name in functions(in: file.text) { counts[owner(file.url) + name, default: 0] += 1 }
        }
        return counts
    }

    /// The base names and labels of the functions that a text declares as public.
    static func functions(in text: String) -> [String] { ownedFunctions(in: text).map(\.name) }

    /// The functions that a text declares as public, each with the line that begins its type or extension.
    static func ownedFunctions(in text: String) -> [(owner: Substring, name: String)] {
        let code = code(of: text)
        let owners = code.matches(of: /(?m)^(?:public |final )*(?:extension|protocol|class|struct|enum) [^{]*{/)
        return code.matches(of: /public (?:final |override |static )*func `?(\w+)`?/).map { match in
            var labels = labels(in: code[match.range.upperBound...])
            let isRow = match.1 == "zip" || match.1 == "combineLatest"
            if isRow, labels.starts(with: ["_", "_"]) { labels = ["_", "_"] + labels.drop { $0 == "_" } }
            let owner = owners.last { $0.range.upperBound <= match.range.lowerBound }?.0 ?? ""
            return (owner, "\(match.1)(\(labels.map { "\($0):" }.joined()))")
        }
    }

    /// The public properties of a text that are sequences.
    static func sequences(in text: String) -> [String] {
        code(of: text).matches(of: /public var (\w+): (?:Observable|Control\w+|Async\w*Stream)</).map { String($0.1) }
    }

    /// The base names of the functions, properties, types and initialisers that a text declares as public. An
    /// initialiser has the name of the nearest type declaration or extension before it.
    static func names(in text: String) -> Set<String> {
        var names: Set<String> = []
        var type: Substring = ""
        for line in code(of: text).split(separator: "\n") {
            if let match = line.firstMatch(
                of: /^(?:@frozen )?(?:public )?(?:final )?(?:class|struct|enum|protocol|extension) (\w+)/)
            {
                type = match.1
            }
            let isPublic = line.contains(/\b(?:public|open)\b/)
            guard isPublic,
                let match = line.firstMatch(
                    of: /\b(?:class|struct|enum|protocol|typealias|func|var|let|init)\b *`?(\w*)/)
            else { continue }
            names.insert(String(match.0.hasPrefix("init") ? type : match.1))
        }
        return names
    }

    /// Returns a text without its comment lines.
    static func code(of text: String) -> String {
        text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    }

    /// The labels in the parameter list that follows a name and, perhaps, generic parameters.
    private static func labels(in rest: Substring) -> [String] {
        // The word before each parameter's first blank or colon, at the nesting level of the list itself.
        var (depth, angles) = (0, 0)
        var labels: [String] = []
        var word: String? = ""
        var previous: Character = " "
        for character in rest {
            defer { previous = character }
            if depth == 0 {
                if character == "<" { angles += 1 }
                if character == ">", previous != "-" { angles -= 1 }
                if character == "(", angles == 0 { depth = 1 }
                continue
            }
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">":
                if character == ">", previous == "-" { continue }
                depth -= 1
                if depth == 0 { return labels }
            case ",": if depth == 1 { word = "" }
            case " ", ":", "\n":
                guard depth == 1, let current = word, !current.isEmpty else { continue }
                labels.append(current)
                word = nil
            default: if depth == 1 { word?.append(character) }
            }
        }
        return labels
    }
}
