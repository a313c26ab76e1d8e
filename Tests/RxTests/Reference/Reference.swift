import Foundation
import XCTest

/// The output of the original library for each probe: the lines of `expected.txt`, `name: result`.
enum Reference {
    static let lines: [String: String] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("expected.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").map { line in
                let parts = line.split(separator: ": ", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            })
    }()

    /// The intentionally different output of this library: each entry is a line of `Documentation/Differences.md`.
    static let differences = [
        "order completed async sample": "COMP DISP SRC |",
        "order error zip coll": "ERR DISP SRC |",
    ]

    /// The output of a probe.
    static func expected(_ name: String) -> String? { differences[name] ?? lines[name] }

    /// Compares the output of a probe.
    static func check(_ name: String, _ result: String, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(result, expected(name), name, file: file, line: line)
    }

    /// Checks that each line that begins with one of `prefixes` was among `names`.
    static func checkAll(_ names: [String], of prefixes: [String], file: StaticString = #filePath, line: UInt = #line) {
        let asked = Set(names)
        let missing = lines.keys.filter { name in prefixes.contains { name.hasPrefix($0) } && !asked.contains(name) }
        XCTAssertEqual(missing.sorted(), [], "not asked for", file: file, line: line)
        XCTAssertEqual(names.filter { lines[$0] == nil }, [], "not in the file", file: file, line: line)
    }
}

/// The events in order, on any thread.
final class ReferenceLog: @unchecked Sendable {
    // @unchecked: guarded by `lock`.
    private let lock = NSLock()
    private var entries: [String] = []

    func add(_ entry: String) { lock.withLock { entries.append(entry) } }

    var isBegun: Bool { lock.withLock { !entries.isEmpty } }

    /// Returns whether there was no request and no notification before.
    func isFirst() -> Bool {
        lock.withLock {
            defer { entries.append("") }
            return entries.isEmpty
        }
    }

    var text: String { lock.withLock { entries.joined(separator: " ") } }
}
