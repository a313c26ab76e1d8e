/// A type that converts to a property of a control.
public protocol ControlPropertyType: ObservableType, ObserverType {
    /// Returns the property of the control.
    func asControlProperty() -> ControlProperty<Element>
}

/// A property of a control, such as the text of a field. The user changes it, and the program sets it.
///
///     extension Label: ReactiveCompatible {}
///     extension Reactive where Base: Label {
///         var title: ControlProperty<String> {
///             ControlProperty(values: Observable.just(base.text), valueSink: Binder(base) { $0.text = $1 })
///         }
///     }
///
/// As a sequence, it delivers the current value, then each value that the user enters. It never fails, and it
/// subscribes and delivers on the main queue. Values that the program sets are not sent.
public struct ControlProperty<Element>: ControlPropertyType, Sendable {
    fileprivate let values: Observable<Element>
    fileprivate let valueSink: AnyObserver<Element>

    /// Creates a property of a control.
    ///
    /// - Parameters:
    ///   - values: the current value, then the changes that the user makes. The sequence must not fail, and must
    ///     deliver on the main queue. It is subscribed to on the main queue.
    ///   - valueSink: sets the property.
    public init<Values: ObservableType, Sink: ObserverType>(values: Values, valueSink: Sink)
    where Values.Element == Element, Sink.Element == Element {
        self.values = values.subscribe(on: ConcurrentMainScheduler.instance)
        self.valueSink = valueSink.asObserver()
    }

    /// Delivers the values to `observer`.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        values.subscribe(observer)
    }

    /// The changes that the user makes. The value at the time of the subscription is not included.
    ///
    /// - Complexity: The same as `skip(_:)` and `subscribe(on:)` on `Observable`.
    public var changed: ControlEvent<Element> { ControlEvent(events: values.skip(1)) }

    /// Returns the values as an observable.
    ///
    /// - Complexity: No allocation. The result is the sequence itself.
    public func asObservable() -> Observable<Element> { values }

    /// Returns this property.
    ///
    /// - Complexity: No allocation. The result is the sequence itself.
    public func asControlProperty() -> ControlProperty<Element> { self }

    /// Sets the property, or completes its sink. A property cannot show an error: an error stops the program in debug
    /// builds, and is printed in release builds.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let value): valueSink.onNext(value)
        case .error(let error): reportErrorInBinding(error)
        case .completed: valueSink.onCompleted()
        }
    }
}

extension ControlPropertyType {
    /// Returns the values as a driver. The control guarantees that it does not send an error. If it does send one, the
    /// error stops the program in debug builds, and ends the sequence in release builds.
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    public func asDriver() -> Driver<Element> {
        asDriver { error in
            reportErrorInBinding(error)
            return .empty()
        }
    }
}

extension ControlPropertyType where Element == String? {
    /// The property with an empty string instead of `nil`.
    ///
    ///     let name = ControlProperty<String?>(values: Observable.of("Ada", nil), valueSink: AnyObserver { _ in })
    ///     let subscription = name.orEmpty.map(\.count).subscribe(onNext: { print($0) })  // 3, 0
    ///
    /// - Complexity: The same as `map(_:)` and `subscribe(on:)` on `Observable`.
    public var orEmpty: ControlProperty<String> {
        let original = asControlProperty()
        return ControlProperty(
            values: original.values.map { $0 ?? "" }, valueSink: original.valueSink.mapObserver { $0 })
    }
}

/// An error of a binding to a user interface.
public enum RxCocoaError: Error {
    /// An unexpected error.
    case unknown
    /// The object does not allow this operation in its current state.
    case invalidOperation(object: Any)
    /// No items are bound to the object yet.
    case itemsNotYetBound(object: Any)
    /// The object has no property of this name.
    case invalidPropertyName(object: Any, propertyName: String)
    /// A part of the key path that begins at `sourceObject` is not an object that can be observed.
    case invalidObjectOnKeyPath(object: Any, sourceObject: AnyObject, propertyName: String)
    /// A method could not be intercepted.
    case errorDuringSwizzling
    /// The object does not have the required type.
    case castingError(object: Any, targetType: Any.Type)
}

// @unchecked: the objects are used only in messages.
extension RxCocoaError: @unchecked Sendable {}

extension RxCocoaError: CustomDebugStringConvertible {
    /// A description of the error that includes the descriptions of the objects.
    public var debugDescription: String {
        switch self {
        case .unknown: "Unknown error occurred."
        case .invalidOperation(let object): "The operation is not possible now on '\(object)'."
        case .itemsNotYetBound(let object): "No items are bound to '\(object)' yet."
        case .invalidPropertyName(let object, let propertyName): "'\(object)' has no property '\(propertyName)'."
        case .invalidObjectOnKeyPath(let object, let sourceObject, let propertyName):
            "'\(object)' cannot be observed. It is the value of '\(propertyName)' on the key path of '\(sourceObject)'."
        case .errorDuringSwizzling: "A method could not be intercepted."
        case .castingError(let object, let targetType): "'\(object)' is not a '\(targetType)'."
        }
    }
}
