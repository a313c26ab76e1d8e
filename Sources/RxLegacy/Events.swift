import Rx

extension Event {
    /// An event with a value.
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

    /// Returns whether an event matches an old-style pattern such as `.Completed`. Values are not compared, because
    /// `Element` need not be `Equatable` here.
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
    /// Returns whether an event matches an old-style pattern such as `.Next(1)` or `.Completed`.
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
    /// Returns a failure of a `Single`, in the spelling that was used before its events became `Result`.
    @available(*, deprecated, renamed: "failure(_:)")
    @inlinable
    public static func error(_ error: any Error) -> Result<Success, any Error> { .failure(error) }
}

extension ObservableConvertibleType {
    /// The type of the elements.
    @available(*, deprecated, renamed: "Element")
    public typealias E = Element
}

extension ObserverType {
    /// The type of the elements.
    @available(*, deprecated, renamed: "Element")
    public typealias E = Element
}

/// The methods for subscriptions and disposables before version 3.
extension ObservableType {
    /// Delivers each value to a closure.
    @available(*, deprecated, message: "Use 'subscribe(onNext: { … })'.")
    @inlinable
    public func subscribeNext(_ onNext: @escaping (Element) -> Void) -> any Disposable { subscribe(onNext: onNext) }

    /// Delivers the error of the sequence to a closure.
    @available(*, deprecated, message: "Use 'subscribe(onError: { … })'.")
    @inlinable
    public func subscribeError(_ onError: @escaping (any Error) -> Void) -> any Disposable {
        subscribe(onError: onError)
    }

    /// Calls a closure when the sequence completes.
    @available(*, deprecated, message: "Use 'subscribe(onCompleted: { … })'.")
    @inlinable
    public func subscribeCompleted(_ onCompleted: @escaping () -> Void) -> any Disposable {
        subscribe(onCompleted: onCompleted)
    }
}

extension Disposable {
    /// Adds this disposable to a bag. The bag disposes it when the bag is deallocated.
    @available(*, deprecated, renamed: "disposed(by:)")
    @inlinable
    public func addDisposableTo(_ bag: DisposeBag) { disposed(by: bag) }
}
