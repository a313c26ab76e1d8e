/// Which values of a property `rx.observe` delivers.
public struct KeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    /// The options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value at the time of the subscription.
    public static let initial = KeyValueObservingOptions(rawValue: 1)
    /// The value after each change.
    public static let new = KeyValueObservingOptions(rawValue: 2)
}
