/// A type that can be converted to a sequence of values.
public protocol ObservableConvertibleType<Element> {
    /// The type of the values of the sequence.
    associatedtype Element

    /// The sequence.
    func asObservable() -> Observable<Element>
}

/// A type that can be subscribed to.
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Delivers the sequence to `observer` until it ends or the returned subscription is disposed.
    ///
    /// Makes two allocations in addition to the allocations of the sequence. Synchronous sources deliver their events
    /// before this method returns.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Element
}

extension ObservableType {
    /// Returns this sequence as an `Observable`, created with a closure that subscribes to this sequence.
    ///
    /// - Complexity: The same as `create(_:)`.
    @_alwaysEmitIntoClient
    public func asObservable() -> Observable<Element> {
        Observable.create { observer in self.subscribe(observer) }
    }
}

/// A type that receives the events of a sequence.
public protocol ObserverType<Element> {
    /// The type of the values that the observer receives.
    associatedtype Element

    /// Receives one event. Events of one sequence do not overlap, and no event follows a stop event.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Receives a value.
    @_alwaysEmitIntoClient public func onNext(_ element: Element) { on(.next(element)) }

    /// Receives the end of a sequence that failed.
    @_alwaysEmitIntoClient public func onError(_ error: any Error) { on(.error(error)) }

    /// Receives the end of a sequence that completed.
    @_alwaysEmitIntoClient public func onCompleted() { on(.completed) }
}

extension Observable {
    @_alwaysEmitIntoClient
    public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subscribe(
            Subscriber(
                next: { address, _ in
                    observer.on(.next(address.assumingMemoryBound(to: Element.self).pointee))
                },
                onEnd: { error in observer.on(Event(end: error)) },
                onDisposed: nil))
    }
}

extension ObservableType {
    /// Delivers the sequence to a function.
    ///
    ///     _ = Observable.just(1).subscribe { print($0) }  // next(1), completed
    @_alwaysEmitIntoClient
    public func subscribe(_ on: @escaping (Event<Element>) -> Void) -> any Disposable {
        asObservable().subscribe(
            Subscriber(
                next: { address, _ in
                    on(.next(address.assumingMemoryBound(to: Element.self).pointee))
                },
                onEnd: { error in on(Event(end: error)) },
                onDisposed: nil))
    }

    /// Delivers values, the end and the disposal of the sequence to functions.
    ///
    ///     _ = Observable.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Parameters:
    ///   - onNext: called with each element.
    ///   - onError: called with an error. Without it, `Hooks.defaultErrorHandler` is called.
    ///   - onCompleted: called at completion.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end the sequence early. After `dispose()` returns, no event follows
    ///   on this thread. Also dispose it if the source may be dropped without an end, as a subject may be. Otherwise
    ///   operators that combine sequences (`merge`, `flatMap`, `zip`, `share` …) and the values that these closures
    ///   capture stay in memory.
    @_alwaysEmitIntoClient @inline(__always)
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        let source = asObservable()
        // The same check as `isScalar`, without a call for every subscription.
        if type(of: source) == ScalarObservable<Element>.self {
            return source.deliverScalar(onNext, onCompleted, onDisposed)
        }
        return source.subscribe(
            Subscriber(
                next: Subscriber.next(calling: onNext),
                onEnd: Subscriber.ending(source, onError: onError, onCompleted: onCompleted), onDisposed: onDisposed))
    }

    /// Delivers the sequence to functions that receive `object`, without keeping it alive. Once the object is
    /// deallocated, none of the functions is called.
    // A debug build would warn about a temporary `object` if the body were emitted into the client.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onError: ((Object, any Error) -> Void)? = nil,
        onCompleted: ((Object) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onNext: { [weak object] element in if let object { onNext?(object, element) } },
            onError: onError.map { onError in { [weak object] error in if let object { onError(object, error) } } },
            onCompleted: { [weak object] in if let object { onCompleted?(object) } },
            onDisposed: { [weak object] in if let object { onDisposed?(object) } })
    }
}

extension Subscriber {
    /// Returns the function that is called with the end of a sequence. An error without a handler goes to
    /// `Hooks.defaultErrorHandler`, with the stack of this subscription if `Hooks` requests it.
    @usableFromInline
    static func ending(
        _ source: ObservableBase, onError: ((any Error) -> Void)?, onCompleted: (() -> Void)?
    ) -> (((any Error)?) -> Void)? {
        guard let trace = SubscriptionTrace.capture(of: source) else {
            if let onError { return { error in if let error { onError(error) } else { onCompleted?() } } }
            guard let onCompleted else { return reportUnhandled }
            return { error in if let error { reportUnhandled(error) } else { onCompleted() } }
        }
        return { error in
            guard let error else { return onCompleted?() ?? () }
            let stack = trace.ended(with: error)
            if let onError { onError(error) } else { Hooks.defaultErrorHandler(stack, error) }
        }
    }

    private static func reportUnhandled(_ error: (any Error)?) {
        if let error { Hooks.defaultErrorHandler([], error) }
    }
}

extension Subscriber {
    /// Returns the `next` of a subscriber, which only calls the user's closure. Without a closure, it does nothing.
    ///
    /// A closure over a generic type takes its value by address, in the same parameter in which `Next` takes its
    /// address, and does not use the parameters that follow. So it can be called as a `Next`, without a closure of ours
    /// around it, in half the time: see `Documentation/Decisions/0003-subscriber-closure.md`.
    // The closures are wrapped in structures: if a closure itself were cast, it would be wrapped to fit the generic
    // parameter of the cast.
    @inlinable @inline(__always)
    static func next<Element>(calling onNext: ((Element) -> Void)?) -> Next {
        guard let onNext else { return { _, _ in } }
        return unsafeBitCast(Consumer(onNext: onNext), to: Consumption.self).next
    }
}

@usableFromInline
struct Consumer<Element> {
    @usableFromInline let onNext: (Element) -> Void

    @inlinable
    init(onNext: @escaping (Element) -> Void) { self.onNext = onNext }
}

@usableFromInline
struct Consumption {
    @usableFromInline let next: Sink.Next

    @inlinable
    init(next: @escaping Sink.Next) { self.next = next }
}
