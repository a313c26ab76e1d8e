import Foundation
import RxBench
import RxBenchStatistics

/// A text form of results that another tool reads.
///
/// A formatter is a pure function. A figure that is unavailable is left out, or marked where the format has a mark; it
/// is never 0.
package protocol ExportFormat: Sendable {
    /// The format's name on the command line: `google-benchmark`.
    var name: String { get }
    /// The tools that read it, in a few words.
    var readers: String { get }
    /// Whether one document can contain several results and distinguish them; `false` by default.
    var holdsSeveralResults: Bool { get }
    /// Whether the format has a place for a benchmark that failed; `false` by default.
    var holdsFailures: Bool { get }
    /// The whole document, ending in a line feed. O(*n*) in the number of samples.
    ///
    /// - Parameter results: One result, or several where ``holdsSeveralResults``.
    func document(of results: [RunResult]) -> String
}

extension ExportFormat {
    package var holdsSeveralResults: Bool { false }
    package var holdsFailures: Bool { false }

    /// IDs of the benchmarks of `results` that failed and that the format has no place for.
    package func omissions(from results: [RunResult]) -> [String] {
        holdsFailures ? [] : results.flatMap(\.benchmarks).filter { $0.failure != nil }.map(\.id)
    }
}

/// All formats.
package enum ExportFormats {
    /// In the order of the help text.
    package static let all: [any ExportFormat] = [
        BenchstatFormat(), GoogleBenchmarkFormat(), CSVFormat(),
    ]

    /// The format called `name`, or `nil`.
    package static func named(_ name: String) -> (any ExportFormat)? { all.first { $0.name == name } }
}

/// JSON whose keys are not known at compile time.
struct ExportJSON: Encodable, Sendable {
    private let value: any Encodable & Sendable

    static func text(_ value: String) -> Self { Self(value: value) }
    static func number(_ value: Double) -> Self { Self(value: value) }
    static func integer(_ value: Int) -> Self { Self(value: value) }
    static func list(_ value: [Self]) -> Self { Self(value: value) }
    static func object(_ value: [String: Self]) -> Self { Self(value: value) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// Readable, with sorted keys, ending in a line feed.
    var document: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // A file may hold figures so large that a difference of two is infinite.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("JSON can express every ExportJSON.")
        }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

/// A metric as other tools expect it: a single execution of a benchmark is one *operation*, so allocations are divided
/// by the operations of an iteration.
struct ExportedFigure {
    let metric: Metric
    /// The unit of all values below: `ns/op`, `B/op`, `count/op`, `count/iteration`.
    let unit: String
    private let operations: Double

    init(_ metric: Metric, of benchmark: BenchmarkResult) {
        self.metric = metric
        let share = ShownMetric.share(of: metric.name, unit: metric.unit, operations: benchmark.operations)
        operations = share ?? 1
        let text =
            share != nil
            ? metric.unit.replacingSuffix("/iteration", "/op") : metric.unit.replacingSuffix("/operation", "/op")
        unit = text.hasPrefix("bytes") ? "B" + text.dropFirst(5) : text
    }

    /// The figure, or `nil` when it is unavailable.
    var value: Double? { metric.reading.value.map { $0 / operations } }

    /// Where the figure lies.
    var interval: Metric.Interval? { metric.interval?.divided(by: operations) }

    /// The reading of the run's `index`-th process, or `nil`. A count on which all iterations agreed is the same in
    /// every process.
    func reading(ofProcess index: Int) -> Double? {
        guard let value else { return nil }
        if metric.kind == .exact, metric.isStable == true { return value }
        return metric.values.indices.contains(index) ? metric.values[index] / operations : nil
    }

    /// The smallest relative change of a sampled figure that an equal run would have shown, or `nil`.
    var detectableEffect: Double? { Self.detectableEffect(of: metric) }

    /// The smallest relative change of `metric` that an equal run would have shown, or `nil` for a count and without
    /// seven processes.
    static func detectableEffect(of metric: Metric) -> Double? {
        metric.kind == .sampled && metric.reading.value != nil
            ? DetectableEffect.relative(ofProcessMedians: metric.values) : nil
    }

    /// Whether the figure is a time in nanoseconds.
    var isTime: Bool { unit == "ns" || unit.hasPrefix("ns/") }
}

extension BenchmarkResult {
    /// The metrics that have a value.
    var availableFigures: [ExportedFigure] { metrics.map { ExportedFigure($0, of: self) }.filter { $0.value != nil } }

    /// How many processes measured the benchmark.
    var processes: Int { metric(Metric.time)?.values.count ?? 0 }

    /// The least number of operations that the stored samples of a process represent: each was taken over one iteration
    /// or more.
    func leastOperations(inProcess index: Int) -> Int {
        let samples = metric(Metric.time)?.samples ?? []
        let count = samples.indices.contains(index) ? max(samples[index].count, 1) : 1
        let (product, hasOverflown) = max(operations, 1).multipliedReportingOverflow(by: count)
        return hasOverflown ? Int.max : product
    }
}

extension String {
    func replacingSuffix(_ suffix: String, _ replacement: String) -> String {
        hasSuffix(suffix) ? dropLast(suffix.count) + replacement : self
    }

    /// The words of a name in camel case, in lowercase: `peakResidentBytes` gives `["peak", "resident", "bytes"]`.
    var camelCaseWords: [String] {
        var words: [String] = []
        for character in self {
            if words.isEmpty || character.isUppercase { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
