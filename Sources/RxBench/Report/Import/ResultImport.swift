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
                machine: statements.machine ?? Self.machine(facts), operatingSystem: reading(facts.operatingSystem),
                kernel: reading(nil),
                architecture: reading(facts.architecture), processor: reading(facts.processor),
                cores: reading(facts.cores), memoryBytes: reading(nil),
                swiftVersion: reading(facts.swiftVersion),
                configuration: reading(["debug", "release"].first { $0 == facts.configuration }),
                isTracing: reading(facts.isTracing), jemalloc: reading(nil), loadAverage: reading(facts.loadAverage)),
            commit: reading(statements.commit ?? facts.commit),
            control: .unavailable(
                MetricDefinition(name: "control", unit: "ns/step"), .sampled, because: ImportSource.silence),
            benchmarks: benchmarks)
    }

    /// The machine of a document, in the form of ``MachineName``.
    private static func machine(_ facts: ImportedFacts) -> String {
        if let machine = facts.machine, MachineName.isValid(machine) { return machine }
        let parts = [facts.operatingSystem, facts.architecture, facts.processor.map { MachineName.model(of: $0) }]
            .compactMap(\.self)
        let words = facts.machine.map { [$0] } ?? parts
        let cores = facts.machine == nil ? facts.cores.map { ["\($0)c"] } ?? [] : []
        let name = (words.isEmpty && !cores.isEmpty ? [MachineName.unknown] : words) + cores
        let plain = name.flatMap {
            $0.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        }
        return plain.isEmpty
            ? MachineName.unknown : String(plain.joined(separator: "-").prefix(100)).trimmingCharacters(in: ["-"])
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

extension Commit {
    /// A full hash, with `-dirty` behind it when the code differed; `nil` for anything else.
    package init?(imported text: String) {
        let isDirty = text.hasSuffix("-dirty")
        let sha = (isDirty ? String(text.dropLast(6)) : text).lowercased()
        guard (40...64).contains(sha.utf8.count),
            sha.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.init(sha: sha, isDirty: isDirty)
    }
}
