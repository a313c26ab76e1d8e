import RxBenchEngine

/// A table for spreadsheets and data frames, with one row for each metric and one for each outcome of a race.
///
/// The format follows RFC 4180: a header, rows that end in CR LF, and quotes around fields that contain commas, quotes
/// or line ends. Figures keep their stored units and are not rounded. An empty field means that the figure does not
/// exist, and the `note` column gives the reason.
struct CSVFormat: ExportFormat {
    let name = "csv"
    let readers = "spreadsheets and data frames (RFC 4180)"
    /// Each row names the run that it belongs to.
    let holdsSeveralResults = true
    /// A failed benchmark is written as a row with a note.
    let holdsFailures = true

    static let columns = [
        "benchmark", "metric", "unit", "kind", "value", "low", "high", "confidence", "detectable", "stable", "threaded",
        "values", "operations", "note", "date",
        "commit", "dirty", "machine", "configuration", "tracing",
    ]

    /// Returns the header and all rows.
    func document(of results: [RunResult]) -> String {
        let rows = results.flatMap { result in
            let run = Self.run(result)
            return result.benchmarks.flatMap { Self.rows($0) }.map { $0 + run }
        }
        return ([Self.columns] + rows).map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func run(_ result: RunResult) -> [String] {
        let commit = result.commit.value
        return [
            result.run.date, commit?.sha ?? "", commit.map { "\($0.isDirty)" } ?? "", result.environment.machine,
            result.environment.configuration,
            "\(result.environment.isTracing)",
        ]
    }

    private static func rows(_ benchmark: BenchmarkResult) -> [[String]] {
        let operations = "\(benchmark.operations)"
        if let failure = benchmark.failure {
            return [[benchmark.id, "", "", "failure"] + Array(repeating: "", count: 8) + [operations, failure]]
        }
        let metrics = benchmark.metrics.map { metric in
            var note = ""
            if case .unavailable(let reason) = metric.reading { note = "unavailable: \(reason)" }
            let detectable = ExportedFigure(metric, of: benchmark).detectableEffect
            return [
                benchmark.id, metric.name, metric.unit.description, metric.kind.rawValue, number(metric.reading.value),
                number(metric.interval?.low),
                number(metric.interval?.high), number(metric.interval?.confidence), number(detectable),
                metric.isStable.map { "\($0)" } ?? "",
                metric.isThreaded.map { "\($0)" } ?? "", metric.values.map { "\($0)" }.joined(separator: " "),
                operations, note,
            ]
        }
        let outcomes = (benchmark.outcomes ?? []).map { outcome in
            [benchmark.id, outcome.label, "rounds", "outcome", "\(outcome.count)"] + Array(repeating: "", count: 7)
                + [operations, outcome.expectation.rawValue]
        }
        return metrics + outcomes
    }

    private static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }

    /// Quotes a field according to RFC 4180, section 2, rules 5 to 7.
    static func field(_ text: String) -> String {
        // Compares Unicode scalars, because CR LF is a single `Character`.
        guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
