import Foundation
import Testing

/// The guide's page for Combine users lists every name of Combine, and only counterparts that this package declares.
@Suite struct FromCombineTests {
    private static let modules = ["Rx", "RxTest", "RxFoundation"]
    /// The names from Swift and its libraries that the page uses.
    private static let foreign: Set = [
        "fatalError", "raise", "SIGTRAP", "encode", "max", "URLSession", "NotificationCenter", "AsyncStream",
        "AsyncThrowingStream",
    ]

    @Test func everyNameOfCombine_standsInItsTable() throws {
        #expect(try Self.page().missing(CombineNames.all) == [], "Enter these in Documentation/Guide/FromCombine.md.")
    }

    @Test func everyNameOnTheLeft_isOfCombine() throws {
        #expect(try Self.page().unknown(CombineNames.all) == [], "Combine has nothing of these names.")
    }

    @Test func everyCounterpart_isDeclaredHere() throws {
        var names = Self.foreign
        var labels: [String: Set<String>] = [:]
        for file in try Self.modules.flatMap({ try DeclarationScan.files(in: "Sources/\($0)") }) {
            names.formUnion(DeclarationScan.names(in: file.text))
            for function in DeclarationScan.functions(in: file.text) {
                let parts = function.split { "(:)".contains($0) }.map(String.init)
                labels[parts[0], default: []].formUnion(parts.dropFirst())
            }
            for (type, label) in Self.initialiserLabels(in: file.text) { labels[type, default: []].insert(label) }
        }
        let undeclared = try Self.page().undeclared(names, labels: labels)
        #expect(undeclared == [], "Documentation/Guide/FromCombine.md names these, and no source declares them.")
    }

    @Test func plantedRows_areFound_andTheirTwinsAreNot() {
        let page = CounterpartPage(
            """
            ## Operators
            | Combine | here |
            |---|---|
            | `map`, `tryMap` | `map` |
            | `collect(_:)` | `buffer(timeSpan:count:)` with a long span |
            | `shuffle()` | `Gone.make { $0.a }`, `buffer(size: 1)`, `lost` |
            """)
        #expect(page.missing(["Operators": ["map", "tryMap", "zip"]]) == ["Operators: zip"])
        #expect(page.unknown(["Operators": ["map", "tryMap", "collect"]]) == ["shuffle()"])
        let undeclared = page.undeclared(["map", "buffer"], labels: ["buffer": ["timeSpan", "count"]])
        #expect(undeclared == ["Gone", "make", "buffer(size:)", "lost"])
    }

    /// Returns the labels of the public initialisers in a text, each with its type.
    private static func initialiserLabels(in text: String) -> [(type: String, label: String)] {
        var type = ""
        let parts = DeclarationScan.code(of: text).matches(
            of:
                #/
                (?m)^(?:public\ |final\ |open\ )*(?:class|struct|enum|extension)\ (\w+)
                | public\ (?:convenience\ )?init\(([^{]*)
                /#)
        return parts.flatMap { part in
            if let name = part.1 { type = String(name) }
            return (part.2 ?? "").matches(of: /(\w+)(?: \w+)?:[ ]/).map { (type, String($0.1)) }
        }
    }

    private static func page() throws -> CounterpartPage {
        CounterpartPage(
            try String(
                contentsOf: DeclarationScan.root.appending(path: "Documentation/Guide/FromCombine.md"), encoding: .utf8)
        )
    }
}
