import Foundation
import XCTest

/// `Behaviours.md` names only tests that exist, and leaves out no behaviour.
final class BehavioursTableTests: XCTestCase {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    func testTable_hasARowForEachBehaviour() throws {
        let rows = try table().matches(of: /(?m)^\| (\d+) \|/).compactMap { Int($0.1) }
        XCTAssertEqual(rows, Array(1...60))
    }

    func testTable_namesTestsThatExist() throws {
        let tests = try declaredTests()
        let named = try table().matches(of: /`(\w+)\.(\w+)`/).map { "\($0.1).\($0.2)" }
        XCTAssertGreaterThan(named.count, 100)
        XCTAssertEqual(named.filter { !tests.contains($0) }, [])
    }

    private func table() throws -> String {
        try String(contentsOf: folder.appendingPathComponent("Behaviours.md"), encoding: .utf8)
    }

    /// `Type.function` for each function of each test type in the folder of all tests.
    private func declaredTests() throws -> Set<String> {
        var tests: Set<String> = []
        let files = FileManager.default.enumerator(
            at: folder.appendingPathComponent("../..").standardized, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            var type = ""
            for match in try String(contentsOf: file, encoding: .utf8).matches(
                of: /(?m)^(?:@Suite )?(?:final class|struct) (\w+)|^    (?:@Test )?func (\w+)\(/)
            {
                if let name = match.1 { type = String(name) }
                if let function = match.2 { tests.insert("\(type).\(function)") }
            }
        }
        return tests
    }
}
