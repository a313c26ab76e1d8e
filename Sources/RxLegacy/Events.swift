import Rx

extension Event {
    /// A value.
    @available(*, deprecated, renamed: "next(_:)")
    @inlinable
    public static func Next(_ element: Element) -> Event<Element> { .next(element) }

    /// The sequence has failed.
    @available(*, deprecated, renamed: "error(_:)")
    @inlinable
    public static func Error(_ error: any Swift.Error) -> Event<Element> { .error(error) }

    /// The sequence has completed.
    @available(*, deprecated, renamed: "completed")
    @inlinable
    public static var Completed: Event<Element> { .completed }

    /// Whether a value of an old-style pattern such as `.Completed` is the event. Values themselves cannot be compared
    /// here.
    @inlinable
    public static func ~= (pattern: Event<Element>, event: Event<Element>) -> Bool {
        switch (pattern, event) {
        case (.completed, .completed): true
        case (.error(let expected), .error(let error)): String(reflecting: expected) == String(reflecting: error)
        default: false
        }
    }
}

extension Event where Element: Equatable {
    /// Whether the event is that of an old-style pattern such as `.Next(1)` or `.Completed`.
    @inlinable
    public static func ~= (pattern: Event<Element>, event: Event<Element>) -> Bool {
        switch (pattern, event) {
        case (.next(let expected), .next(let element)): expected == element
        case (.completed, .completed): true
        case (.error(let expected), .error(let error)): String(reflecting: expected) == String(reflecting: error)
        default: false
        }
    }
}

extension Result where Failure == any Error {
    /// That a `Single` has failed, as it was said when its events were no `Result`.
    @available(*, deprecated, renamed: "failure(_:)")
    @inlinable
    public static func error(_ error: any Error) -> Result<Success, any Error> { .failure(error) }
}

extension ObservableConvertibleType {
    /// The elements' type.
    @available(*, deprecated, renamed: "Element")
    public typealias E = Element
}

extension ObserverType {
    /// The elements' type.
    @available(*, deprecated, renamed: "Element")
    public typealias E = Element
}
