import Rx

/// The methods for bindings before version 4.
extension ObservableType {
    /// Delivers every event to an observer.
    @available(*, deprecated, renamed: "bind(to:)")
    @inlinable
    public func bindTo<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { bind(to: observer) }

    /// Delivers every event to an observer of optional values.
    @available(*, deprecated, renamed: "bind(to:)")
    @inlinable
    public func bindTo<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element? { bind(to: observer) }

    /// Sets the variable to each value.
    @available(*, deprecated, renamed: "bind(to:)")
    public func bindTo(_ variable: Variable<Element>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// Sets the variable to each value.
    @available(*, deprecated, renamed: "bind(to:)")
    public func bindTo(_ variable: Variable<Element?>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// Sets the variable to each value.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func bind(to variable: Variable<Element>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// Sets the variable to each value.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func bind(to variable: Variable<Element?>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// Returns the result of calling `binder` with this sequence.
    @available(*, deprecated, message: "Use 'bind(to: { … })'.")
    @inlinable
    public func bindTo<Result>(_ binder: (Self) -> Result) -> Result { bind(to: binder) }

    /// Returns the result of calling `binder` with this sequence and `curriedArgument`.
    @available(*, deprecated, message: "Use 'bind(to: binder, curriedArgument: { … })'.")
    @inlinable
    public func bindTo<Argument, Result>(_ binder: (Self) -> (Argument) -> Result, curriedArgument: Argument) -> Result
    { bind(to: binder, curriedArgument: curriedArgument) }

    /// Delivers each value to a closure.
    @available(*, deprecated, message: "Use 'bind(onNext: { … })'.")
    @inlinable
    public func bindNext(_ onNext: @escaping (Element) -> Void) -> any Disposable { bind(onNext: onNext) }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Delivers each value to a closure.
    @available(*, deprecated, message: "Use 'drive(onNext: { … })'.")
    @inlinable
    public func driveNext(_ onNext: @escaping (Element) -> Void) -> any Disposable { drive(onNext: onNext) }

    /// Sets the variable to each value.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func drive(_ variable: Variable<Element>) -> any Disposable { drive(onNext: { variable.value = $0 }) }

    /// Sets the variable to each value.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func drive(_ variable: Variable<Element?>) -> any Disposable { drive(onNext: { variable.value = $0 }) }
}

/// An observer that calls a closure with an object and each value, on the main queue. It does not retain the object.
@available(*, deprecated, message: "Use 'Binder'.")
public struct UIBindingObserver<UIElementType: AnyObject, Value>: ObserverType, Sendable {
    private let binder: Binder<Value>

    /// Creates an observer that calls `binding` with `UIElement` and each value.
    @preconcurrency
    public init(UIElement element: UIElementType, binding: @escaping @MainActor (UIElementType, Value) -> Void) {
        binder = Binder(element, binding: binding)
    }

    /// Receives one event. It may be called from any thread.
    public func on(_ event: Event<Value>) { binder.on(event) }
}
