import Rx

/// A point in the virtual time of a test.
public typealias TestTime = Int

/// A value and the virtual time at which it was seen.
///
///     let events: [Recorded<Event<Int>>] = [.next(210, 1), .completed(250)]
public struct Recorded<Value> {
    /// The time of the value.
    public let time: TestTime
    /// The value that was seen.
    public let value: Value

    /// `value`, seen at `time`.
    public init(time: TestTime, value: Value) {
        self.time = time
        self.value = value
    }
}

extension Recorded: Sendable where Value: Sendable {}
extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
    /// `next(1) @ 210`
    public var debugDescription: String { "\(value) @ \(time)" }
}

extension Recorded {
    /// A value at a time.
    public static func next<Element>(_ time: TestTime, _ element: Element) -> Recorded<Event<Element>>
    where Value == Event<Element> {
        Recorded(time: time, value: .next(element))
    }

    /// Completion at a time. The type is only needed where it cannot be inferred.
    public static func completed<Element>(
        _ time: TestTime, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> {
        Recorded(time: time, value: .completed)
    }

    /// An error at a time. The type is only needed where it cannot be inferred.
    public static func error<Element>(
        _ time: TestTime, _ error: any Error, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> {
        Recorded(time: time, value: .error(error))
    }

    /// A list of events, for where a literal's type cannot be inferred.
    public static func events<Element>(_ events: Recorded<Event<Element>>...) -> [Recorded<Event<Element>>]
    where Value == Event<Element> {
        events
    }

    /// A list of events, for where a literal's type cannot be inferred.
    public static func events<Element>(_ events: [Recorded<Event<Element>>]) -> [Recorded<Event<Element>>]
    where Value == Event<Element> {
        events
    }
}

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
