/// A value, or the reason why it is unavailable. In JSON: `{"value": null, "unavailable": "not in a git repository"}`.
package enum Reading<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The value.
    case value(Value)
    /// The value could not be read. The associated value is the reason, as the end of a sentence without a full stop.
    case unavailable(String)

    private enum CodingKeys: CodingKey { case value, unavailable }

    /// The value, or `nil` if it is unavailable.
    package var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Decodes the object form.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let value = try container.decodeIfPresent(Value.self, forKey: .value) {
            self = .value(value)
        } else {
            self = .unavailable(try container.decode(String.self, forKey: .unavailable))
        }
    }

    /// Encodes the object form. A missing value is encoded as null with its reason.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .value(let value): try container.encode(value, forKey: .value)
        case .unavailable(let reason):
            try container.encodeNil(forKey: .value)
            try container.encode(reason, forKey: .unavailable)
        }
    }
}

extension KeyedEncodingContainer {
    /// Encodes the members that are not `nil`.
    mutating func encode(_ members: KeyValuePairs<Key, (any Encodable)?>) throws {
        for case (let key, let value?) in members { try encode(value, forKey: key) }
    }
}

extension Reading: CustomStringConvertible {
    /// The value, or `unavailable: ` and the reason.
    package var description: String {
        switch self {
        case .value(let value): "\(value)"
        case .unavailable(let reason): "unavailable: \(reason)"
        }
    }

    /// Returns a reading of the result of `transform`, or the same reason if the value is unavailable.
    package func map<Other>(_ transform: (Value) -> Other) -> Reading<Other> {
        switch self {
        case .value(let value): .value(transform(value))
        case .unavailable(let reason): .unavailable(reason)
        }
    }
}
