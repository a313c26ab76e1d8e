import RxBench

/// The table that ``CSVFormat`` writes: everything of a result but raw samples and the machine beyond its name.
struct CSVImport: ImportFormat {
    /// `csv`.
    let name = "csv"
    /// This tool.
    let writers = "rxbench export --format csv"

    /// By the name of its first column.
    func recognises(_ text: ImportedText) -> Bool { text.firstLine.hasPrefix("benchmark,") }

    /// The runs, told apart by what the last columns say.
    func runs(in text: ImportedText) throws(ImportProblem) -> [ImportedRun] {
        var rows = CSVRows(text.bytes)
        guard let header = try rows.next() else { throw ImportProblem("it is empty") }
        var columns: [String: Int] = [:]
        for (index, title) in header.enumerated() { columns[title] = index }
        // Tables from before the column of threads have no such counts.
        if let missing = CSVFormat.columns.first(where: { columns[$0] == nil && $0 != "threaded" }) {
            throw ImportProblem("line 1 has no column '\(missing)', which 'rxbench export --format csv' writes")
        }
        var runs: [ImportedRun] = []
        var places: [[String]: Int] = [:]
        while let fields = try rows.next() {
            guard fields.count == header.count else {
                throw ImportProblem(
                    "line \(rows.line) has \(Figures.counted(fields.count, "field")) instead of \(header.count)")
            }
            let row = Row(fields: fields, columns: columns, place: "line \(rows.line)")
            let key = ["date", "commit", "dirty", "machine", "configuration", "tracing"].map { row[$0] }
            let index = places[key] ?? runs.count
            if index == runs.count {
                runs.append(ImportedRun(facts: row.facts))
                places[key] = index
            }
            try row.read(into: &runs[index])
        }
        guard !runs.isEmpty else { throw ImportProblem("it has no row below its header") }
        return runs
    }
}

private struct Row {
    let fields: [String]
    let columns: [String: Int]
    let place: String

    subscript(_ column: String) -> String { columns[column].map { fields[$0] } ?? "" }

    var facts: ImportedFacts {
        var facts = ImportedFacts()
        facts.tool = "rxbench"
        facts.date = ImportedDate.normalised(self["date"])
        facts.commit = Commit(imported: self["commit"] + (self["dirty"] == "true" ? "-dirty" : ""))
        facts.machine.name = self["machine"]
        facts.configuration = self["configuration"].isEmpty ? nil : self["configuration"]
        facts.isTracing = ["true": true, "false": false][self["tracing"]]
        return facts
    }

    func read(into run: inout ImportedRun) throws(ImportProblem) {
        let name = self["benchmark"]
        let id: BenchmarkID
        do { id = try BenchmarkID(name) } catch {
            throw ImportProblem("\(place): \(ImportProblem.quoted(name)) is no benchmark's ID: \(error.reason)")
        }
        guard let operations = Int(self["operations"]), operations > 0 else {
            throw ImportProblem(
                "\(place) has \(ImportProblem.quoted(self["operations"])) where the number of operations belongs")
        }
        try run.benchmarks.update(id, name: name, place: place) { benchmark throws(ImportProblem) in
            guard benchmark.operations == operations || benchmark.metrics.isEmpty && benchmark.outcomes.isEmpty else {
                throw ImportProblem(
                    """
                    \(place) gives '\(id)' \(Figures.counted(operations, "operation")), and before \
                    \(benchmark.operations)
                    """
                )
            }
            benchmark.operations = operations
            switch self["kind"] {
            case "failure":
                benchmark.failure =
                    self["note"].isEmpty ? "It failed there, and the file does not say why." : self["note"]
            case "outcome": benchmark.outcomes.append(try outcome())
            default:
                let metric = try metric()
                guard !benchmark.metrics.contains(where: { $0.name == metric.name }) else {
                    throw ImportProblem("\(place) is the second row of '\(metric.name)' of '\(id)'")
                }
                benchmark.metrics.append(metric)
            }
        }
    }

    private func outcome() throws(ImportProblem) -> RaceOutcome {
        guard let count = UInt64(self["value"]), count < 1 << 53, let expectation = Expectation(rawValue: self["note"])
        else {
            throw ImportProblem(
                """
                \(place) is no outcome of a race: 'value' is a count, and 'note' one of acceptable, interesting, \
                forbidden
                """
            )
        }
        return RaceOutcome(label: self["metric"], expectation: expectation, count: count)
    }

    private func metric() throws(ImportProblem) -> Metric {
        let definition = MetricDefinition(name: self["metric"], unit: self["unit"])
        guard ImportedMetric.definition(definition.name, unit: "").name == definition.name, !definition.unit.isEmpty
        else {
            throw ImportProblem(
                """
                \(place): \(ImportProblem.quoted(definition.name)) in \(ImportProblem.quoted(definition.unit)) is \
                no metric and unit
                """
            )
        }
        guard let kind = Metric.Kind(rawValue: self["kind"]) else {
            throw ImportProblem(
                """
                \(place) has the kind \(ImportProblem.quoted(self["kind"])), which is none of exact, sampled, \
                outcome, failure
                """
            )
        }
        guard !self["value"].isEmpty else {
            let prefix = "unavailable: "
            let reason = self["note"].hasPrefix(prefix) ? String(self["note"].dropFirst(prefix.count)) : ""
            return .unavailable(definition, kind, because: reason.isEmpty ? ImportSource.silence : reason)
        }
        let value = try self["value"].importedNumber(place)
        var values: [Double] = []
        for word in self["values"].split(separator: " ") { values.append(try String(word).importedNumber(place)) }
        guard values.count <= ImportedBenchmark.mostProcesses else {
            throw ImportProblem(
                "\(place) has more than the \(ImportedBenchmark.mostProcesses) values that a result can hold")
        }
        if definition.name == Metric.time { for time in values + [value] { _ = try time.importableTime(place) } }
        return .imported(
            definition, kind, .value(value), isStable: ["true": true, "false": false][self["stable"]],
            isThreaded: self["threaded"] == "true" ? true : nil, interval: try interval(), values: values)
    }

    private func interval() throws(ImportProblem) -> Metric.Interval? {
        guard !self["low"].isEmpty || !self["high"].isEmpty else { return nil }
        let low = try self["low"].importedNumber(place)
        let high = try self["high"].importedNumber(place)
        let confidence = try self["confidence"].importedNumber(place)
        guard low <= high, (0...1).contains(confidence) else {
            throw ImportProblem("\(place) has an interval that is none")
        }
        return Metric.Interval(low: low, high: high, confidence: confidence)
    }
}

/// Rows of RFC 4180; a bare line feed ends one too, as spreadsheets write it.
struct CSVRows {
    private let bytes: [UInt8]
    private var index = 0
    private var nextLine = 1
    /// The line in which the last row began.
    private(set) var line = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The fields of the next row, or `nil` at the end.
    mutating func next() throws(ImportProblem) -> [String]? {
        guard index < bytes.count else { return nil }
        line = nextLine
        var fields: [String] = []
        while true {
            fields.append(try bytes[index...].first == UInt8(ascii: "\"") ? quoted() : plain())
            guard index < bytes.count else { return fields }
            let mark = bytes[index]
            index += 1
            if mark == UInt8(ascii: ",") { continue }
            if mark == 0x0D, index < bytes.count, bytes[index] == 0x0A {
                index += 1
            } else if mark != 0x0A {
                throw ImportProblem("line \(nextLine) has something between a field in quotes and the next comma")
            }
            nextLine += 1
            return fields
        }
    }

    private mutating func plain() -> String {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: ","), bytes[index] != 0x0A, bytes[index] != 0x0D {
            index += 1
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func quoted() throws(ImportProblem) -> String {
        let start = nextLine
        var text: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A { nextLine += 1 }
            if byte == UInt8(ascii: "\"") {
                guard index < bytes.count, bytes[index] == byte else { return String(decoding: text, as: UTF8.self) }
                index += 1
            }
            text.append(byte)
        }
        throw ImportProblem("line \(start) begins a field in quotes that does not end")
    }
}
