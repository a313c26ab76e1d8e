/// The treatment of a page's examples.
package enum Use: String {
    /// Each example becomes a test.
    case tested
    /// The examples have planted faults: one function runs them all and returns the failures.
    case planted
    /// The examples import nothing and are not run. They test the compiler's messages.
    case compiledAlone
}

/// A Swift file with the examples of one page as functions, and a test for each.
///
/// All code of an example follows a `#sourceLocation`, so that compiler messages refer to the page.
package struct GeneratedFile {
    private let path: String
    private let name: String
    private let identifier: String
    private let examples: [ExtractedExample]
    private let scenery: String
    private let use: Use

    /// - Parameters:
    ///   - path: The page's path, for the compiler.
    ///   - name: The page's name for readers: its path in the package.
    ///   - scenery: The type whose members are in scope for the examples.
    package init(page: Page, path: String, name: String, scenery: String, use: Use) {
        self.path = path
        self.name = name
        self.scenery = scenery
        self.use = use
        let stem = name.split(separator: "/").filter { $0 != "Sources" }.joined(separator: "/").split(separator: ".")
            .dropLast().joined(separator: ".")
        identifier = String(stem.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        examples = page.blocks.map(ExtractedExample.init)
    }

    private static let imports = [
        "Foundation", "Rx", "RxBlocking", "RxCollections", "RxFoundation", "RxTest", "RxTrace", "XCTest",
    ]

    /// Imports the module whose source contains the doc comment, unless all pages import it already. The import is
    /// `@testable`, because internal declarations have examples too.
    private var ownImports: [String] {
        let folders = name.split(separator: "/").map(String.init)
        guard folders.count > 2, folders[0] == "Sources", !Self.imports.contains(folders[1]) else { return [] }
        guard folders[1] == "RxBench" else { return [folders[1]] }
        return ["RxBench"] + (folders[2] == "Definition" ? [] : ["RxBench\(folders[2])"])
    }

    package var text: String {
        guard !examples.isEmpty else { return "// \(name) has no examples.\n" }
        guard use != .compiledAlone else {
            return "struct \(scenery) {\n\(examples.map(function).joined(separator: "\n"))}\n"
        }
        let imports = Self.imports.map { "import \($0)" } + ownImports.map { "@testable import \($0)" }
        return """
            // The examples of \(name).
            \(imports.joined(separator: "\n"))
            @testable import ExampleScenery
            #if canImport(FoundationNetworking)
            import FoundationNetworking
            #endif
            \(examples.map { located($0.imports) + located($0.declarations) }.joined())
            \(deprecation)extension \(scenery) {
            \(examples.map(function).joined(separator: "\n"))}

            \(use == .tested ? testCase : list)

            """
    }

    /// Examples of deprecated spellings compile without warnings because they are deprecated themselves. A test class
    /// is not deprecated, because the generated list of tests names it.
    private var deprecation: String {
        name.hasPrefix("Sources/RxLegacy/") || name.contains("/Deprecated/") ? "@available(*, deprecated) " : ""
    }

    private func located(_ lines: [CodeLine]) -> String {
        var text = ""
        var next: Int?
        for line in lines {
            if line.number != next { text += "#sourceLocation(file: \(quoted(path)), line: \(line.number))\n" }
            text += line.text + "\n"
            next = line.number + 1
        }
        return lines.isEmpty ? "" : text + "#sourceLocation()\n"
    }

    private func functionName(_ example: ExtractedExample) -> String { "\(identifier)_\(example.line)" }

    private func function(_ example: ExtractedExample) -> String {
        let uses =
            example.names.isEmpty
            ? "" : "        \(use == .compiledAlone ? "_ = " : "keep")(\(example.names.joined(separator: ", ")))\n"
        return """
                func \(functionName(example))()\(example.isAsync ? " async" : "") throws {
            \(located(example.body))\(uses)    }

            """
    }

    private func value(_ example: ExtractedExample) -> String {
        let claims = example.claims.map { "Claim(line: \($0.line), text: \(quoted($0.text)))" }.joined(separator: ", ")
        return "Example(page: \(quoted(name)), line: \(example.line), claims: [\(claims)])"
    }

    private func run(_ example: ExtractedExample) -> String {
        let awaiting = example.isAsync ? "await " : ""
        return
            """
            \(awaiting)\(value(example)).run { (scenery: \(scenery)) in try \
            \(awaiting)scenery.\(functionName(example))() }
            """
    }

    private var tested: [ExtractedExample] { examples.filter { $0.treatment == .run } }

    private var testCase: String {
        let tests = tested.map { example in
            """
                \(deprecation)func testLine\(example.line)()\(example.isAsync ? " async" : "") {
                    let complaints = \(run(example))
                    for complaint in complaints {
                        XCTFail(complaint.text, file: \(quoted(path)), line: complaint.line)
                    }
                }

            """
        }
        return tests.isEmpty
            ? "" : "final class \(identifier)_Examples: XCTestCase {\n\(tests.joined(separator: "\n"))}"
    }

    private var list: String {
        "func \(identifier)_complaints() async -> [Complaint] {\n    var all: [Complaint] = []\n"
            + tested.map { "    all += \(run($0))\n" }.joined() + "    return all\n}"
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }.joined() + "\""
    }
}
