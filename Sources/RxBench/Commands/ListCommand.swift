import ArgumentParser
import Foundation
import RxBench
import RxBenchReport

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows what can be measured, or what is stored.",
        discussion: """
            Examples:
              rxbench list subject         benchmarks whose ID contains 'subject'
              rxbench list --results       stored results, oldest first
              rxbench list --json          for programs
            """)

    @Argument(help: "Parts of IDs, globs with '*', or 'tag:<name>'; all benchmarks without any.")
    var filters: [String] = []
    @Flag(help: "Show stored results instead of benchmarks.")
    var results = false
    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The folder of stored results.", valueName: "folder"))
    var output = "results"
    @Flag(help: "Write JSON.")
    var json = false

    func run() throws {
        if results { listResults() } else { try listBenchmarks() }
    }

    private func listBenchmarks() throws {
        let catalog = RxBenchMain.current.catalog
        let selected = Set(try Selection.benchmarks(filters, in: catalog).map(\.id))
        if json {
            return try Console.print(json: catalog.benchmarks.filter { selected.contains($0.id) }.map(Description.init))
        }
        for suite in catalog.suites {
            let benchmarks = suite.benchmarks.filter { selected.contains($0.id) }
            guard !benchmarks.isEmpty else { continue }
            var table = TextTable([(suite.name, .left), ("tags", .left), ("decides", .left)])
            for benchmark in benchmarks {
                table.add([benchmark.id.text, benchmark.tags.joined(separator: " "), benchmark.decides])
            }
            Console.print(table.text + "\n")
        }
        Console.verdict("\(Figures.counted(selected.count, "benchmark")).", outcome: .fine)
    }

    private func listResults() {
        let entries = ResultStore(folder: output).entries
        if json { return (try? Console.print(json: entries.map(StoredDescription.init))) ?? () }
        var table = TextTable([("date", .left), ("commit", .left), ("machine", .left), ("file", .left)])
        for entry in entries {
            table.add([entry.date, entry.commit + (entry.isDirty ? " (dirty)" : ""), entry.machine, entry.path])
        }
        if !entries.isEmpty { Console.print(table.text + "\n") }
        Console.verdict("\(Figures.counted(entries.count, "stored result")) in '\(output)'.", outcome: .fine)
    }

    private struct Description: Encodable {
        let id, decides: String
        let tags: [String]
        let operations: Int
        let baseline: String?
        let limits: [Limit]

        init(_ benchmark: Benchmark) {
            id = benchmark.id.text
            decides = benchmark.decides
            tags = benchmark.tags
            operations = benchmark.operations
            baseline = benchmark.baseline?.text
            limits = benchmark.limits
        }
    }

    private struct StoredDescription: Encodable {
        let date, commit, machine, path: String
        let isDirty: Bool

        init(_ entry: ResultStore.Entry) {
            date = entry.date
            commit = entry.commit
            machine = entry.machine
            path = entry.path
            isDirty = entry.isDirty
        }
    }
}
