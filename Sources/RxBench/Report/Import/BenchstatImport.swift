import RxBench

/// The output of `go test -bench`, which ``BenchstatFormat`` writes too: "Go Benchmark Data Format"
/// (golang.org/design/14313-benchmark-format).
///
/// Lines of one name are processes. The package's path and the name's parts become the ID; `-8` at the end of all names
/// alike is the number of processors and left out, and where it differs it becomes the parameter `procs`. A line of
/// configuration that changes begins another run, `pkg` excepted. A line `--- FAIL: BenchmarkName` is a failure with
/// the indented lines behind it as its message.
struct BenchstatImport: ImportFormat {
    /// `benchstat`.
    let name = "benchstat"
    /// Go.
    let writers = "go test -bench, and what benchstat reads"

    /// By a line that begins a benchmark or a failure.
    func recognises(_ text: ImportedText) -> Bool {
        var isFound = false
        text.forEachLine { _, line in
            isFound = isFound || line.starts(with: "Benchmark".utf8) || line.starts(with: Self.failure.utf8)
        }
        return isFound
    }

    /// The runs, told apart by their configuration.
    func runs(in text: ImportedText) throws(ImportProblem) -> [ImportedRun] {
        var reader = Reader()
        try text.forEachLine { number, line throws(ImportProblem) in
            try reader.read(String(decoding: line, as: UTF8.self), number)
        }
        let runs = try reader.runs()
        guard runs.contains(where: { !$0.benchmarks.list.isEmpty }) else {
            throw ImportProblem("it has no line that begins with 'Benchmark'")
        }
        return runs
    }

    fileprivate static let failure = "--- FAIL: Benchmark"
}

private struct Reader {
    /// One line of a benchmark, before it is known which names have a number of processors.
    private struct BenchmarkLine {
        let line: Int
        let package: String?
        /// `BenchmarkMerge/sources=8`, without the number of processors.
        let name: String
        let processors: String?
        let pairs: ArraySlice<Substring>
        var failure: [String]?

        /// Parts the number of processors from the name that stands in the file.
        init(line: Int, package: String?, name: Substring, pairs: ArraySlice<Substring> = [], failure: [String]? = nil)
        {
            self.line = line
            self.package = package
            self.pairs = pairs
            self.failure = failure
            let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
            let hasProcessors = digits > 0 && name.dropLast(digits).hasSuffix("-")
            self.name = String(hasProcessors ? name.dropLast(digits + 1) : name)
            processors = hasProcessors ? String(name.suffix(digits)) : nil
        }
    }

    private struct Section {
        var facts: ImportedFacts
        var lines: [BenchmarkLine] = []
    }

    private var sections: [Section] = []
    private var configuration: [String: String] = [:]
    private var isChanged = true
    private var notes: [String] = []
    /// Units that are declared to be counted, and not averaged.
    private var exactUnits: Set<String> = []
    /// Whether indented lines belong to a failure.
    private var isInFailure = false

    mutating func read(_ line: String, _ number: Int) throws(ImportProblem) {
        if isInFailure, line.first == " " || line.first == "\t" {
            let section = sections.count - 1
            sections[section].lines[sections[section].lines.count - 1].failure?.append(line.trimmed)
            return
        }
        isInFailure = false
        if let mark = line.firstRange(of: BenchstatImport.failure), line.hasPrefix("---") || line.hasPrefix("Benchmark")
        {
            isInFailure = true
            // The line may begin with the name too.
            let name = line[mark.lowerBound...].dropFirst("--- FAIL: ".count).prefix { !$0.isWhitespace }
            add(BenchmarkLine(line: number, package: configuration["pkg"], name: name, failure: []))
        } else if line.hasPrefix("Benchmark") {
            try benchmark(line, number)
        } else if line.hasPrefix("Commit "), let run = line.dropFirst(7).wholeMatch(of: /(\S+), run at (\S+)/) {
            // The note that an export of one result has for readers.
            set("commit", to: String(run.1))
            set("date", to: String(run.2))
        } else if line.hasPrefix("Unit ") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.contains("assume=exact") { exactUnits.insert(String(words[1])) }
        } else if line.hasPrefix("FAIL\t") {
            notes.append(
                """
                Line \(number): the tests of package \(ImportProblem.quoted(line.dropFirst(5).prefix { $0 != "\t" })) \
                failed there.
                """
            )
        } else if let colon = line.firstIndex(of: ":"), line.first?.isLowercase == true {
            let key = line[..<colon]
            if !key.contains(where: { $0.isWhitespace || $0.isUppercase }) {
                set(String(key), to: line[line.index(after: colon)...].trimmed)
            }
        }
    }

    private mutating func set(_ key: String, to value: String) {
        guard configuration[key] != value else { return }
        configuration[key] = value
        if key != "pkg" { isChanged = true }
    }

    private mutating func benchmark(_ line: String, _ number: Int) throws(ImportProblem) {
        let words = line.split(whereSeparator: \.isWhitespace)
        // With '-v', names stand on a line of their own before they run.
        guard words.count > 1 else { return }
        guard let iterations = Int(words[1]), iterations > 0 else {
            throw ImportProblem(
                "line \(number) has \(ImportProblem.quoted(words[1])) where the number of iterations belongs")
        }
        guard words.count >= 4, words.count.isMultiple(of: 2) else {
            throw ImportProblem(
                "line \(number) is cut off: behind the number of iterations, values and units come in pairs")
        }
        add(BenchmarkLine(line: number, package: configuration["pkg"], name: words[0], pairs: words[2...]))
    }

    private mutating func add(_ entry: BenchmarkLine) {
        if isChanged {
            let facts = facts
            // A line that says what was said before begins nothing.
            if sections.last?.facts != facts { sections.append(Section(facts: facts)) }
            isChanged = false
        }
        sections[sections.count - 1].lines.append(entry)
    }

    private var facts: ImportedFacts {
        var facts = ImportedFacts()
        facts.tool = configuration["tool"]
        facts.date = configuration["date"].flatMap(ImportedDate.normalised)
        facts.commit = configuration["commit"].flatMap { Commit(imported: $0) }
        facts.machine.name = configuration["machine"]
        facts.machine.operatingSystem = configuration["goos"]
        facts.machine.architecture = configuration["goarch"] ?? configuration["arch"]
        facts.machine.processor = configuration["cpu"]
        facts.configuration = configuration["configuration"]
        facts.isTracing = ["on": true, "off": false][configuration["tracing"] ?? ""]
        return facts
    }

    func runs() throws(ImportProblem) -> [ImportedRun] {
        let processors = Set(sections.flatMap(\.lines).map(\.processors))
        var runs: [ImportedRun] = []
        for section in sections {
            var run = ImportedRun(facts: section.facts)
            for entry in section.lines { try add(entry, to: &run, hasProcessors: processors.count > 1) }
            runs.append(run)
        }
        if !runs.isEmpty { runs[0].notes = notes }
        return runs
    }

    private func add(_ entry: BenchmarkLine, to run: inout ImportedRun, hasProcessors: Bool) throws(ImportProblem) {
        let place = "line \(entry.line)"
        let parts = (entry.package.map { [$0] } ?? []) + [String(entry.name.dropFirst("Benchmark".count))]
        let path = parts.flatMap { $0.split(separator: "/").map(String.init) }
        var id = try ImportedName.id(of: path.map { $0.isEmpty ? "-" : $0 }, place: place)
        if hasProcessors { id = try id.adding("procs", entry.processors ?? "1", place: place) }
        let name =
            (entry.package.map { "\($0) " } ?? "") + entry.name + (hasProcessors ? "-\(entry.processors ?? "1")" : "")
        try run.benchmarks.update(id, name: name, place: place) { benchmark throws(ImportProblem) in
            if let lines = entry.failure {
                benchmark.failure =
                    lines.isEmpty ? "It failed there, and the file does not say why." : lines.joined(separator: " ")
            }
            var units: Set<Substring> = []
            for index in stride(from: entry.pairs.startIndex, to: entry.pairs.endIndex, by: 2) {
                let unit = entry.pairs[index + 1]
                guard units.insert(unit).inserted else {
                    throw ImportProblem("\(place) has two values in \(ImportProblem.quoted(unit))")
                }
                let definition = ImportedMetric.definition(ofGoUnit: BenchstatFormat.unescaped(unit))
                let number = try String(entry.pairs[index]).importedNumber(place)
                let value = definition == ImportedMetric.time ? try number.importableTime(place) : number
                // Go divides all bytes of a run by its iterations; what is allocated once, or now and then, makes the
                // average move with their number.
                let isExact = ImportedMetric.isExact(definition) && (unit != "B/op" || exactUnits.contains("B/op"))
                try benchmark.add(value, to: definition, isExact: isExact, place: place)
            }
        }
    }
}

extension BenchmarkID {
    /// The ID with one more parameter.
    func adding(_ name: String, _ value: String, place: String) throws(ImportProblem) -> BenchmarkID {
        do { return try BenchmarkID(text + (text.contains("?") ? "&" : "?") + "\(name)=\(value)") } catch {
            throw ImportProblem("\(place): '\(text)' cannot have the parameter '\(name)': \(error.reason)")
        }
    }
}

extension StringProtocol {
    /// Without white space at the ends.
    var trimmed: String { String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
}
