import Foundation

/// The findings of searches for leaks as plain data: the content of a report in any format.
///
///     let report = HeapTrace.detectGrowth(named: "search") {}
///     let document = LeakDocument([report])
///     print(document.verdict)  // 1 round trip: 1 without growth.
///
/// Its JSON has a version; its schema is `results/schema/leaks-v1.schema.json`.
public struct LeakDocument: Codable, Sendable, Equatable {
    /// The version of the format that this build writes.
    public static let currentSchemaVersion = 1

    /// The version of the format.
    public let schemaVersion: Int
    /// One report for each round trip, in the order in which they ran.
    public let scenarios: [GrowthReport]
    /// The entries of the allow-list that should be removed, one sentence each.
    public let staleAllowances: [String]

    /// Creates a document of `scenarios` in the current format.
    public init(_ scenarios: [GrowthReport], staleAllowances: [StaleAllowance] = []) {
        schemaVersion = Self.currentSchemaVersion
        self.scenarios = scenarios
        self.staleAllowances = staleAllowances.map(\.description)
    }

    /// A summary in one sentence: `9 round trips: 1 leaking (search/open), 8 without growth.`
    public var verdict: String {
        func names(_ outcome: GrowthReport.Outcome) -> [String] {
            scenarios.filter { $0.outcome == outcome }.map(\.name)
        }
        func clause(_ outcome: GrowthReport.Outcome, _ words: String) -> String? {
            let names = names(outcome)
            guard !names.isEmpty else { return nil }
            let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
            return "\(names.count) \(words) (\(shown))"
        }
        let clean = names(.clean).count
        let clauses = [
            clause(.found, "leaking"), clause(.failed, "failed"), clause(.inconclusive, "inconclusive"),
            clause(.notJudged, "not judged"), clause(.allowed, "allowed to leak"),
            clean > 0 ? "\(clean) without growth" : nil,
            staleAllowances.isEmpty ? nil : .counted(staleAllowances.count, "stale allowance"),
        ]
        return "\(String.counted(scenarios.count, "round trip")): \(clauses.compactMap { $0 }.joined(separator: ", "))."
    }
}

/// A text form of the findings of searches for leaks.
///
/// A formatter is a pure function of a document; it reads no clock, no file and no symbol.
public protocol LeakFormat: Sendable {
    /// The name of the format on a command line: `sarif`.
    var name: String { get }
    /// The readers of the format, in a few words.
    var readers: String { get }
    /// The whole text, ending in a line feed. O(*n*) in the number of groups and frames.
    func text(of document: LeakDocument) -> String
}

/// All formats.
public enum LeakFormats {
    /// All formats, in the order of a help text.
    public static let all: [any LeakFormat] = [
        LeakTree(), LeakJSON(), JUnitReport(), SARIFReport(),
    ]

    /// The format called `name`, or `nil`.
    public static func named(_ name: String) -> (any LeakFormat)? { all.first { $0.name == name } }
}

/// A report in JSON with every figure, for programs. `results/schema/leaks-v1.schema.json` describes it.
public struct LeakJSON: LeakFormat {
    /// `json`.
    public let name = "json"
    /// The readers of the format.
    public let readers = "programs: every figure, with a version"

    /// The format.
    public init() {}

    /// The whole document as JSON with sorted keys.
    public func text(of document: LeakDocument) -> String { JSONValue.text(of: document) }

    /// Reads a document that `text(of:)` wrote.
    ///
    /// - Throws: `DecodingError` for text of another form.
    public func document(in bytes: [UInt8]) throws -> LeakDocument {
        try JSONDecoder().decode(LeakDocument.self, from: Data(bytes))
    }
}

extension Encoder {
    /// Writes an object, without the keys whose values are `nil`.
    func write<Key: CodingKey>(_ values: KeyValuePairs<Key, (any Encodable)?>) throws {
        var container = container(keyedBy: Key.self)
        for case (let key, let value?) in values { try container.encode(value, forKey: key) }
    }
}

/// JSON whose keys are not known at compile time.
struct JSONValue: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    private let value: any Encodable & Sendable

    init(_ value: any Encodable & Sendable) { self.value = value }
    init(stringLiteral value: String) { self.value = value }
    init(integerLiteral value: Int) { self.value = value }
    init(arrayLiteral elements: JSONValue...) { value = elements }
    init(dictionaryLiteral elements: (String, JSONValue)...) { value = Dictionary(elements) { $1 } }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    /// Returns indented JSON with sorted keys, which ends in a line feed.
    static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("A report holds no number that JSON cannot express.")
        }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
