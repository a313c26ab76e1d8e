import Foundation

@testable import RxBench
@testable import RxBenchReport

/// Documents as other tools write them, by their public documentation.
enum ImportDocuments {
    static func bytes(_ name: String) throws -> [UInt8] {
        Array(
            try Data(
                contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
                    path: "Documents/\(name)")))
    }

    static func imported(_ name: String) throws -> ResultImport {
        try ResultImport(bytes(name), name: name, moment: moment)
    }

    static func imported(text: String, format: String? = nil) throws(ImportError) -> ResultImport {
        try ResultImport(Array(text.utf8), name: "test", format: format.flatMap(ImportFormats.named), moment: moment)
    }

    static let moment = "2026-03-16T08:00:00Z"
}

extension RunResult {
    func values(_ id: String, _ metric: String) -> [Double]? { benchmark(id)?.metric(metric)?.values }
    func unit(_ id: String, _ metric: String) -> String? { benchmark(id)?.metric(metric)?.unit }
}
