/// A sequence that cannot fail. It delivers values and may then complete.
///
///     let name = request.map(\.name).asInfallible(onErrorJustReturn: "nobody")
///     _ = name.subscribe(onNext: { print($0) })  // Ada
///
/// Subscribers need no `onError`, and the closures of `map`, `filter`, `scan`, `flatMap` and similar operators cannot
/// throw. `Infallible` wraps an observable. Its operators have the same cost as the operators of `Observable`: the
/// wrapper adds nothing per event, operator or subscription.
///
/// As in RxSwift, it has no `observe(on:)`, `subscribe(on:)`, `delay`, `skip` by count, `retry` or `catch`. Use
/// `asObservable()` for the first four. The last two would have no effect.
///
/// The guarantee is broken if an inner `Observable` in `flatMap` fails, or if a closure that may throw does throw: a
/// closure of `do`, a predicate, a comparer, a factory or a result selector. The error then goes to
/// `Hooks.defaultErrorHandler`, and the sequence ends without another event.
public struct Infallible<Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// - Parameter source: an observable that does not fail.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }
}

/// A type that converts to a sequence that cannot fail.
public protocol InfallibleType<Element>: ObservableConvertibleType {}

extension Infallible: InfallibleType {
    /// Returns this sequence as an observable.
    ///
    /// - Complexity: No allocation.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension InfallibleType {
    /// Returns this sequence as an `Infallible`.
    ///
    ///     let same = Infallible.just(1).asInfallible()
    ///
    /// - Complexity: No allocation.
    @_alwaysEmitIntoClient
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}

/// An event of a sequence that cannot fail.
///
///     let event = InfallibleEvent.next(1)
///     print(event.event.element ?? 0)  // 1
public enum InfallibleEvent<Element> {
    /// A value.
    case next(Element)
    /// The sequence has completed. Nothing follows.
    case completed
}

extension InfallibleEvent: Sendable where Element: Sendable {}

extension InfallibleEvent: EventConvertible {
    /// Returns this event as an event of an observable.
    @inlinable
    public var event: Event<Element> {
        switch self {
        case .next(let element): .next(element)
        case .completed: .completed
        }
    }
}

extension Infallible {
    /// Receives the events of a sequence that cannot fail.
    public typealias InfallibleObserver = (InfallibleEvent<Element>) -> Void
}

extension InfallibleType {
    /// Returns an infallible that runs `subscribe` for each subscriber.
    ///
    ///     let answer = Infallible<Int>.create { observer in
    ///         observer(.next(42))
    ///         observer(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: sends values to the observer one at a time, now or later, from any thread. Returns a
    ///   disposable that is disposed after completion, or when the subscription is disposed. Events after completion
    ///   are ignored.
    /// - Complexity: No allocation per subscription or event, except the allocations of the closure.
    @_alwaysEmitIntoClient
    public static func create(
        subscribe: @escaping (@escaping @Sendable (InfallibleEvent<Element>) -> Void) -> any Disposable
    ) -> Infallible<Element> {
        let source = SourceObservable<Element> { sink in
            // As with `AnyObserver`, the observer may be called from any thread. A sink ignores events after the end.
            // Kernel-internal: emitBeforeEnd, emitEndOnce. A source, whose events the user sends.
            #if DEBUG
                let monitor = EventMonitor()
            #endif
            let subscription = subscribe { event in
                #if DEBUG
                    let visit = sink.visit(monitor, Infallible<Element>.InfallibleObserver.self)
                    defer { visit.end() }
                #endif
                switch event {
                case .next(var element): sink.emitBeforeEnd(&element)
                case .completed: sink.emitEndOnce(nil)
                }
            }
            sink.connect(returned: subscription)
        }
        return Infallible(raw: source)
    }

    /// Returns an infallible that delivers one value, then completes.
    ///
    ///     _ = Infallible.just(1).subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: The same as `just(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element) -> Infallible<Element> { Infallible(raw: .just(element)) }

    /// Returns an infallible that delivers one value, then completes. Each event is a separate action of `scheduler`.
    ///
    ///     let later = Infallible.just(1, scheduler: scheduler)
    ///
    /// - Complexity: The same as `just(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: .just(element, scheduler: scheduler))
    }

    /// Returns an infallible that never sends an event.
    ///
    ///     let silence = Infallible<Int>.never()
    ///
    /// - Complexity: The same as `never()` on `Observable`.
    @_alwaysEmitIntoClient
    public static func never() -> Infallible<Element> { Infallible(raw: .never()) }

    /// Returns an infallible that completes immediately.
    ///
    ///     _ = Infallible<Int>.empty().subscribe { print($0) }  // completed
    ///
    /// - Complexity: The same as `empty()` on `Observable`.
    @_alwaysEmitIntoClient
    public static func empty() -> Infallible<Element> { Infallible(raw: .empty()) }

    /// Calls `infallibleFactory` for each subscriber and subscribes to the sequence that it returns.
    ///
    ///     let now = Infallible.deferred { Infallible.just(Date()) }
    ///
    /// An error that the factory throws goes to `Hooks.defaultErrorHandler` and ends the sequence without an event.
    ///
    /// - Complexity: The same as `deferred(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func deferred(_ infallibleFactory: @escaping () throws -> Infallible<Element>) -> Infallible<Element>
    {
        Infallible(raw: .deferred { try infallibleFactory().source })
    }

    /// Returns an infallible that delivers the given values, then completes.
    ///
    ///     _ = Infallible.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `of(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(raw: .from(elements, scheduler: scheduler))
    }

    /// Returns an infallible that delivers the elements of an array, then completes.
    ///
    ///     _ = Infallible.from([1, 2]).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `from(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(raw: .from(array, scheduler: scheduler))
    }

    /// Returns an infallible that delivers the elements of a Swift sequence, then completes. Each subscription iterates
    /// the sequence from its start.
    ///
    ///     _ = Infallible.from(1...2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `from(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func from<Elements: Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Elements.Element == Element {
        Infallible(raw: .from(sequence, scheduler: scheduler))
    }
}

extension InfallibleType {
    /// Delivers the events to a closure.
    ///
    ///     _ = Infallible.just(1).subscribe { print($0) }  // next(1), completed
    @_alwaysEmitIntoClient
    public func subscribe(_ on: @escaping (InfallibleEvent<Element>) -> Void) -> any Disposable {
        asObservable().subscribe(onNext: { on(.next($0)) }, onCompleted: { on(.completed) })
    }

    /// Delivers values, completion and the disposal to closures.
    ///
    ///     _ = Infallible.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Parameters:
    ///   - onNext: called with each element.
    ///   - onCompleted: called at completion.
    ///   - onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early. After `dispose()` returns, no event follows on this
    ///   thread.
    @_alwaysEmitIntoClient @inline(__always)
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the events to closures that receive `object`.
    ///
    /// The object is not retained. After it is deallocated, the closures are no longer called.
    ///
    ///     _ = titles.subscribe(with: label, onNext: { label, title in label.text = title })
    @_alwaysEmitIntoClient
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}

extension InfallibleType {
    /// The elements as an asynchronous sequence. The loop ends when the sequence completes.
    ///
    ///     for await value in Infallible.of(1, 2).values { print(value) }  // 1, 2
    ///
    /// Reading the property subscribes, on the thread that reads it. Elements that arrive before the task requests them
    /// are buffered without limit. Cancelling the task, or releasing the stream, disposes the subscription.
    ///
    /// - Complexity: The same as `values` on `Observable`.
    public var values: AsyncStream<Element> { values(bufferingPolicy: .unbounded) }

    /// Returns the elements as an asynchronous sequence. Drops elements according to `policy` if the task is slower
    /// than the sequence.
    ///
    ///     for await value in Infallible.of(1, 2).values(bufferingPolicy: .bufferingOldest(1)) { print(value) }  // 1
    ///
    /// See `values`.
    ///
    /// - Parameter policy: determines which elements are buffered until the task requests them.
    /// - Complexity: The same as `values` on `Observable`.
    public func values(
        bufferingPolicy policy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> { AsyncStream(elementsOf: asObservable(), policy) }
}

extension AsyncStream {
    /// Creates a stream of the elements of a sequence that does not fail. Subscribes immediately.
    init(elementsOf source: Observable<Element>, _ policy: Continuation.BufferingPolicy) {
        self.init(bufferingPolicy: policy) { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.setDisposable(
                source.subscribe(
                    onNext: { element in
                        // Unsafe: the library does not keep the element. Any other use by the source is the decision of
                        // its author, as with `subscribe`.
                        nonisolated(unsafe) let element = element
                        continuation.yield(element)
                    },
                    onDisposed: { continuation.finish() }))
        }
    }
}
