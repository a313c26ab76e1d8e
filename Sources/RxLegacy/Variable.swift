import Rx

/// A value that changes, as a sequence: the latest value to each subscriber, then each new one.
///
///     let name = Variable("Ada")
///     _ = name.asObservable().subscribe(onNext: { print($0) })  // Ada
///     name.value = "Grace"                                      // Grace
///
/// Its sequence completes when the variable is gone. Any thread may read `value`; values are to be set one at a time.
@available(*, deprecated, message: "Use 'BehaviorRelay', which does not complete.")
public final class Variable<Element>: ObservableType, Sendable {
    private let subject: BehaviorSubject<Element>

    /// A variable that begins with `value`.
    public init(_ value: Element) { subject = BehaviorSubject(value: value) }

    deinit { subject.onCompleted() }

    /// The latest value. Setting it delivers it to all subscribers.
    public var value: Element {
        get {
            // It throws after an error or a disposal only, and nothing else has the subject.
            try! subject.value()
        }
        set { subject.onNext(newValue) }
    }

    /// The latest value, then each new one, and completion when the variable is gone.
    public func asObservable() -> Observable<Element> { subject }

    /// Delivers the latest value, then each new one, and completion when the variable is gone.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { subject.subscribe(observer) }

    /// The values as a driver.
    public func asDriver() -> Driver<Element> { subject.asDriver(onErrorDriveWith: .empty()) }
}
