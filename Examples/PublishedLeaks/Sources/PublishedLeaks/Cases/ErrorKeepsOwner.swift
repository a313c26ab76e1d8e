extension PublishedLeak {
    /// A common report about errors with context: the error refers to the importer that has thrown it, and the importer
    /// keeps its last error. The published mend puts plain values into the error.
    static let errorKeepsOwner = PublishedLeak(
        name: "error-keeps-owner",
        expected: Expectation(
            "CSVImporter", heldBy: "CSVImporter.lastError", change: "ImportError.importer", "lastError.importer"),
        innocents: { count in
            (0..<count).map { index in
                let importer = CSVImporter(file: "\(index).csv")
                importer.read("1,2", keepsContext: false)
                return importer
            }
        },
        leaky: .synchronous { CSVImporter(file: "a.csv").read("1,x", keepsContext: true) },
        fixed: .synchronous { CSVImporter(file: "a.csv").read("1,x", keepsContext: false) })
}

private struct ImportError: Error {
    let line: Int
    let column: Int
    let importer: CSVImporter?
    let text: String
}

private final class CSVImporter {
    let file: String
    private(set) var values: [Int] = []
    private(set) var lastError: (any Error)?

    init(file: String) { self.file = file }

    func read(_ text: String, keepsContext: Bool) {
        do {
            values = try text.split(separator: ",").enumerated().map { index, cell in
                guard let value = Int(cell) else {
                    throw ImportError(
                        line: 1, column: index, importer: keepsContext ? self : nil, text: String(cell))
                }
                return value
            }
        } catch {
            lastError = error
        }
    }
}
