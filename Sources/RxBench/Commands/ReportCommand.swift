import ArgumentParser
import Foundation
import HeapTrace
import RxBenchEngine

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a stored result as one HTML page, or as Markdown for a pull request.",
        discussion: """
            A result is named by the path of its file, the beginning of its commit's hash (four characters or more), \
            'latest' or 'previous'; the last two are results of this machine.

            Examples:
              rxbench report                                     the latest result as 'report.html'
              rxbench report latest --baseline previous          with what changed between the two
              rxbench report a1b2c3 --output pages/a1b2c3.html
              rxbench report --leaks leaks.json                  with the verdicts of 'rxbench leaks --json >leaks.json'
              rxbench report --races races.json                  with the races that failed in 'rxbench races --json'
              rxbench report --format markdown --output -        for a pull request's comment

            The page shows the history of stored results too, as 'rxbench trend' does. It needs no network and no \
            other file. Its address holds filter and order of the table: \
            'report.html#filter=merge&sort=time&descending=1'. The exit code does not judge the result; 'compare' does.
            """)

    /// The file formats of a report.
    enum Format: String, ExpressibleByArgument, CaseIterable, Encodable {
        case html
        case markdown

        var file: String { self == .html ? "report.html" : "report.md" }
    }

    @Argument(help: "The result.") var result = "latest"
    @Option(help: .value("result", "A result to compare with.")) var baseline: String?
    @Option(
        name: .shortAndLong,
        help: .value("file", "The file to write, or '-' for standard output. (default: report.html or report.md)"))
    var output: String?
    @Option(help: "What to write.") var format = Format.html
    @OptionGroup var rules: ComparisonOptions
    @Option(help: .value("file", "What 'rxbench leaks --json' has written, for the page.")) var leaks: String?
    @Option(help: .value("file", "What 'rxbench races --json' has written, for the page.")) var races: String?
    @Flag(help: "Leave out the history of stored results.") var noTrend = false
    @Option(help: .value("folder", "The folder of stored results.")) var results = "results"
    @Flag(help: "Say what was written as JSON.") var json = false

    func validate() throws {
        if let only = leaks.map({ _ in "--leaks" }) ?? races.map({ _ in "--races" }), format == .markdown {
            throw ValidationError("'\(only)' is for the page alone. Leave it out, or '--format markdown'.")
        }
        if json, output == "-" {
            throw ValidationError(
                "'--json' and '--output -' both write to standard output. Name a file with '--output'.")
        }
    }

    func run() throws {
        let store = ResultStore(folder: results)
        let machine = Environment.current(isTracing: CoreProbes.isTracing).machine
        let candidate = try store.load(result, machine: machine)
        let other = try baseline.map { try store.load($0, machine: machine) }
        if let other { try other.result.checkComparable(to: candidate.result, allowDifferent: rules.allowDifferent) }
        let rules = ResultComparison.Rules(margin: rules.margin / 100)
        let findings = try leaks.map { try Self.leakFindings(in: $0) } ?? []
        let searches = try races.map { try Self.searches(in: $0) }
        let document =
            switch format {
            case .html:
                HTMLReport(
                    candidate.result, baseline: other?.result, rules: rules,
                    trend: noTrend ? nil : trend(store, candidate.result), leaks: findings, races: searches
                )
                .document
            case .markdown: MarkdownReport(candidate.result, baseline: other?.result, rules: rules).document
            }
        let bytes = Array(document.utf8)
        if output == "-" { return Console.print(bytes) }
        let path = try destination(besides: [candidate.path] + (other.map { [$0.path] } ?? []))
        try OutputFile.replace(path, by: bytes, advice: "Choose another file with '--output'.")
        try say(
            Written(path: path, format: format, bytes: bytes.count, benchmarks: candidate.result.benchmarks.count),
            candidate.path)
    }

    /// Returns the trend of the stored results and the shown result, or `nil` if there are fewer than two results.
    private func trend(_ store: ResultStore, _ shown: RunResult) -> Trend? {
        var results = store.usableSummaries()
        let own = ResultSummary(shown)
        if !results.contains(where: { $0.date == own.date && $0.commit == own.commit && $0.machine == own.machine }) {
            results.append(own)
        }
        guard results.count > 1 else { return nil }
        // Sorts by date, which decides for commits that are not in the history.
        results.sort { $0.date < $1.date }
        return Trend(
            results, history: CommitHistory.current(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath)))
    }

    /// Returns the findings, in words, that a leak search has written to `path`.
    private static func leakFindings(in path: String) throws(CommandFailure) -> [LeakFindings] {
        let document: LeakDocument = try read(path, of: "leaks", what: "findings") {
            $0.schemaVersion <= LeakDocument.currentSchemaVersion
        }
        return document.scenarios.map(LeakFindings.init)
    }

    /// Returns the findings, in words, that a race search has written to `path`.
    private static func searches(in path: String) throws(CommandFailure) -> RaceSearches {
        let document: RaceDocument = try read(path, of: "races", what: "races", isReadable: \.isReadable)
        let report = RaceReport(document, root: try? PackageFolder.find(nil))
        return RaceSearches(verdict: report.verdict, stories: report.stories)
    }

    /// Decodes the JSON document that `verb` has written to `path`.
    private static func read<Document: Decodable>(
        _ path: String, of verb: String, what: String, isReadable: (Document) -> Bool
    ) throws(CommandFailure) -> Document {
        let advice = "Run 'rxbench \(verb) --json >\(verb).json' and name that file."
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.usage, "No file can be read at '\(path)'. \(advice)")
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: data), isReadable(document) else {
            throw CommandFailure(.usage, "'\(path)' holds no \(what) that this build can read. \(advice)")
        }
        return document
    }

    /// The output of `--json`.
    private struct Written: Encodable {
        let path: String
        let format: Format
        let bytes: Int
        let benchmarks: Int
    }

    private func say(_ written: Written, _ source: String) throws {
        let verdict = """
            Wrote '\(written.path)': \(Figures.counted(written.benchmarks, "benchmark")) of '\(source)', \
            \(Figures.bytes(Double(written.bytes))).
            """
        if json { try Console.print(json: written) }
        Console.verdict(verdict, outcome: .fine, toErrors: json)
    }

    /// Returns the path to write to. Writing renames a file over the path, so a device, a folder or a stored result
    /// must be refused.
    private func destination(besides sources: [String]) throws -> String {
        let name = output ?? format.file
        func refuse(_ reason: String) -> CommandFailure {
            CommandFailure(
                .usage, "The report cannot be written to '\(name)': \(reason). Choose another file with '--output'.")
        }
        if name.isEmpty || name.hasSuffix("/") { throw refuse("it is no name of a file") }
        // Follows a symbolic link, so that the file it points to is replaced and not the link.
        let url = URL(fileURLWithPath: name).resolvingSymlinksInPath()
        if name.lowercased().hasSuffix(".json") { throw refuse("files that end in '.json' are results") }
        if sources.contains(where: { URL(fileURLWithPath: $0).resolvingSymlinksInPath() == url }) {
            throw refuse("it is the result itself")
        }
        guard let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType else {
            return name
        }
        if type == .typeDirectory { throw refuse("it is a folder") }
        if type != .typeRegular { throw refuse("it is not a regular file; '--output -' writes to standard output") }
        return url.path == URL(fileURLWithPath: name).path ? name : url.path
    }
}

extension LeakFindings {
    /// Creates the findings of a leak search for a report.
    init(_ report: GrowthReport) {
        let groups = report.groups.filter { $0.verdict != .clean }.map { group in
            group.headline + (group.allowance.map { "; allowed until \($0.until): \($0.reason)" } ?? "")
        }
        let gaps = report.unavailable.map { "\($0.metric) unavailable: \($0.reason)" }
        let pending = report.pendingWork.isEmpty ? nil : "\(report.pendingWork)"
        self.init(
            name: report.name, outcome: report.outcome,
            findings: [report.failure, pending].compactMap(\.self) + groups + gaps)
    }
}
