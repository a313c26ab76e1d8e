import RxBench
import RxBenchStatistics

/// The JSON that the Java Microbenchmark Harness writes with `-rf json`, ordo-one/package-benchmark with
/// `--format jmh`, and ``JMHFormat``.
///
/// A fork is a process: its figure is the median of its iterations in `rawData`, or of its samples in
/// `rawDataHistogram`. Modes `avgt`, `sample` and `ss` are times. A throughput (`thrpt`) is turned round: the time of
/// an operation is one divided by the operations in a unit of time, sample by sample.
struct JMHImport: ImportFormat {
    /// `jmh`.
    let name = "jmh"
    /// JMH and package-benchmark.
    let writers = "JMH's '-rf json', and package-benchmark's '--format jmh'"

    /// By a list.
    func recognises(_ text: ImportedText) -> Bool { text.firstByte == UInt8(ascii: "[") }

    /// The one run of the document.
    func runs(in text: ImportedText) throws(ImportProblem) -> [ImportedRun] {
        guard let entries = try ImportedJSON(text).list else {
            throw ImportProblem("it is JSON, but not the list of benchmarks that JMH writes")
        }
        guard !entries.isEmpty else { throw ImportProblem("it has no benchmark") }
        var run = ImportedRun()
        for (index, entry) in entries.enumerated() {
            guard let name = entry["benchmark"]?.text, !name.isEmpty else {
                throw ImportProblem("line \(entry.line): entry \(index + 1) has no text 'benchmark'")
            }
            let place = "line \(entry.line), entry \(ImportProblem.quoted(name)),"
            if let version = entry["jmhVersion"]?.text { (run.facts.tool, run.facts.toolVersion) = ("JMH", version) }
            if name.hasPrefix("package.benchmark."), run.facts.tool == nil { run.facts.tool = "package-benchmark" }
            try Self.read(entry, name, into: &run, place: place)
        }
        return [run]
    }

    private static func read(
        _ entry: ImportedJSON, _ name: String, into run: inout ImportedRun, place: String
    ) throws(ImportProblem) {
        var parameters: [(name: String, value: String)] = []
        for (key, value) in entry["params"]?.members ?? [] {
            guard let text = value.text else {
                throw ImportProblem("\(place) has a parameter \(ImportProblem.quoted(key)) that is no text")
            }
            parameters.append((key, text))
        }
        // An export of this tool's keeps the order of parameters so.
        let id: BenchmarkID
        if let own = entry["id"]?.text.flatMap({ try? BenchmarkID($0) }) {
            id = own
        } else {
            id = try ImportedName.id(
                of: name.split(separator: ".").map(String.init), parameters: parameters, place: place)
        }
        let full =
            name + (parameters.isEmpty ? "" : " " + parameters.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
        guard let primary = entry["primaryMetric"] else { throw ImportProblem("\(place) has no 'primaryMetric'") }
        let mode = entry["mode"]?.text ?? "avgt"
        try run.benchmarks.update(id, name: full, place: place) { benchmark throws(ImportProblem) in
            guard benchmark.series.isEmpty else {
                throw ImportProblem(
                    "\(place) comes twice; JMH writes one entry for each mode: leave all but one mode out")
            }
            benchmark.series.append(try time(primary, mode: mode, place: place))
            for (name, value) in entry["secondaryMetrics"]?.members ?? [] {
                guard let series = try secondary(value, name, place: place) else { continue }
                guard !benchmark.series.contains(where: { $0.definition.name == series.definition.name }) else {
                    throw ImportProblem(
                        """
                        \(place) has two metrics that would both be called '\(series.definition.name)'; rename one \
                        of them
                        """
                    )
                }
                benchmark.series.append(series)
            }
        }
    }

    private static func time(
        _ metric: ImportedJSON, mode: String, place: String
    ) throws(ImportProblem) -> ImportedSeries {
        let unit = metric["scoreUnit"]?.text ?? ""
        let scale: (Double) -> Double
        switch mode {
        case "avgt", "sample", "ss":
            guard unit.hasSuffix("/op"), let size = ImportedMetric.nanoseconds(ofUnit: String(unit.dropLast(3))) else {
                throw ImportProblem(
                    "\(place) has the unit \(ImportProblem.quoted(unit)), which is no time of an operation as 'ns/op'")
            }
            scale = { $0 * size }
        case "thrpt":
            // package-benchmark writes '# / s'.
            let words = unit.split(separator: "/").map(\.trimmed)
            guard words.count == 2, ["ops", "#"].contains(words[0]),
                let size = ImportedMetric.nanoseconds(ofUnit: words[1])
            else {
                throw ImportProblem(
                    "\(place) has the unit \(ImportProblem.quoted(unit)), which is no throughput as 'ops/s'")
            }
            scale = { size / $0 }
        default:
            throw ImportProblem(
                "\(place) has the mode \(ImportProblem.quoted(mode)), which is none of avgt, sample, ss, thrpt")
        }
        var series = try series(metric, ImportedMetric.time, place: place, scale: scale)
        for value in series.values { _ = try value.importableTime(place) }
        // Histograms are weighed, and have no samples in the order of measurement.
        if series.samples?.allSatisfy({ $0.count < 2 }) == true { series.samples = nil }
        return series
    }

    /// A metric beside the time, or `nil` for one that has no number.
    private static func secondary(
        _ metric: ImportedJSON, _ name: String, place: String
    ) throws(ImportProblem) -> ImportedSeries? {
        guard metric["score"]?.number?.isNaN == false || metric["rawData"] != nil else { return nil }
        let unit = metric["scoreUnit"]?.text ?? ""
        let definition = ImportedMetric.definition(
            name, unit: unit.isEmpty ? "not stated" : unit == "#" ? "count" : unit)
        var series = try series(metric, definition, place: "\(place) metric \(ImportProblem.quoted(name)),") { $0 }
        series.samples = nil
        return series
    }

    private static func series(
        _ metric: ImportedJSON, _ definition: MetricDefinition, place: String, scale: (Double) -> Double
    ) throws(ImportProblem) -> ImportedSeries {
        var series = ImportedSeries(definition: definition, isExact: ImportedMetric.isExact(definition), values: [])
        if let forks = metric["rawDataHistogram"]?.list {
            for fork in forks {
                series.values.append(try scale(median(ofHistogram: fork, place: place)).importable(place))
            }
        } else {
            let forks = try samples(metric["rawData"], place: place, scale: scale)
            series.values = forks.compactMap { Quantiles.median(of: $0) }
            series.samples = forks
            if let own = metric["forkScores"]?.list, own.count == forks.count {
                series.values = []
                for score in own { series.values.append(try scale(number(score, place: place)).importable(place)) }
            }
        }
        if series.values.isEmpty {
            guard let score = metric["score"] else {
                throw ImportProblem("\(place) has neither 'rawData' nor a 'score'")
            }
            series.values = [try scale(number(score, place: place)).importable(place)]
            series.samples = nil
        }
        guard series.values.count <= ImportedBenchmark.mostProcesses else {
            throw ImportProblem(
                "\(place) has more than the \(ImportedBenchmark.mostProcesses) forks that a result can hold")
        }
        return series
    }

    private static func samples(
        _ raw: ImportedJSON?, place: String, scale: (Double) -> Double
    ) throws(ImportProblem) -> [[Double]] {
        var forks: [[Double]] = []
        for fork in raw?.list ?? [] {
            guard let iterations = fork.list else {
                throw ImportProblem("\(place) has 'rawData' that is no list of lists")
            }
            guard !iterations.isEmpty else { continue }
            var samples: [Double] = []
            for iteration in iterations { samples.append(try scale(number(iteration, place: place)).importable(place)) }
            forks.append(samples)
        }
        return forks
    }

    private static func number(_ value: ImportedJSON, place: String) throws(ImportProblem) -> Double {
        guard let number = value.number else {
            throw ImportProblem("\(place) has something else in line \(value.line) where a number belongs")
        }
        return try number.importable(place)
    }

    /// A fork's iterations are lists of pairs, a value and how often it was seen.
    private static func median(ofHistogram fork: ImportedJSON, place: String) throws(ImportProblem) -> Double {
        var weights: [(value: Double, count: Double)] = []
        for pair in (fork.list ?? []).flatMap({ $0.list ?? [] }) {
            guard let words = pair.list, words.count == 2, let value = words[0].number, let count = words[1].number,
                count > 0, count <= 1e15
            else {
                throw ImportProblem(
                    "\(place) has something else in line \(pair.line) where a value and its count belong")
            }
            weights.append((try value.importable(place), count))
        }
        weights.sort { $0.value < $1.value }
        let half = weights.reduce(0) { $0 + $1.count } / 2
        var seen = 0.0
        for (value, count) in weights {
            seen += count
            if seen >= half { return value }
        }
        throw ImportProblem("\(place) has an empty 'rawDataHistogram'")
    }
}
