import Foundation
import RxBench
import RxBenchEngine

/// A text format of results that another tool reads.
///
/// A formatter is a pure function. An unavailable figure is left out, or marked if the format has a mark for it. It is
/// never written as 0.
package protocol ExportFormat: Sendable {
    /// The name of the format on the command line, such as `google-benchmark`.
    var name: String { get }
    /// A short description of the tools that read the format.
    var readers: String { get }
    /// Whether one document can contain several results and distinguish them. The default is `false`.
    var holdsSeveralResults: Bool { get }
    /// Whether the format can represent a benchmark that failed. The default is `false`.
    var holdsFailures: Bool { get }
    /// Returns the complete document, which ends in a line feed. O(*n*) in the number of samples.
    ///
    /// - Parameter results: One result, or several results if ``holdsSeveralResults`` is true.
    func document(of results: [RunResult]) -> String
}

extension ExportFormat {
    package var holdsSeveralResults: Bool { false }
    package var holdsFailures: Bool { false }

    /// Returns the IDs of the failed benchmarks in `results` that the format cannot represent.
    package func omissions(from results: [RunResult]) -> [String] {
        holdsFailures ? [] : results.flatMap(\.benchmarks).filter { $0.failure != nil }.map(\.id)
    }
}

/// The available export formats.
package enum ExportFormats {
    /// All formats, in the order of the help text.
    package static let all: [any ExportFormat] = [
        BenchstatFormat(), GoogleBenchmarkFormat(), CSVFormat(),
    ]

    /// Returns the format with the name `name`, or `nil` if there is no such format.
    package static func named(_ name: String) -> (any ExportFormat)? { all.first { $0.name == name } }
}

/// A JSON value whose structure is not known at compile time.
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

    /// The value as indented JSON with sorted keys, ending in a line feed.
    var document: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // A file may contain figures so large that the difference of two is infinite.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("JSON can express every ExportJSON.")
        }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}

/// A metric in the form that other tools expect. For these tools, one execution of a benchmark is one *operation*, so
/// allocations are divided by the number of operations in an iteration.
struct ExportedFigure {
    let metric: Metric
    /// The unit of all values below: for an operation, if the figure is shared among the operations of an iteration.
    let shared: MetricUnit
    /// The text of the unit, in the words of these tools: `ns/op`, `B/op`, `count/op`, `count/iteration`.
    var unit: String {
        let base = shared.isPerOperation ? "op" : shared.base
        return MetricUnit(quantity: shared.isBytes ? "B" : shared.quantity, base: base).description
    }
    private let operations: Double

    init(_ metric: Metric, of benchmark: BenchmarkResult) {
        self.metric = metric
        let share = ShownMetric.share(of: metric.name, unit: metric.unit, operations: benchmark.operations)
        operations = share ?? 1
        shared = share != nil ? MetricUnit(quantity: metric.unit.quantity, base: "operation") : metric.unit
    }

    /// The figure, or `nil` if it is unavailable.
    var value: Double? { metric.reading.value.map { $0 / operations } }

    /// The confidence interval of the figure.
    var interval: Metric.Interval? { metric.interval?.divided(by: operations) }

    /// Returns the reading of the process with the given index, or `nil` if it has no reading. If all iterations agreed
    /// on a count, it is the same in every process.
    func reading(ofProcess index: Int) -> Double? {
        guard let value else { return nil }
        if metric.kind == .exact, metric.isStable == true { return value }
        return metric.values.indices.contains(index) ? metric.values[index] / operations : nil
    }

    /// The smallest relative change of a sampled figure that an equal run would have detected, or `nil`.
    var detectableEffect: Double? { Self.detectableEffect(of: metric) }

    /// Returns the smallest relative change of `metric` that an equal run would have detected. Returns `nil` for a
    /// count, or if there are fewer than seven processes.
    static func detectableEffect(of metric: Metric) -> Double? {
        metric.kind == .sampled && metric.reading.value != nil
            ? DetectableEffect.relative(ofProcessMedians: metric.values) : nil
    }

    /// Whether the figure is a time in nanoseconds.
    var isTime: Bool { shared.isTime }
}

extension BenchmarkResult {
    /// The metrics that have a value.
    var availableFigures: [ExportedFigure] { metrics.map { ExportedFigure($0, of: self) }.filter { $0.value != nil } }

    /// The number of processes that measured the benchmark.
    var processes: Int { metric(Metric.time)?.values.count ?? 0 }

    /// Returns the smallest number of operations that the stored samples of a process can represent. Each sample was
    /// taken over at least one iteration.
    func leastOperations(inProcess index: Int) -> Int {
        let samples = metric(Metric.time)?.samples ?? []
        let count = samples.indices.contains(index) ? max(samples[index].count, 1) : 1
        let (product, hasOverflown) = max(operations, 1).multipliedReportingOverflow(by: count)
        return hasOverflown ? Int.max : product
    }
}

extension String {
    /// The words of a name in camel case, in lowercase: `peakResidentBytes` becomes `["peak", "resident", "bytes"]`.
    var camelCaseWords: [String] {
        var words: [String] = []
        for character in self {
            if words.isEmpty || character.isUppercase { words.append("") }
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
