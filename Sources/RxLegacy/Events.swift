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

/// How subscriptions were written and kept before Rx 3.
extension ObservableType {
    /// Delivers each value to a function.
    @available(*, deprecated, message: "Use 'subscribe(onNext: { … })'.")
    @inlinable
    public func subscribeNext(_ onNext: @escaping (Element) -> Void) -> any Disposable { subscribe(onNext: onNext) }

    /// Delivers the error that the sequence fails with to a function.
    @available(*, deprecated, message: "Use 'subscribe(onError: { … })'.")
    @inlinable
    public func subscribeError(_ onError: @escaping (any Error) -> Void) -> any Disposable {
        subscribe(onError: onError)
    }

    /// Calls a function when the sequence completes.
    @available(*, deprecated, message: "Use 'subscribe(onCompleted: { … })'.")
    @inlinable
    public func subscribeCompleted(_ onCompleted: @escaping () -> Void) -> any Disposable {
        subscribe(onCompleted: onCompleted)
    }
}

extension Disposable {
    /// Puts this disposable into a bag, which disposes it when the bag goes.
    @available(*, deprecated, renamed: "disposed(by:)")
    @inlinable
    public func addDisposableTo(_ bag: DisposeBag) { disposed(by: bag) }
}
