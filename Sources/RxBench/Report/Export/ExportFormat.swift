import Foundation
import RxBench

/// A text form of results that another tool reads.
///
/// A formatter is a pure function. A figure that is unavailable is left out, or marked where the format has a mark; it
/// is never 0.
package protocol ExportFormat: Sendable {
    /// The format's name on the command line: `google-benchmark`.
    var name: String { get }
    /// The tools that read it, in a few words.
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

/// JSON whose keys are not known at compile time.
enum ExportJSON: Encodable, Sendable {
    case text(String)
    case number(Double)
    case integer(Int)
    case flag(Bool)
    case list([ExportJSON])
    case object([String: ExportJSON])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .flag(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Readable, with sorted keys, ending in a line feed.
    var document: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // A file may hold figures so large that a difference of two is infinite; JMH writes such numbers as strings
        // too.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("JSON can express every case of ExportJSON.")
        }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
