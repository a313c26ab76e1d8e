import Foundation
import RxBench

/// Makes results of other tools' documents.
package struct ResultImport: Sendable {
    /// Facts that a person states of a document, in place of its own.
    package struct Statements: Sendable, Equatable {
        /// The name of the machine.
        package var machine: String?
        /// The commit of the measured code.
        package var commit: Commit?
        /// When the figures were measured, ISO 8601 in UTC.
        package var date: String?

        /// Nothing, or what is given.
        package init(machine: String? = nil, commit: Commit? = nil, date: String? = nil) {
            self.machine = machine
            self.commit = commit
            self.date = date
        }
    }

    /// The results, in the order of the document.
    package let results: [RunResult]
    /// The format that the document has.
    package let format: String
    /// Notes for a reader that have no place in the results, as sentences.
    package let notes: [String]

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - name: What the document is called in an error.
    ///   - format: Its format; recognised from the content when it is `nil`.
    ///   - moment: When it is imported, ISO 8601 in UTC: the date of a result that has no other.
    ///   - arguments: The arguments of the tool.
    /// - Throws: ``ImportError`` with one sentence that names the line or entry.
    /// - Complexity: O(*n* log *n*) in the bytes.
    package init(
        _ bytes: [UInt8], name: String, format: (any ImportFormat)? = nil, statements: Statements = Statements(),
        moment: String, arguments: [String] = []
    ) throws(ImportError) {
        do throws(ImportProblem) {
            let text = try ImportedText(bytes)
            guard let format = format ?? ImportFormats.all.first(where: { $0.recognises(text) }) else {
                throw Self.unrecognised(text)
            }
            let runs = try format.runs(in: text)
            let maker = ResultMaker(format: format.name, statements: statements, moment: moment, arguments: arguments)
            results = runs.filter { !$0.benchmarks.list.isEmpty }.map(maker.result)
            notes = runs.flatMap(\.notes)
            self.format = format.name
        } catch {
            throw ImportError(name, error)
        }
    }

    private static func unrecognised(_ text: ImportedText) -> ImportProblem {
        let line = text.firstLine
        if ["# TYPE ", "# HELP ", "# UNIT ", "# EOF"].contains(where: line.hasPrefix) {
            return ImportProblem(
                """
                it is OpenMetrics, which has one figure for each metric and not those of the processes; export as \
                csv, which has all of them
                """
            )
        }
        let formats = ImportFormats.all.map(\.name).joined(separator: ", ")
        return ImportProblem("it is in none of the formats \(formats); it begins with \(ImportProblem.quoted(line))")
    }
}

private struct ResultMaker {
    let format: String
    let statements: ResultImport.Statements
    let moment: String
    let arguments: [String]

    func result(_ run: ImportedRun) -> RunResult {
        let facts = run.facts
        let machine = facts.machine
        func reading<Value: Codable & Sendable & Equatable>(_ value: Value?) -> Reading<Value> {
            value.map(Reading.value) ?? .unavailable(ImportSource.silence)
        }
        let benchmarks = run.benchmarks.list.map(\.result)
        let source = ImportSource(
            format: format, tool: reading(facts.tool), toolVersion: reading(facts.toolVersion),
            date: reading(statements.date ?? facts.date))
        let processes = benchmarks.compactMap { $0.metric(Metric.time)?.values.count }.max() ?? 0
        return RunResult(
            run: RunInformation(
                date: source.date.value ?? moment, arguments: arguments, processes: processes, importedFrom: source),
            environment: Environment(
                machine: statements.machine ?? machine.stableName, operatingSystem: reading(machine.operatingSystem),
                kernel: reading(nil),
                architecture: reading(machine.architecture), processor: reading(machine.processor),
                cores: reading(machine.cores), memoryBytes: reading(nil),
                swiftVersion: reading(facts.swiftVersion),
                configuration: reading(["debug", "release"].first { $0 == facts.configuration }),
                isTracing: reading(facts.isTracing), jemalloc: reading(nil), loadAverage: reading(facts.loadAverage)),
            commit: reading(statements.commit ?? facts.commit),
            control: .unavailable(
                MetricDefinition(name: "control", unit: "ns/step"), .sampled, because: ImportSource.silence),
            benchmarks: benchmarks)
    }
}

/// Dates of documents.
package enum ImportedDate {
    /// `text` in UTC to the second, or `nil` when it does not say a moment.
    package static func normalised(_ text: String) -> String? {
        let date =
            (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        guard let date, (0..<253_402_300_800).contains(date.timeIntervalSince1970) else { return nil }
        return date.formatted(.iso8601)
    }
}

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
