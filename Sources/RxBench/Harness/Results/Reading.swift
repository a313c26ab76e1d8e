/// A value, or the reason why there is none: `{"value": null, "unavailable": "not in a git repository"}` in JSON.
package enum Reading<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The value.
    case value(Value)
    /// Why nothing could be read, as the end of a sentence without a full stop.
    case unavailable(String)

    private enum CodingKeys: CodingKey { case value, unavailable }

    /// The value, or `nil` when it is unavailable.
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

    /// Encodes the object form; a missing value is null, with its reason.
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
    /// Encodes members; what is `nil` is left out.
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

    /// A reading of what `transform` makes of the value.
    package func map<Other>(_ transform: (Value) -> Other) -> Reading<Other> {
        switch self {
        case .value(let value): .value(transform(value))
        case .unavailable(let reason): .unavailable(reason)
        }
    }
}

/// A reading that is stored as the plain value, `"cores": 2`, and as an object only where it is unavailable: what every
/// run knows, and an imported result may not.
@propertyWrapper
package struct Stated<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The value, or the reason why there is none.
    package var wrappedValue: Reading<Value>

    /// Wraps a reading.
    package init(wrappedValue: Reading<Value>) { self.wrappedValue = wrappedValue }

    /// Decodes either form.
    package init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(Value.self) {
            wrappedValue = .value(value)
        } else {
            wrappedValue = try Reading(from: decoder)
        }
    }

    /// Encodes the plain value, or null with its reason.
    package func encode(to encoder: any Encoder) throws {
        switch wrappedValue {
        case .value(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .unavailable: try wrappedValue.encode(to: encoder)
        }
    }
}
