/// When a testable observable was subscribed to, and when that ended.
public struct Subscription: Hashable, Sendable {
    /// When it began.
    public let subscribe: TestTime
    /// When it ended; `Int.max` if it has not.
    public let unsubscribe: TestTime

    /// A subscription that has not ended.
    public init(_ subscribe: TestTime) { self.init(subscribe, .max) }

    /// A subscription from one time to another.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension Subscription: CustomDebugStringConvertible {
    /// `(200: 300)`, or `(200: Infinity)` if it has not ended.
    public var debugDescription: String { "(\(subscribe): \(unsubscribe == .max ? "Infinity" : "\(unsubscribe)"))" }
}
