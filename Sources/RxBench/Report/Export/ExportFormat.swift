import RxBench

/// A text form of results that another tool reads.
///
/// A formatter is a pure function. A figure that is unavailable is left out, or marked where the format has a mark; it
/// is never 0.
package protocol ExportFormat: Sendable {
    /// What the format is called on the command line: `google-benchmark`.
    var name: String { get }
    /// What reads it, in a few words.
    var readers: String { get }
    /// Whether one document can hold several results and tell them apart.
    var holdsSeveralResults: Bool { get }
    /// Whether a benchmark that failed has a place in the format.
    var holdsFailures: Bool { get }
    /// The whole document, ending in a line feed. O(*n*) in the number of samples.
    ///
    /// - Parameter results: One result, or several where ``holdsSeveralResults``.
    func document(of results: [RunResult]) -> String
}

extension ExportFormat {
    /// IDs of the benchmarks of `results` that failed and that the format has no place for.
    package func omissions(from results: [RunResult]) -> [String] {
        holdsFailures ? [] : results.flatMap(\.benchmarks).filter { $0.failure != nil }.map(\.id)
    }
}

/// All formats.
package enum ExportFormats {
    /// In the order of the help text.
    package static let all: [any ExportFormat] = [
        BenchstatFormat(), GoogleBenchmarkFormat(), JMHFormat(), OpenMetricsFormat(), CSVFormat(),
    ]

    /// The format called `name`, or `nil`.
    package static func named(_ name: String) -> (any ExportFormat)? { all.first { $0.name == name } }
}
