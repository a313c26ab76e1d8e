/// Something that can be seen as a sequence of values.
public protocol ObservableConvertibleType<Element> {
    /// The type of the values of the sequence.
    associatedtype Element

    /// The sequence.
    func asObservable() -> Observable<Element>
}

/// Something that can be subscribed to.
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Delivers the sequence to `observer` until it ends or the returned subscription is disposed.
    ///
    /// Takes two allocations beside those of the sequence. Synchronous sources deliver before this returns.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Element
}

extension ObservableType {
    /// The sequence, by a closure that subscribes to this one.
    ///
    /// - Complexity: As `create(_:)`.
    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable.create { observer in self.subscribe(observer) }
    }
}

/// Something that receives the events of a sequence.
public protocol ObserverType<Element> {
    /// The type of the values that it receives.
    associatedtype Element

    /// Receives one event. Events of one sequence do not overlap; none follows a stop event.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Receives a value.
    @inlinable public func onNext(_ element: Element) { on(.next(element)) }

    /// Receives the end of a sequence that failed.
    @inlinable public func onError(_ error: any Error) { on(.error(error)) }

    /// Receives the end of a sequence that completed.
    @inlinable public func onCompleted() { on(.completed) }
}
