import ExampleExtraction
import Foundation
import XCTest

/// The test support finds faults in examples, and reports the page and the line.
final class PlantedFaultTests: XCTestCase {
    func testExample_thatPrintsSomethingElse_isNamedWithPageAndLine() async {
        let complaints = await Tests_ExampleTests_Planted_WrongOutput_complaints()
        let page = "Tests/ExampleTests/Planted/WrongOutput.md"
        XCTAssertEqual(
            complaints.map(\.text),
            [
                "\(page):7: The example says '1, 2, 3', and prints '1, 2, 2'.",
                """
                \(page):13: The example says '2, 4', and prints nothing. A comment that is no output stands on a \
                line of its own.
                """,
                "\(page):19: The example prints 'hello', and no comment says so.",
                "\(page):26: The example says '1.0', and prints '2.0'.",
                "\(page):32: The example throws 'offline'.",
            ])
        XCTAssertEqual(complaints.map(\.line), [7, 13, 19, 26, 32])
    }

    @MainActor
    func testCleanTwin_passes() async {
        let complaints = await Tests_ExampleTests_Planted_CleanTwin_complaints()
        XCTAssertEqual(complaints, [])
    }

    func testExample_thatDoesNotCompile_isNamedWithPageAndLine() throws {
        let errors = try compile(
            page: """
                A planted fault:

                ```swift
                let number = 1
                let text: String = number
                ```
                """)
        XCTAssertTrue(
            errors.contains("Planted.md:5:20: error: cannot convert value of type 'Int' to specified type 'String'"),
            errors)
    }

    func testCleanTwin_thatCompiles_givesNoErrors() throws {
        XCTAssertEqual(try compile(page: "```swift\nlet number = 1\nlet text: String = \"\\(number)\"\n```"), "")
    }

    /// Returns the compiler's errors for a page whose examples need only the standard library.
    private func compile(page text: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = folder.appending(path: "Planted.md").path
        let source = folder.appending(path: "Planted.swift")
        let file = GeneratedFile(
            page: Page(text: text, isSwiftFile: false), path: page, name: "Planted.md", scenery: "Scenery",
            use: .compiledAlone)
        try file.text.write(to: source, atomically: true, encoding: .utf8)
        let compiler = Process()
        let errors = Pipe()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-typecheck", source.path]
        compiler.standardError = errors
        try compiler.run()
        let output = try errors.fileHandleForReading.readToEnd() ?? Data()
        compiler.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
