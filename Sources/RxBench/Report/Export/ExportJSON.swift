import Foundation

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
