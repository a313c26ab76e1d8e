import ArgumentParser
import Foundation
import RxBench
import RxBenchEngine

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the benchmarks, or the stored results.",
        discussion: """
            Examples:
              rxbench list                 a line for each family: how many benchmarks, and what they decide
              rxbench list subject         benchmarks whose ID contains 'subject'
              rxbench list --all           every benchmark
              rxbench list --results       stored results, oldest first
              rxbench list --json          for programs: every benchmark

            A family is what stands before an ID's last name. Where its benchmarks inform several decisions, its line \
            has the first, and the number of the others. What fits on a screen is shown benchmark by benchmark anyway.
            """)

    @Argument(help: "Parts of IDs, globs with '*', or 'tag:<name>'; an overview without any.", completion: .ids)
    var filters: [String] = []
    @Flag(help: "Show every benchmark, not a line for each family.") var all = false
    @Flag(help: "Show stored results instead of benchmarks.") var results = false
    @OptionGroup var stored: StoreOptions
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        guard all else { return }
        if let other = results ? "--results" : filters.first {
            throw ValidationError("'--all' and '\(other)' are alternatives. Give one of them.")
        }
    }

    func run() throws {
        if results { listResults() } else { try listBenchmarks() }
    }

    private func listBenchmarks() throws {
        let catalog = RxBenchMain.current.catalog
        let selected = Set(try Selection.benchmarks(filters, in: catalog).map(\.id))
        if json {
            return try Console.print(json: catalog.benchmarks.filter { selected.contains($0.id) }.map(Description.init))
        }
        if filters.isEmpty, !all, selected.count > Self.mostOnAScreen { return listFamilies(of: catalog) }
        for suite in catalog.suites {
            let benchmarks = suite.benchmarks.filter { selected.contains($0.id) }
            guard !benchmarks.isEmpty else { continue }
            var table = TextTable([(suite.name, .left), ("tags", .left), ("decides", .left)])
            for benchmark in benchmarks {
                table.add([benchmark.id.text, benchmark.tags.joined(separator: " "), benchmark.decides])
            }
            let fitted = Console.resultColumns.map { table.text(fitting: $0, dropping: ["tags"]) }
            Console.print((fitted ?? table.text) + "\n")
        }
        Console.verdict("\(Figures.counted(selected.count, "benchmark")).", outcome: .fine)
    }

    /// The largest number of benchmarks that are listed one by one unless the user asks for all.
    private static let mostOnAScreen = 24

    private func listFamilies(of catalog: Catalog) {
        var count = 0
        for suite in catalog.suites where !suite.benchmarks.isEmpty {
            var table = TextTable([(suite.name, .left), ("benchmarks", .right), ("decides", .left)])
            for (family, benchmarks) in Self.families(of: suite.benchmarks) {
                table.add([family, "\(benchmarks.count)", Self.decisions(of: benchmarks)])
            }
            count += table.rows.count
            let fitted = Console.resultColumns.map { table.text(fitting: $0, isGrouped: false) }
            Console.print((fitted ?? table.text) + "\n")
        }
        let families = count == 1 ? "1 family" : "\(count) families"
        let words = """
            \(Figures.counted(catalog.benchmarks.count, "benchmark")) in \(families): \
            'rxbench list ID' shows those with 'ID' in theirs, 'rxbench list --all' each.
            """
        Console.verdict(RxBenchMain.named(words), outcome: .fine)
    }

    /// Groups `benchmarks` into families, in the order of each family's first benchmark. An ID without a slash forms a
    /// family by itself.
    private static func families(of benchmarks: [Benchmark]) -> [(name: String, benchmarks: [Benchmark])] {
        var families: [(name: String, benchmarks: [Benchmark])] = []
        var places: [String: Int] = [:]
        for benchmark in benchmarks {
            let path = TextTable.family(of: benchmark.id.text)
            let name = path.family.isEmpty ? path.name : path.family
            let place = places[name, default: families.count]
            places[name] = place
            if place == families.count { families.append((name, [])) }
            families[place].benchmarks.append(benchmark)
        }
        return families
    }

    /// Returns the first decision that `benchmarks` inform, followed by the number of other decisions.
    private static func decisions(of benchmarks: [Benchmark]) -> String {
        let others = Set(benchmarks.map(\.decides)).count - 1
        return benchmarks[0].decides + (others == 0 ? "" : " (\(others) more)")
    }

    private func listResults() {
        let files = stored.store.files
        if json { return (try? Console.print(json: files.map(StoredDescription.init))) ?? () }
        var table = TextTable([("date", .left), ("commit", .left), ("machine", .left), ("file", .left)])
        for file in files {
            table.add([file.date, file.commit + (file.isDirty ? " (dirty)" : ""), file.machine, file.path])
        }
        Console.print(table)
        Console.verdict("\(Figures.counted(files.count, "stored result")) in '\(stored.output)'.", outcome: .fine)
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

        init(_ file: ResultStore.File) {
            date = file.date
            commit = file.commit
            machine = file.machine
            path = file.path
            isDirty = file.isDirty
        }
    }
}

/// Selects the benchmarks that a command works on.
enum Selection {
    /// Returns the benchmarks that `filters` select, in the order of the suites.
    static func benchmarks(_ filters: [String], in catalog: Catalog) throws(CommandFailure) -> [Benchmark] {
        guard let idle = unknown(filters, in: catalog) else {
            return BenchmarkFilter.select(filters, from: catalog.benchmarks)
        }
        throw CommandFailure(.usage, "No benchmark matches '\(idle.word)'. \(idle.advice)")
    }

    /// Returns the first filter that selects nothing and a sentence that suggests another, or `nil` if every filter
    /// selects something.
    static func unknown(_ filters: [String], in catalog: Catalog) -> (word: String, advice: String)? {
        let all = catalog.benchmarks
        return filters.first { BenchmarkFilter.select([$0], from: all).isEmpty }.map {
            ($0, suggestion(for: $0, in: all))
        }
    }

    /// Returns the IDs that `filters` select from `listed`, in the order of `listed`. Without filters, benchmarks with
    /// unsteady times are left out, unless all benchmarks are unsteady.
    static func ids(
        _ filters: [String], among listed: [ListedBenchmark]
    ) throws(CommandFailure) -> (compared: [String], leftOut: [String]) {
        func selected(_ filters: [String]) -> [String] {
            let filters = filters.map(BenchmarkFilter.init)
            return listed.filter { benchmark in
                filters.isEmpty || filters.contains { $0.selects(id: benchmark.id, tags: benchmark.tags) }
            }.map(\.id)
        }
        guard let idle = filters.first(where: { selected([$0]).isEmpty }) else {
            guard filters.isEmpty else { return (selected(filters), []) }
            let unsteady = selected(["tag:\(Benchmark.unsteadyTag)"])
            let steady = selected([]).filter { !unsteady.contains($0) }
            return steady.isEmpty ? (unsteady, []) : (steady, unsteady)
        }
        let advice = nearest(to: idle, among: listed.map(\.id)).map { " \($0)" } ?? ""
        throw CommandFailure(.usage, "No benchmark of either side matches '\(idle)'.\(advice)")
    }

    /// Returns a sentence that lists the names similar to `word`, or `nil` if no name is.
    static func nearest(to word: String, among names: [String]) -> String? {
        let nearest = BenchmarkFilter.nearest(to: word, among: names).map { "'\($0)'" }
        return nearest.isEmpty ? nil : "The nearest: \(nearest.joined(separator: ", "))."
    }

    /// Returns a sentence that suggests the name `word` is most likely a typing error of, or `nil`.
    static func meant(by word: String, among names: [String]) -> String? {
        let distances = names.map { name in (name: name, distance: distance(from: word, to: name)) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }),
            EditDistance.isMistake(nearest.distance, in: word)
        else { return nil }
        return "Did you mean '\(nearest.name)'?"
    }

    /// Returns the edit distance from `word` to `name`, or to the part of `name` after the first slash if that is
    /// closer. People often leave out the part before the slash.
    private static func distance(from word: String, to name: String) -> Int {
        let whole = EditDistance.between(word, name)
        guard let slash = name.firstIndex(of: "/") else { return whole }
        return min(whole, 1 + EditDistance.between(word, String(name[name.index(after: slash)...])))
    }

    private static func suggestion(for filter: String, in benchmarks: [Benchmark]) -> String {
        if filter.hasPrefix("tag:") {
            let tags = Set(benchmarks.flatMap(\.tags)).sorted()
            return tags.isEmpty ? "No benchmark has a tag." : "The tags are \(tags.joined(separator: ", "))."
        }
        return nearest(to: filter, among: benchmarks.map(\.id.text)) ?? "Run 'rxbench list' to see all IDs."
    }
}
