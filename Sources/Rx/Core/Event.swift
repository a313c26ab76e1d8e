/// An event of a sequence: a value, an error, or completion.
@frozen
public enum Event<Element> {
    /// A value.
    case next(Element)
    /// The sequence has failed. Nothing follows.
    case error(any Error)
    /// The sequence has completed. Nothing follows.
    case completed
}

extension Event: Sendable where Element: Sendable {}

extension Event {
    /// Whether nothing can follow this event.
    public var isStopEvent: Bool {
        if case .next = self { false } else { true }
    }

    /// The value of a `next` event, or `nil` for other events.
    public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error of an `error` event, or `nil` for other events.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether this is the `completed` event.
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// Returns the event with its value transformed, or an `error` event if `transform` throws.
    public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
        switch self {
        case .next(let element):
            do { return .next(try transform(element)) } catch { return .error(error) }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }

    /// Creates the stop event for the end of a sequence. `nil` means completion.
    @usableFromInline
    init(end error: (any Error)?) {
        if let error { self = .error(error) } else { self = .completed }
    }
}

extension Event: CustomDebugStringConvertible {
    /// `next(1)`, `error(unknown)` or `completed`.
    public var debugDescription: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

/// A value that represents an event, for operators that turn values back into events.
public protocol EventConvertible<Element> {
    /// The type of the values that events carry.
    associatedtype Element

    /// The event that this value represents.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
    public var event: Event<Element> { self }
}
