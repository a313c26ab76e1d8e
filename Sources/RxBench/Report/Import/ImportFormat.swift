import RxBench

/// A document of another tool that results are made of.
///
/// An importer is a pure function. A fact that a document does not state is unavailable in the result; it is never
/// filled in.
package protocol ImportFormat: Sendable {
    /// The format's name on the command line: `google-benchmark`.
    var name: String { get }
    /// The tools that write it, in a few words.
    var writers: String { get }
    /// Whether a document looks as if it were of this format. O(*n*) in its bytes at most.
    func recognises(_ text: ImportedText) -> Bool
    /// The runs that a document describes, in its order. O(*n* log *n*) in its bytes.
    func runs(in text: ImportedText) throws(ImportProblem) -> [ImportedRun]
}

/// All formats.
package enum ImportFormats {
    /// In the order of the help text, and in that of recognition.
    package static let all: [any ImportFormat] = [BenchstatImport(), GoogleBenchmarkImport(), JMHImport(), CSVImport()]

    /// The format called `name`, or `nil`.
    package static func named(_ name: String) -> (any ImportFormat)? { all.first { $0.name == name } }

    /// Why OpenMetrics is exported and not imported.
    package static let openMetricsRefusal = """
        OpenMetrics is not imported: it holds one figure for each metric and not those of the processes, so that \
        nothing could be compared. Use '--format csv' of 'rxbench export', which holds all of them.
        """
}

/// Why a document cannot be imported, as the end of a sentence without a full stop: where, and what is wrong there.
package struct ImportProblem: Error, Equatable {
    /// The clause.
    package let clause: String

    init(_ clause: String) { self.clause = clause }

    /// `text` in quotes, shortened.
    static func quoted(_ text: some StringProtocol) -> String {
        let text = String(text)
        let isLong = text.unicodeScalars.dropFirst(60).first != nil
        return "'\(isLong ? String(text.unicodeScalars.prefix(59)) + "…" : text)'"
    }

    static func singleLine(_ text: String) -> String {
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
    }
}

/// A document that cannot be imported, in one sentence.
package struct ImportError: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    package let description: String

    init(_ name: String, _ problem: ImportProblem) {
        // Units and messages of a document may hold anything.
        description = "'\(name)' cannot be imported: \(ImportProblem.singleLine(problem.clause))."
    }
}

/// The text of a document, with its lines.
package struct ImportedText: Sendable {
    let bytes: [UInt8]

    /// A text of UTF-8, with or without a byte order mark.
    init(_ bytes: [UInt8]) throws(ImportProblem) {
        guard !bytes.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) else {
            throw ImportProblem("it is empty")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw ImportProblem("it is UTF-16, which PowerShell's '>' writes; write it as UTF-8")
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard !content.contains(0), String(validating: content, as: UTF8.self) != nil else {
            throw ImportProblem("it is no text in UTF-8")
        }
        self.bytes = content
    }

    /// The lines without their ends, from number 1.
    func forEachLine<Failure: Error>(
        _ body: (_ number: Int, _ line: ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var number = 1
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let hasReturn = end > start && bytes[end - 1] == 0x0D
            try body(number, bytes[start..<(hasReturn ? end - 1 : end)])
            start = end + 1
            number += 1
        }
    }

    /// The first character that is no white space.
    var firstByte: UInt8? { bytes.first { $0 > 0x20 } }

    /// The first line that is not empty.
    var firstLine: String {
        let line = bytes.drop { $0 <= 0x20 }.prefix { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: line.prefix(1_000), as: UTF8.self)
    }
}
