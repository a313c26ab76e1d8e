import ArgumentParser
import Foundation
import RxBench
import RxBenchReport

struct ImportCommand: ParsableCommand {
    private static let formats = ImportFormats.all.map { format in
        "  " + format.name.padding(toLength: 18, withPad: " ", startingAt: 0) + format.writers
    }.joined(separator: "\n")

    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Stores figures of other tools, so that 'compare', 'trend', 'report' and 'export' work on them.",
        discussion: """
            Examples:
              go test -bench . -count 10 | rxbench import -
              rxbench import old.txt new.txt        then 'compare' with the two paths
              rxbench import results.json --machine build-server-3 --date 2026-03-15T12:00:00Z
              rxbench import jmh.json --no-store --json   on standard output
              rxbench import table.csv --output elsewhere

            Formats, recognised from the content:
            \(formats)

            Lines of one name (Go), repetitions (Google Benchmark) and forks (JMH) are processes; 'compare' needs \
            about ten to judge a time. Times become nanoseconds of an operation, a throughput is turned round, and an \
            iteration is one operation. What a file does not say (machine, cores, commit, compiler) is unavailable, \
            because the imported file does not say; '--machine', '--commit' and '--date' say it. A benchmark that \
            failed there has failed here.

            A name that is no ID becomes one: lowercase, a hyphen where a capital begins a word and for other \
            characters; 'name=value' and 'name:value' become parameters, a Go package or a Java class begins the path, \
            and a single word gets 'imported/' before it. Two names that become one ID are refused.

            Imported results are compared with others of the same tool and machine; with measured ones, with \
            '--allow-different' alone. 'latest' and 'previous' never mean them: name them by their paths. Several \
            files are stored together or, if one is wrong, not at all.
            """)

    @Argument(help: .value("file", "Files; '-' is standard input.")) var files: [String]
    @Option(
        help: ArgumentHelp(
            "One of \(ImportFormats.all.map(\.name).joined(separator: ", ")). (default: by the content)",
            valueName: "format"))
    var format: String?
    @Option(help: .value("name", "The machine that measured: lowercase words with hyphens.")) var machine: String?
    @Option(help: .value("sha", "The full hash of the commit that was measured.")) var commit: String?
    @Option(help: .value("date", "When it was measured, as in 2026-03-15T12:00:00Z.")) var date: String?
    @OptionGroup var stored: StoreOptions
    @Flag(help: "Do not store the results.") var noStore = false
    @Flag(help: "Write the results as JSON, one in a line, to standard output instead of tables.") var json = false

    func validate() throws {
        if format == "openmetrics" { throw ValidationError(ImportFormats.openMetricsRefusal) }
        if let format, ImportFormats.named(format) == nil {
            let names = ImportFormats.all.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ValidationError("'--format \(format)' is no format of 'import'. Give one of \(names).")
        }
        if let machine, !MachineName.isValid(machine) {
            throw ValidationError(
                """
                '--machine \(machine)' is no machine's name: write lowercase words with hyphens, as in \
                'linux-x86_64-amd-epyc-2c'.
                """
            )
        }
        if let commit, Commit(imported: commit) == nil {
            throw ValidationError(
                "'--commit \(commit)' is no full hash. 'git rev-parse \(commit)' prints the 40 characters.")
        }
        if let date, ImportedDate.normalised(date) == nil {
            throw ValidationError(
                "'--date \(date)' is no moment: write it as in '2026-03-15T12:00:00Z', with its time zone.")
        }
        if files.count(where: { $0 == "-" }) > 1 {
            throw ValidationError("Standard input can be read once. Give '-' once.")
        }
    }

    func run() throws {
        let imports = try files.map(read)
        let results = imports.flatMap(\.results)
        if let id = results.compactMap(\.repeatedID).first {
            throw CommandFailure(
                .usage, "Two benchmarks have the ID '\(id)' once imported. Give them different names and import again.")
        }
        for note in imports.flatMap(\.notes) { Console.note(note) }
        if json {
            for result in results { Console.print(result.encoded()) }
        } else {
            for result in results { Console.print(RunReport(result).text() + "\n") }
        }
        if !noStore { for result in results { try stored.store.keep(result, verb: "import") } }
        Console.verdict(Self.verdict(imports), outcome: .fine, toErrors: json)
    }

    private func read(_ file: String) throws -> ResultImport {
        let name = file == "-" ? "standard input" : file
        let data =
            file == "-"
            ? (try? FileHandle.standardInput.readToEnd() ?? Data()) : FileManager.default.contents(atPath: file)
        guard let data else {
            let message =
                file == "-"
                ? "Standard input cannot be read. Name a file of figures instead."
                : "No file can be read at '\(file)'. Name a file of figures, or '-' for standard input."
            throw CommandFailure(.usage, message)
        }
        let statements = ResultImport.Statements(
            machine: machine, commit: commit.flatMap { Commit(imported: $0) },
            date: date.flatMap(ImportedDate.normalised))
        do {
            return try ResultImport(
                Array(data), name: name, format: format.flatMap(ImportFormats.named), statements: statements,
                moment: Date().formatted(.iso8601), arguments: ["import"])
        } catch { throw CommandFailure(.usage, error.description) }
    }

    private static func verdict(_ imports: [ResultImport]) -> String {
        let benchmarks = imports.flatMap(\.results).flatMap(\.benchmarks)
        let failed = benchmarks.count { $0.failure != nil }
        let results = imports.reduce(0) { $0 + $1.results.count }
        var formats: [String] = []
        for format in imports.map(\.format) where !formats.contains(format) { formats.append(format) }
        let failures = failed > 0 ? ", of which \(failed) had failed there" : ""
        let count = results == 1 ? "" : " of \(results) results"
        return
            """
            \(Figures.counted(benchmarks.count, "benchmark"))\(count) imported from \
            \(formats.joined(separator: " and "))\(failures).
            """
    }
}
