import Rx

/// How bindings were written before version 4.
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

    /// Makes each value the variable's.
    @available(*, deprecated, renamed: "bind(to:)")
    public func bindTo(_ variable: Variable<Element>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// Makes each value the variable's.
    @available(*, deprecated, renamed: "bind(to:)")
    public func bindTo(_ variable: Variable<Element?>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// Makes each value the variable's.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func bind(to variable: Variable<Element>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// Makes each value the variable's.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func bind(to variable: Variable<Element?>) -> any Disposable { bind(onNext: { variable.value = $0 }) }

    /// The result of `binder` for this sequence.
    @available(*, deprecated, message: "Use 'bind(to: { … })'.")
    @inlinable
    public func bindTo<Result>(_ binder: (Self) -> Result) -> Result { bind(to: binder) }

    /// The result of `binder` for this sequence and `curriedArgument`.
    @available(*, deprecated, message: "Use 'bind(to: binder, curriedArgument: { … })'.")
    @inlinable
    public func bindTo<Argument, Result>(_ binder: (Self) -> (Argument) -> Result, curriedArgument: Argument) -> Result
    { bind(to: binder, curriedArgument: curriedArgument) }

    /// Delivers each value to a function.
    @available(*, deprecated, message: "Use 'bind(onNext: { … })'.")
    @inlinable
    public func bindNext(_ onNext: @escaping (Element) -> Void) -> any Disposable { bind(onNext: onNext) }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Delivers each value to a function.
    @available(*, deprecated, message: "Use 'drive(onNext: { … })'.")
    @inlinable
    public func driveNext(_ onNext: @escaping (Element) -> Void) -> any Disposable { drive(onNext: onNext) }

    /// Makes each value the variable's.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func drive(_ variable: Variable<Element>) -> any Disposable { drive(onNext: { variable.value = $0 }) }

    /// Makes each value the variable's.
    @available(*, deprecated, message: "Use a 'BehaviorRelay' instead of the 'Variable'.")
    public func drive(_ variable: Variable<Element?>) -> any Disposable { drive(onNext: { variable.value = $0 }) }
}

/// An observer that hands an object and each value to a function, on the main queue, without keeping the object alive.
@available(*, deprecated, message: "Use 'Binder'.")
public struct UIBindingObserver<UIElementType: AnyObject, Value>: ObserverType, Sendable {
    private let binder: Binder<Value>

    /// An observer that hands `UIElement` and each value to `binding`.
    @preconcurrency
    public init(UIElement element: UIElementType, binding: @escaping @MainActor (UIElementType, Value) -> Void) {
        binder = Binder(element, binding: binding)
    }

    /// Receives one event. From any thread.
    public func on(_ event: Event<Value>) { binder.on(event) }
}
