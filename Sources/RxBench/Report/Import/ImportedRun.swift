import Foundation
import RxBench

/// One run of another tool, as far as its document tells.
package struct ImportedRun: Sendable {
    var facts = ImportedFacts()
    var benchmarks = ImportedBenchmarks()
    /// Notes for a reader that have no place in a result, as sentences.
    var notes: [String] = []
}

/// The facts of the run beside its figures; `nil` where the document does not say.
struct ImportedFacts: Sendable, Equatable {
    var tool: String?
    var toolVersion: String?
    /// ISO 8601 in UTC.
    var date: String?
    var commit: Commit?
    var machine = ImportedMachine()
    var configuration: String?
    var isTracing: Bool?
    var swiftVersion: String?
    var loadAverage: Double?
}

/// The machine of a run; `nil` where the document does not say.
struct ImportedMachine: Sendable, Equatable {
    var name: String?
    var operatingSystem: String?
    var architecture: String?
    var processor: String?
    var cores: Int?

    /// The machine in the form of ``MachineName``.
    var stableName: String {
        if let name, MachineName.isValid(name) { return name }
        let parts = [operatingSystem, architecture, processor.map { MachineName.model(of: $0) }].compactMap(\.self)
        let words = name.map { [$0] } ?? parts
        let count = name == nil ? cores.map { ["\($0)c"] } ?? [] : []
        let plain = ((words.isEmpty && !count.isEmpty ? [MachineName.unknown] : words) + count).flatMap {
            $0.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        }
        return plain.isEmpty
            ? MachineName.unknown : String(plain.joined(separator: "-").prefix(100)).trimmingCharacters(in: ["-"])
    }
}

/// One benchmark of a document.
struct ImportedBenchmark: Sendable {
    let id: BenchmarkID
    /// The document's name of it.
    let name: String
    var operations = 1
    /// Why it failed there; `nil` when it did not.
    var failure: String?
    var series: [ImportedSeries] = []
    /// Metrics that the document describes whole.
    var metrics: [Metric] = []
    var outcomes: [RaceOutcome] = []

    /// Adds what one more process measured.
    mutating func add(
        _ value: Double, to definition: MetricDefinition, isExact: Bool, place: String
    ) throws(ImportProblem) {
        if let index = series.firstIndex(where: { $0.definition.name == definition.name }) {
            guard series[index].definition.unit == definition.unit else {
                throw ImportProblem(
                    """
                    \(place) gives '\(definition.name)' in '\(definition.unit)', and before in \
                    '\(series[index].definition.unit)'
                    """
                )
            }
            guard series[index].values.count < Self.mostProcesses else {
                throw ImportProblem(
                    """
                    \(place) is one more than the \(Self.mostProcesses) measurements of one benchmark that a \
                    result can hold
                    """
                )
            }
            series[index].values.append(value)
        } else {
            series.append(ImportedSeries(definition: definition, isExact: isExact, values: [value]))
        }
    }

    /// A hundred times what a careful run has; what is worked out of processes takes the square of their number.
    static let mostProcesses = 2_000

    var result: BenchmarkResult {
        BenchmarkResult(
            imported: id, decides: "Imported: '\(name)'.", operations: operations, failure: failure,
            metrics: series.map(\.metric) + metrics,
            outcomes: outcomes.isEmpty ? nil : outcomes)
    }
}

/// The figures of one metric of all processes.
struct ImportedSeries: Sendable {
    let definition: MetricDefinition
    let isExact: Bool
    var values: [Double]
    /// Raw samples of each process, where the document has them.
    var samples: [[Double]]?

    var metric: Metric {
        guard isExact else {
            return .sampled(definition, values, samples: samples?.map(Self.thinned), all: samples?.flatMap { $0 })
        }
        guard values.count == 1 else { return .exact(definition, values) }
        // Nobody knows whether a count that was taken once is stable.
        return .imported(definition, .exact, .value(values[0]), isStable: nil, interval: nil, values: values)
    }

    /// As many samples of a process as a run stores, evenly spread over its time.
    private static func thinned(_ samples: [Double]) -> [Double] {
        let most = 16
        guard samples.count > most else { return samples }
        return (0..<most).map { samples[$0 * samples.count / most] }
    }
}

/// The benchmarks of a run, in the order of the document.
struct ImportedBenchmarks: Sendable {
    private(set) var list: [ImportedBenchmark] = []
    private var places: [String: Int] = [:]

    /// Changes the benchmark called `name` in the document, which is added when it is new. Two names must not become
    /// one ID.
    mutating func update(
        _ id: BenchmarkID, name: String, place: String,
        _ change: (inout ImportedBenchmark) throws(ImportProblem) -> Void
    ) throws(ImportProblem) {
        let index = places[id.text] ?? list.count
        if index == list.count {
            list.append(ImportedBenchmark(id: id, name: name))
            places[id.text] = index
        }
        guard list[index].name == name else {
            throw ImportProblem(
                """
                \(place): \(ImportProblem.quoted(list[index].name)) and \(ImportProblem.quoted(name)) would both \
                be called '\(id)'; rename one of them
                """
            )
        }
        try change(&list[index])
    }
}

extension String {
    /// The text as a finite number, small enough that sums and units cannot make it infinite; the problem at `place`
    /// otherwise.
    func importedNumber(_ place: @autoclosure () -> String) throws(ImportProblem) -> Double {
        guard let number = Double(self) else {
            throw ImportProblem("\(place()) has \(ImportProblem.quoted(self)) where a number belongs")
        }
        return try number.importable(place())
    }
}

extension Double {
    /// The number itself when results can hold it.
    func importable(_ place: @autoclosure () -> String) throws(ImportProblem) -> Double {
        guard isFinite, magnitude <= 1e290 else {
            throw ImportProblem("\(place()) has the number '\(self)', which no measurement gives")
        }
        return self
    }

    /// The number itself when it can be a time.
    func importableTime(_ place: @autoclosure () -> String) throws(ImportProblem) -> Double {
        guard self >= 0 else { throw ImportProblem("\(place()) has the time '\(self)', which is below 0") }
        return try importable(place())
    }
}
