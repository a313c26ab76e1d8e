import ArgumentParser
import Foundation
import RxBenchEngine

struct ExportCommand: ParsableCommand {
    private static let formats = ExportFormats.all.map { format in
        "  " + format.name.padding(toLength: 18, withPad: " ", startingAt: 0) + format.readers
    }.joined(separator: "\n")

    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes stored results in the format of another tool.",
        discussion: """
            A result is named as in 'compare': by the path of its file, the beginning of its commit's hash, 'latest' \
            or 'previous'. Without one, it is 'latest'. Several go into one document where the format can tell them \
            apart.

            Examples:
              rxbench export --format benchstat previous > old.txt
              rxbench export --format benchstat > new.txt
              rxbench export --format google-benchmark --output new.json
              rxbench export --format csv a1b2c3 latest   both in one table

            Formats:
            \(formats)

            Allocations are per operation, as these tools expect; in CSV figures belong to what they are stored \
            for, an iteration. A figure that could not be read is left out or marked, never 0.
            """)

    @Argument(help: .value("result", "Results; 'latest' without any.")) var names: [String] = []
    @Option(help: ArgumentHelp("One of \(ExportFormats.all.map(\.name).joined(separator: ", ")).", valueName: "format"))
    var format: String
    @Option(name: .shortAndLong, help: .value("file", "The file to write; standard output without it."))
    var output: String?
    @Option(help: .value("folder", "The folder of stored results.")) var results = "results"
    @Flag(help: "With '--output': say as JSON what was exported.") var json = false

    func validate() throws {
        guard let format = ExportFormats.named(format) else {
            let names = ExportFormats.all.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ValidationError("'--format \(format)' is no format of 'export'. Give one of \(names).")
        }
        if names.count > 1, !format.holdsSeveralResults {
            throw ValidationError(
                "A document of format '\(format.name)' holds one result, not \(names.count). Export them one by one.")
        }
        if json, output == nil {
            throw ValidationError(
                "'--json' describes a file that was written. Add '--output', or leave it out to get the export itself.")
        }
    }

    func run() throws {
        guard let format = ExportFormats.named(format) else { preconditionFailure("The format was validated.") }
        let store = ResultStore(folder: results)
        let machine = Environment.current(isTracing: CoreProbes.isTracing).machine
        var loaded: [(path: String, result: RunResult)] = []
        for name in names.isEmpty ? ["latest"] : names { loaded.append(try store.load(name, machine: machine)) }
        let document = Array(format.document(of: loaded.map(\.result)).utf8)
        let omissions = format.omissions(from: loaded.map(\.result))
        if !omissions.isEmpty {
            Console.warn(
                """
                '\(format.name)' has no place for benchmarks that failed; left out: \
                \(omissions.joined(separator: ", ")).
                """
            )
        }
        let count = loaded.reduce(0) { $0 + $1.result.benchmarks.count } - omissions.count
        let verdict = "\(Figures.counted(count, "benchmark")) exported as \(format.name)"
        guard let output else {
            Console.print(document)
            return Console.verdict("\(verdict) from \(Self.list(loaded.map(\.path))).", outcome: .fine, toErrors: true)
        }
        let advice = "Name a file, or leave out '--output' to write to standard output."
        try OutputFile.write(document, to: output, advice: advice)
        if json {
            let description = Description(
                format: format.name, results: loaded.map(\.path), output: output, benchmarks: count, leftOut: omissions)
            try Console.print(json: description)
        }
        Console.verdict(
            "\(verdict) from \(Self.list(loaded.map(\.path))) to '\(output)'.", outcome: .fine, toErrors: json)
    }

    private struct Description: Encodable {
        let format: String
        let results: [String]
        let output: String
        let benchmarks: Int
        let leftOut: [String]
    }

    private static func list(_ paths: [String]) -> String { paths.map { "'\($0)'" }.joined(separator: ", ") }
}
