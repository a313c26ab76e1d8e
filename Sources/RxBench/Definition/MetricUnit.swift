/// The unit of a metric: a quantity, and what it is stated for.
///
/// ```swift
/// let unit: MetricUnit = "bytes/iteration"
/// print(unit.quantity == "bytes", unit.base ?? "the whole")  // true iteration
/// ```
///
/// In files it is one text, `bytes/iteration`.
public struct MetricUnit: Sendable, Hashable {
    /// What is counted or measured: `count`, `bytes`, `ns`, `ratio`, or a word of your own.
    public let quantity: String
    /// What the quantity is stated for: `iteration` or `operation`; `nil` for the whole.
    public let base: String?

    /// Creates a unit from its parts.
    public init(quantity: String, base: String? = nil) {
        self.quantity = quantity
        self.base = base
    }

    package var isBytes: Bool { quantity == "bytes" }
    package var isTime: Bool { quantity == "ns" }
    package var isRatio: Bool { quantity == "ratio" }
    package var isPerIteration: Bool { base == "iteration" }
    package var isPerOperation: Bool { base == "operation" }
}

extension MetricUnit: LosslessStringConvertible, ExpressibleByStringLiteral {
    /// Creates a unit from its text. What follows the first slash is the base.
    public init(_ description: String) {
        let parts = description.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(quantity: String(parts[0]), base: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// Creates a unit from its text. What follows the first slash is the base.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text, such as `bytes/iteration`.
    public var description: String { base.map { "\(quantity)/\($0)" } ?? quantity }
}

extension MetricUnit: Codable {
    /// Reads the text of the unit.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text of the unit.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
