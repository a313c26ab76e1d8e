import Foundation
import XCTest

/// `Documentation/Behaviours.md` names only existing tests, and omits no behaviour.
final class BehavioursTableTests: XCTestCase {
    private let package = URL(fileURLWithPath: #filePath + "/../../../..").standardized

    func testPage_hasAnEntryForEachBehaviour() throws {
        let entries = try page().matches(of: /(?m)^(\d+)\. \*\*/).compactMap { Int($0.1) }
        XCTAssertEqual(entries, Array(1...64))
    }

    func testPage_namesTestsThatExist_forEachBehaviour() throws {
        let tests = try declaredTests()
        let named = try page().matches(of: /(?m)^    - `(\w+)\.(\w+)`$/).map { "\($0.1).\($0.2)" }
        XCTAssertGreaterThan(named.count, 100)
        XCTAssertEqual(named.filter { !tests.contains($0) }, [])
        let entries = try page().split(separator: #/(?m)^\d+\. /#).dropFirst()
        XCTAssertEqual(entries.filter { !$0.contains("\n    - `") }, [])
    }

    private func page() throws -> String {
        try String(contentsOf: package.appendingPathComponent("Documentation/Behaviours.md"), encoding: .utf8)
    }

    /// Returns `Type.function` for each function of each test type in the folder of all tests. Functions within `#if`
    /// are indented by four more columns.
    private func declaredTests() throws -> Set<String> {
        var tests: Set<String> = []
        let files = FileManager.default.enumerator(
            at: package.appendingPathComponent("Tests"), includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            var type = ""
            for match in try String(contentsOf: file, encoding: .utf8).matches(
                of: /(?m)^(?: {4})?(?:@Suite )?(?:final class|struct) (\w+Tests)\b|^ {4,8}(?:@Test )?func (\w+)\(/)
            {
                if let name = match.1 { type = String(name) }
                if let function = match.2 { tests.insert("\(type).\(function)") }
            }
        }
        return tests
    }
}
