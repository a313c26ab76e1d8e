#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON with every figure, for programs; `results/schema/leaks-v1.schema.json` describes it.
public struct LeakJSON: LeakFormat {
    /// `json`.
    public let name = "json"
    /// The readers of the format.
    public let readers = "programs: every figure, with a version"

    /// The format.
    public init() {}

    /// The whole document as JSON with sorted keys.
    public func text(of document: LeakDocument) -> String { JSONValue.text(of: document) }

    /// The document that `text(of:)` wrote.
    ///
    /// - Throws: `DecodingError` for text of another form.
    public func document(in bytes: [UInt8]) throws -> LeakDocument {
        try JSONDecoder().decode(LeakDocument.self, from: Data(bytes))
    }
}

/// JSON whose keys are not known at compile time.
enum JSONValue: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    case text(String)
    case integer(Int)
    case flag(Bool)
    case list([JSONValue])
    case object([String: JSONValue])

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .flag(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// Readable, with sorted keys, ending in a line feed.
    static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("A report holds no number that JSON cannot express.")
        }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
