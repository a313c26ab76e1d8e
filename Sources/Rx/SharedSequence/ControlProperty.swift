/// Something that can be seen as a property of a control.
public protocol ControlPropertyType: ObservableType, ObserverType {
    /// The property.
    func asControlProperty() -> ControlProperty<Element>
}

/// A property of a control, such as the text of a field, that the user changes and the program sets.
///
///     extension Label: ReactiveCompatible {}
///     extension Reactive where Base: Label {
///         var title: ControlProperty<String> {
///             ControlProperty(values: Observable.just(base.text), valueSink: Binder(base) { $0.text = $1 })
///         }
///     }
///
/// As a sequence: the value now, then each that the user makes. It never fails, subscribes and delivers on the main
/// queue. Values that the program sets are not sent.
public struct ControlProperty<Element>: ControlPropertyType, Sendable {
    fileprivate let values: Observable<Element>
    fileprivate let valueSink: AnyObserver<Element>

    /// A property of a control.
    ///
    /// - Parameters:
    ///   - values: the value now, then the user's changes; does not fail, and delivers on the main queue. It is
    ///     subscribed to there.
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

    /// The changes that the user makes, without the value at the time of subscription.
    ///
    /// - Complexity: As `skip(_:)` and `subscribe(on:)` of observables.
    public var changed: ControlEvent<Element> { ControlEvent(events: values.skip(1)) }

    /// The values without their promises.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    public func asObservable() -> Observable<Element> { values }

    /// This property.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    public func asControlProperty() -> ControlProperty<Element> { self }

    /// Sets the property, or completes its sink. A property cannot show an error: it ends the program in debug builds,
    /// and is printed in release builds.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let value): valueSink.onNext(value)
        case .error(let error): reportErrorInBinding(error)
        case .completed: valueSink.onCompleted()
        }
    }
}

extension ControlPropertyType {
    /// The property as a driver. An error, which the control has promised not to send, ends the program in debug builds
    /// and the sequence in release builds.
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    public func asDriver() -> Driver<Element> {
        asDriver { error in
            reportErrorInBinding(error)
            return .empty()
        }
    }
}

extension ControlPropertyType where Element == String? {
    /// The property with an empty text in place of `nil`.
    ///
    ///     let name = ControlProperty<String?>(values: Observable.of("Ada", nil), valueSink: AnyObserver { _ in })
    ///     let subscription = name.orEmpty.map(\.count).subscribe(onNext: { print($0) })  // 3, 0
    ///
    /// - Complexity: As `map(_:)` and `subscribe(on:)` of observables.
    public var orEmpty: ControlProperty<String> {
        let original = asControlProperty()
        return ControlProperty(
            values: original.values.map { $0 ?? "" }, valueSink: original.valueSink.mapObserver { $0 })
    }
}

/// An error of a binding to a user interface.
public enum RxCocoaError: Error {
    /// Something unforeseen.
    case unknown
    /// The object does not allow this now.
    case invalidOperation(object: Any)
    /// No items are bound to the object yet.
    case itemsNotYetBound(object: Any)
    /// The object has no property of this name.
    case invalidPropertyName(object: Any, propertyName: String)
    /// A part of the key path that begins at `sourceObject` is not an object that can be observed.
    case invalidObjectOnKeyPath(object: Any, sourceObject: AnyObject, propertyName: String)
    /// A method could not be intercepted.
    case errorDuringSwizzling
    /// The object is not of the type that is needed.
    case castingError(object: Any, targetType: Any.Type)
}

// @unchecked: the objects are only named in messages.
extension RxCocoaError: @unchecked Sendable {}

extension RxCocoaError: CustomDebugStringConvertible {
    /// The event in words, with the objects' descriptions.
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
