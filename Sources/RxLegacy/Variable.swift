import Rx

/// A variable whose values can be observed. Each subscriber receives the latest value, then each new value.
///
///     let name = Variable("Ada")
///     _ = name.asObservable().subscribe(onNext: { print($0) })  // Ada
///     name.value = "Grace"                                      // Grace
///
/// The sequence completes when the variable is deallocated. Any thread may read `value`. Set values one at a time.
@available(*, deprecated, message: "Use 'BehaviorRelay', which does not complete.")
public final class Variable<Element>: ObservableType, Sendable {
    private let subject: BehaviorSubject<Element>

    /// Creates a variable with the initial value `value`.
    public init(_ value: Element) { subject = BehaviorSubject(value: value) }

    deinit { subject.onCompleted() }

    /// The latest value. Setting it delivers it to all subscribers.
    public var value: Element {
        get {
            // It throws only after an error or a disposal, and the subject is not accessible to other code.
            try! subject.value()
        }
        set { subject.onNext(newValue) }
    }

    /// Returns a sequence of the latest value and each new value. It completes when the variable is deallocated.
    public func asObservable() -> Observable<Element> { subject }

    /// Delivers the latest value, then each new value, and completes when the variable is deallocated.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { subject.subscribe(observer) }

    /// Returns the values as a driver.
    public func asDriver() -> Driver<Element> { subject.asDriver(onErrorDriveWith: .empty()) }
}
