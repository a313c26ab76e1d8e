import Foundation

/// The compiler's diagnostics for a program, and the changes that it offers.
struct Diagnostics {
    enum Severity: Int {
        case ignored, note, warning, error, fatal, remark
    }

    struct Diagnostic {
        let severity: Severity
        let file: String
        let line: Int
        let text: String
    }

    /// A change that the compiler offers. `range` counts bytes.
    struct FixIt: Hashable {
        let file: String
        let range: Range<Int>
        let text: String
    }

    private(set) var all: [Diagnostic] = []
    private(set) var fixIts: Set<FixIt> = []

    /// Reads the diagnostics in a file that the compiler wrote for `-serialize-diagnostics`.
    // The codes and positions in the records are defined in clang/Frontend/SerializedDiagnostics.h.
    init(contentsOf file: URL) throws {
        var files: [Int: String] = [:]
        for record in Bitstream(Array(try Data(contentsOf: file))).records where record.block == 9 {
            let values = record.values
            switch record.code {
            case 2:
                let file = URL(fileURLWithPath: files[values[1]] ?? "").lastPathComponent
                all.append(
                    Diagnostic(
                        severity: Severity(rawValue: values[0]) ?? .fatal, file: file, line: values[2],
                        text: record.text))
            case 6: files[values[0]] = record.text
            case 7: fixIts.insert(FixIt(file: files[values[0]] ?? "", range: values[3]..<values[7], text: record.text))
            default: break
            }
        }
    }

    /// Returns the diagnostics of one severity as lines of text: file, line, message.
    func lines(_ severity: Severity) -> [String] {
        all.filter { $0.severity == severity }.map { "\($0.file):\($0.line): \($0.text)" }
    }

    /// Returns the text of `file` after every change that is offered for it.
    func applied(to file: URL) throws -> Data {
        var bytes = try Data(contentsOf: file)
        for fixIt in fixIts.filter({ $0.file == file.path }).sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(fixIt.range, with: Data(fixIt.text.utf8))
        }
        return bytes
    }
}
