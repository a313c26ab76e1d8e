import Foundation
import RxBench

extension Budgets: Codable {
    private enum CodingKeys: CodingKey { case schemaVersion, conditions, benchmarks }

    /// Decodes budgets of any known version.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        conditions = try container.decode(Conditions.self, forKey: .conditions)
        benchmarks = try container.decode([String: Entries].self, forKey: .benchmarks)
    }

    /// Encodes budgets in the current version.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.currentSchemaVersion, forKey: .schemaVersion)
        try container.encode(conditions, forKey: .conditions)
        try container.encode(benchmarks, forKey: .benchmarks)
    }

    /// Returns the budgets as JSON. Each benchmark has one line, sorted by ID, so that a change to one benchmark
    /// changes one line.
    package func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func text(_ value: some Encodable) -> String {
            // Every member is encodable, and every number is finite because it was measured or decoded from JSON.
            guard let data = try? encoder.encode(value) else {
                preconditionFailure("Budgets hold a number that JSON cannot express.")
            }
            return String(decoding: data, as: UTF8.self)
        }
        let lines = benchmarks.sorted { $0.key < $1.key }.map { "    \(text($0.key)): \(text($0.value))" }
        let document = """
            {
              "schemaVersion": \(Self.currentSchemaVersion),
              "conditions": \(text(conditions)),
              "benchmarks": {
            \(lines.joined(separator: ",\n"))
              }
            }

            """
        return Array(document.utf8)
    }

    /// Decodes budgets from JSON.
    ///
    /// - Parameter name: The name of the source in error messages.
    package static func decoded(from bytes: [UInt8], name: String) throws(BudgetError) -> Budgets {
        struct Header: Decodable { let schemaVersion: Int }
        let data = Data(bytes)
        guard (try? JSONSerialization.jsonObject(with: data)) != nil else {
            throw .malformed(name, "it is no complete JSON")
        }
        guard let header = try? JSONDecoder().decode(Header.self, from: data) else {
            throw .malformed(name, "it has no 'schemaVersion'")
        }
        guard header.schemaVersion <= currentSchemaVersion else { throw .newer(name, version: header.schemaVersion) }
        do {
            return try JSONDecoder().decode(Budgets.self, from: data)
        } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context)
        {
            throw .malformed(
                name,
                "'\(context.codingPath.map(\.stringValue).joined(separator: " → "))' is of another kind than expected")
        } catch DecodingError.keyNotFound(let key, let context) {
            let place = context.codingPath.map(\.stringValue).joined(separator: " → ")
            throw .malformed(
                name, place.isEmpty ? "it has no '\(key.stringValue)'" : "'\(place)' has no '\(key.stringValue)'")
        } catch {
            throw .malformed(name, "it cannot be understood")
        }
    }
}

extension Budgets.Entries: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
    private static let operationsKey = "operations"

    /// Decodes the object form: `{"operations": 1000, "allocations": 4}`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        operations = try container.decode(Int.self, forKey: Key(stringValue: Self.operationsKey))
        entries = [:]
        for key in container.allKeys where key.stringValue != Self.operationsKey {
            guard Budgets.metrics.contains(key.stringValue) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "no budgeted metric")
            }
            entries[key.stringValue] = try container.decode(Budgets.Entry.self, forKey: key)
        }
    }

    /// Encodes the object form.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(operations, forKey: Key(stringValue: Self.operationsKey))
        for (metric, entry) in entries { try container.encode(entry, forKey: Key(stringValue: metric)) }
    }
}

extension Budgets.Entry: Codable {
    private enum CodingKeys: CodingKey { case atMost, raisedFrom, reason }

    /// Decodes a bare number, or the object form of an entry that was raised.
    package init(from decoder: any Decoder) throws {
        if let number = try? decoder.singleValueContainer().decode(Double.self) {
            self.init(atMost: number)
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                atMost: try container.decode(Double.self, forKey: .atMost),
                raisedFrom: try container.decodeIfPresent(Double.self, forKey: .raisedFrom),
                reason: try container.decodeIfPresent(String.self, forKey: .reason))
        }
        guard atMost >= 0 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "less than 0"))
        }
    }

    /// Encodes a bare number if the entry was never raised and has no reason. Otherwise encodes the object form.
    package func encode(to encoder: any Encoder) throws {
        if raisedFrom == nil, reason == nil {
            var container = encoder.singleValueContainer()
            try container.encode(atMost)
        } else {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(atMost, forKey: .atMost)
            try container.encodeIfPresent(raisedFrom, forKey: .raisedFrom)
            try container.encodeIfPresent(reason, forKey: .reason)
        }
    }
}
