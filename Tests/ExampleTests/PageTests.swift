import Foundation
import Testing

@testable import ExampleExtraction

@Suite struct PageTests {
    private func blocks(_ text: String, isSwiftFile: Bool = true) -> [[Int]] {
        Page(text: text, isSwiftFile: isSwiftFile).blocks.map { $0.lines.map(\.number) }
    }

    @Test func docComment_indentedAfterABlankLine_isCode() {
        #expect(
            blocks(
                """
                /// A text.
                ///
                ///     one
                ///
                ///     two
                ///
                /// More text.
                """) == [[3, 4, 5]])
    }

    @Test func docComment_indentedInAList_isNoCode() {
        #expect(
            blocks(
                """
                /// - Parameters:
                ///   - one: the first, which goes on
                ///     in a second line.
                """) == [])
    }

    @Test func docComment_fencedWithAnotherWordThanSwift_isNoCode() {
        #expect(
            blocks(
                """
                /// ```text
                /// one → two
                /// ```
                /// ```swift
                /// three
                /// ```
                """) == [[5]])
    }

    @Test func markdown_hasCodeInFencesOnly() {
        #expect(blocks("    one\n\n```swift\ntwo\n```\n\n```sh\nthree\n```", isSwiftFile: false) == [[4]])
        #expect(Page(text: "```swift compiled\none\n```", isSwiftFile: false).blocks.map(\.treatment) == [.compile])
    }

    private func faults(_ text: String, isSwiftFile: Bool = false) -> [String] {
        Page(text: text, isSwiftFile: isSwiftFile).faults.map { "\($0.line): \($0.text)" }
    }

    @Test(arguments: [("", "A fence without a word"), ("swift ignored", "The fence 'swift ignored'")])
    func fence_thatDoesNotSayWhatBecomesOfIt_isRefused(word: String, subject: String) {
        let sentence = """
            2: \(subject) does not say what becomes of it: write 'swift' for an example that runs, 'swift compiled' \
            for one that must not run, 'sh' for commands, 'text' for anything else.
            """
        #expect(faults("A text.\n```\(word)\nlet one = 1\n```\n```swift\nlet one = 1\n```") == [sentence])
        #expect(faults("/// A text.\n/// ```\(word)\n/// one()\n/// ```", isSwiftFile: true) == [sentence])
    }

    @Test(arguments: [
        "import Rx", "let one = 1", "final class One {", "@Test(.noLeaks) func one() {", "_ = load()",
        "one.two(three: four())",
    ]) func swift_inAFenceOfText_isRefused(code: String) {
        #expect(
            faults("```text\n\(code)\n```") == [
                """
                1: No test reads the Swift '\(code)' in a fence 'text': write 'swift', or 'swift compiled' if it must \
                not run.
                """
            ])
        #expect(faults("```swift\n\(code)\n```\n```swift compiled\n\(code)\n```") == [])
    }

    @Test func pictures_reports_andCommands_areNoSwift() {
        let lines = [
            "next* (error | completed)?", "dispose()      dispose()", "load v2 0  Flags.next()",
            ".package(path: \"rx\"),", "│  └─ made by Player.wait(on:) at Player.swift:12", "let go of what it holds",
        ]
        #expect(faults("```text\n\(lines.joined(separator: "\n"))\n```\n```sh\nimport go.txt\n```") == [])
    }

    @Test func codeKeepsItsColumns() {
        #expect(
            Page(text: "    ///     one", isSwiftFile: true).blocks.first?.lines == [
                CodeLine(number: 1, text: "            one")
            ])
    }

    private func example(_ lines: String...) -> ExtractedExample {
        ExtractedExample(
            CodeBlock(lines: lines.enumerated().map { CodeLine(number: $0 + 1, text: $1) }, treatment: .run))
    }

    @Test func claims_areTheCommentsBehindCode() {
        let claims = example(#"let url = "https://x"  // "a", b"#, "// prose", "print(2)", "    .c()  // c").claims
        #expect(
            claims == [ExtractedExample.Claim(line: 1, text: #""a", b"#), ExtractedExample.Claim(line: 4, text: "c")])
    }

    @Test func claims_goOnInCommentsRightUnderThem() {
        let claims = example("print(1)  // a", "          // b", "// prose", "          // c").claims
        #expect(claims.map(\.text) == ["a", "b"])
    }

    @Test func claims_inLiteralsOfSeveralLines_areNone() {
        #expect(example(#"let text = """"#, "    a  // b", #"    """"#).claims == [])
    }

    @Test func types_leaveTheFunctionOnlyIfAnExtensionNeedsThat() {
        #expect(example("struct A {", "}", "print(1)").declarations == [])
        let withExtension = example("import Rx", "struct A {", "    let b = 1", "}", "extension A {", "}", "print(1)")
        #expect(withExtension.imports.map(\.number) == [1])
        #expect(withExtension.declarations.map(\.number) == [2, 3, 4, 5, 6])
        #expect(withExtension.declarations.map(\.text).filter { $0.contains("private") } == ["fileprivate struct A {"])
        #expect(withExtension.body.map(\.number) == [7])
    }

    @Test func names_areThoseOfTheTopLevel() {
        #expect(
            example("let one = 1", "var two: Int = 2", "f {", "    let three = 3", "}", "let (four, five) = (4, 5)")
                .names == ["one", "two"])
    }
}

@Suite struct OutputComparisonTests {
    private func difference(_ claims: [String], _ lines: [String]) -> String? {
        let claims = claims.enumerated().map { Claim(line: $0 + 1, text: $1) }
        return OutputComparison(claims: claims).difference(from: lines).map { "\($0.line ?? 0): \($0.text)" }
    }

    @Test func commentsSayLinesInOrder() {
        #expect(difference(["1, 2", "3"], ["1", "2", "3"]) == nil)
        #expect(difference(["[1, 2], [3]"], ["[1, 2]", "[3]"]) == nil)
        #expect(difference([], []) == nil)
        #expect(difference(["1", "2"], ["2", "1"]) == "1: says '1, 2', and prints '2, 1'")
        #expect(difference(["1", "2"], ["1", "3"]) == "2: says '1, 2', and prints '1, 3'")
        #expect(difference(["1"], ["1", "2"]) == "1: says '1', and prints '1, 2'")
    }

    @Test func anEllipsisStandsForAnything() {
        #expect(difference(["0, 1, …"], ["0", "1", "2", "3"]) == nil)
        #expect(difference(["… one -> subscribed", "…(1)"], ["2024: one -> subscribed", "2025: next(1)"]) == nil)
        #expect(difference(["…(1)"], ["next(2)"]) != nil)
    }

    /// Returns the links within the package that lead to no file.
    private func brokenLinks(_ text: String, in folder: URL) -> [String] {
        text.matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/).map { String($0.1) }.filter { link in
            !link.contains(":") && !FileManager.default.fileExists(atPath: folder.appending(path: link).path)
        }
    }

    private static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    @Test func everyLinkWithinThePackage_leadsToAFile() throws {
        let pages =
            try FileManager.default.subpathsOfDirectory(atPath: Self.package.appending(path: "Documentation").path)
            .filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" } + [
                "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md",
            ]
        for page in pages {
            let url = Self.package.appending(path: page)
            let broken = brokenLinks(
                try String(contentsOf: url, encoding: .utf8), in: url.deletingLastPathComponent())
            #expect(broken == [], "\(page)")
        }
        #expect(
            brokenLinks("[a](README.md) [b](Gone.md#part) [c](https://example.com)", in: Self.package) == ["Gone.md"])
    }

    /// Returns the names that no text links to, either in Markdown or with DocC.
    private func unlinked(_ names: [String], in texts: [String]) -> [String] {
        names.filter { name in !texts.contains { $0.contains("](\(name).md)") || $0.contains("<doc:\(name)>") } }
    }

    @Test func everyPageOfTheGuide_isInItsIndexAndOnAProductsLandingPage() throws {
        let guide = Self.package.appending(path: "Documentation/Guide")
        let names = try FileManager.default.contentsOfDirectory(atPath: guide.path)
            .filter { $0.hasSuffix(".md") && $0 != "README.md" }.map { String($0.dropLast(3)) }.sorted()
        #expect(names.count > 20)
        let index = try String(contentsOf: guide.appending(path: "README.md"), encoding: .utf8)
        #expect(unlinked(names, in: [index]) == [], "Enter these pages in Documentation/Guide/README.md.")
        let landing = try catalogues().map { try String(contentsOf: $0.landing, encoding: .utf8) }
        #expect(unlinked(names, in: landing) == [], "Enter these pages in a product's '.docc'.")
        #expect(unlinked(["A", "B", "C"], in: ["[a](A.md) <doc:C>"]) == ["B"])
    }

    /// Returns the landing page of each product's catalogue, and the names of the catalogue's symbolic links to pages.
    private func catalogues() throws -> [(landing: URL, pages: [String])] {
        let sources = Self.package.appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.map { sources.appending(path: $0) }
        let links = try files.filter { try $0.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == true }
        return files.filter { !links.contains($0) }.map { landing in
            let own = links.filter { $0.deletingLastPathComponent() == landing.deletingLastPathComponent() }
            return (landing, own.filter(leadsToAPage).map { $0.deletingPathExtension().lastPathComponent }.sorted())
        }
    }

    private func leadsToAPage(_ link: URL) -> Bool {
        let target = link.resolvingSymlinksInPath().path
        return FileManager.default.fileExists(atPath: target)
            && target.hasPrefix(Self.package.appending(path: "Documentation").resolvingSymlinksInPath().path + "/")
    }

    @Test func everyCatalogue_hasThePagesThatItsLandingPageNames_asLinks() throws {
        let catalogues = try catalogues()
        #expect(catalogues.count == 14)
        for (landing, pages) in catalogues {
            let named = try String(contentsOf: landing, encoding: .utf8).matches(of: /<doc:(\w+)>/).map { String($0.1) }
            #expect(pages == named.sorted(), "\(landing.lastPathComponent): link to Documentation from beside it.")
        }
        #expect(!leadsToAPage(Self.package.appending(path: "Documentation/Gone.md")))
        #expect(!leadsToAPage(Self.package.appending(path: "README.md")))
    }
}
