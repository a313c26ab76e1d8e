/// A reading that is stored as the plain value, `"cores": 2`, and as an object only where it is unavailable: what every
/// run knows, and an imported result may not.
@propertyWrapper
public struct Stated<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The value, or the reason why there is none.
    public var wrappedValue: Reading<Value>

    /// Wraps a reading.
    public init(wrappedValue: Reading<Value>) { self.wrappedValue = wrappedValue }

    /// Decodes either form.
    public init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer().decode(Value.self) {
            wrappedValue = .value(value)
        } else {
            wrappedValue = try Reading(from: decoder)
        }
    }

    /// Encodes the plain value, or null with its reason.
    public func encode(to encoder: any Encoder) throws {
        switch wrappedValue {
        case .value(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .unavailable: try wrappedValue.encode(to: encoder)
        }
    }
}
