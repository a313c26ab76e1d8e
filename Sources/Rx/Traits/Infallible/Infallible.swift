/// A sequence that cannot fail: values, then completion or nothing more.
///
///     let name = request.map(\.name).asInfallible(onErrorJustReturn: "nobody")
///     _ = name.subscribe(onNext: { print($0) })  // Ada
///
/// There is no `onError` to write, and the closures of `map`, `filter`, `scan`, `flatMap` and their like cannot throw.
/// It is a wrapper around an observable: its operators cost what those of `Observable` cost, and nothing is added per
/// event, operator or subscription.
///
/// It has no `observe(on:)`, `subscribe(on:)`, `delay`, `skip` by count, `retry` and `catch`, as users of the trait
/// know it: the first four can be had through `asObservable()`, and the last two have nothing to do.
///
/// The promise is broken where an inner `Observable` in `flatMap` fails, or where a closure throws that may: a function
/// of `do`, a predicate, a comparer, a factory, a result selector. The error then goes to `Hooks.defaultErrorHandler`,
/// and the sequence ends without a further event.
public struct Infallible<Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// - Parameter source: keeps the promise not to fail.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }
}

/// Something that can be seen as a sequence that cannot fail.
public protocol InfallibleType<Element>: ObservableConvertibleType {}

extension Infallible: InfallibleType {
    /// The sequence without its promise.
    ///
    /// - Complexity: No allocation.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension InfallibleType {
    /// The sequence as an `Infallible`.
    ///
    ///     let same = Infallible.just(1).asInfallible()
    ///
    /// - Complexity: No allocation.
    @inlinable
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
    /// The same as an event of an observable.
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
    /// A sequence that `subscribe` produces for each subscriber.
    ///
    ///     let answer = Infallible<Int>.create { observer in
    ///         observer(.next(42))
    ///         observer(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: tells the observer values one at a time, now or later, from any thread, and returns what
    ///   to dispose after completion, or when the subscription is disposed. Events after completion are ignored.
    /// - Complexity: No allocation per subscription or event, beside those of the closure.
    @inlinable
    public static func create(
        subscribe: @escaping (@escaping @Sendable (InfallibleEvent<Element>) -> Void) -> any Disposable
    ) -> Infallible<Element> {
        let source = SourceObservable<Element> { sink in
            // As with `AnyObserver`, the observer may be called from any thread; a sink refuses what comes after
            // the end.
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
                case .completed: sink.endOnce(nil)
                }
            }
            sink.connect(returned: subscription)
        }
        return Infallible(raw: source)
    }

    /// One value, then completion.
    ///
    ///     _ = Infallible.just(1).subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: As `just(_:)` of observables.
    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> { Infallible(raw: .just(element)) }

    /// One value, then completion, each as an action of `scheduler`.
    ///
    ///     let later = Infallible.just(1, scheduler: scheduler)
    ///
    /// - Complexity: As `just(_:scheduler:)` of observables.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(raw: .just(element, scheduler: scheduler))
    }

    /// Nothing, ever.
    ///
    ///     let silence = Infallible<Int>.never()
    ///
    /// - Complexity: As `never()` of observables.
    @inlinable
    public static func never() -> Infallible<Element> { Infallible(raw: .never()) }

    /// Completion at once.
    ///
    ///     _ = Infallible<Int>.empty().subscribe { print($0) }  // completed
    ///
    /// - Complexity: As `empty()` of observables.
    @inlinable
    public static func empty() -> Infallible<Element> { Infallible(raw: .empty()) }

    /// A sequence that `infallibleFactory` makes anew for each subscriber.
    ///
    ///     let now = Infallible.deferred { Infallible.just(Date()) }
    ///
    /// An error that the factory throws goes to `Hooks.defaultErrorHandler` and ends the sequence without an event.
    ///
    /// - Complexity: As `deferred(_:)` of observables.
    @inlinable
    public static func deferred(_ infallibleFactory: @escaping () throws -> Infallible<Element>) -> Infallible<Element>
    {
        Infallible(raw: .deferred { try infallibleFactory().source })
    }

    /// The given values, then completion.
    ///
    ///     _ = Infallible.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `of(_:scheduler:)` of observables.
    @inlinable
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(raw: .from(elements, scheduler: scheduler))
    }

    /// The elements of an array, then completion.
    ///
    ///     _ = Infallible.from([1, 2]).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `from(_:scheduler:)` of observables.
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(raw: .from(array, scheduler: scheduler))
    }

    /// The elements of a Swift sequence, which each subscription walks from its start, then completion.
    ///
    ///     _ = Infallible.from(1...2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `from(_:scheduler:)` of observables.
    @inlinable
    public static func from<Elements: Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Elements.Element == Element {
        Infallible(raw: .from(sequence, scheduler: scheduler))
    }
}

extension InfallibleType {
    /// Delivers the sequence to a function.
    ///
    ///     _ = Infallible.just(1).subscribe { print($0) }  // next(1), completed
    @inlinable
    public func subscribe(_ on: @escaping (InfallibleEvent<Element>) -> Void) -> any Disposable {
        asObservable().subscribe(onNext: { on(.next($0)) }, onCompleted: { on(.completed) })
    }

    /// Delivers values, completion and the disposal of the sequence to functions.
    ///
    ///     _ = Infallible.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Parameters:
    ///   - onNext: called with each element.
    ///   - onCompleted: called at completion.
    ///   - onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early; no event follows on this thread once that has returned.
    @inlinable @inline(__always)
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the sequence to functions that receive `object`, without keeping it alive: once it is gone, none of
    /// them is called.
    ///
    ///     _ = titles.subscribe(with: label, onNext: { label, title in label.text = title })
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}

extension InfallibleType {
    /// The elements, for a task to go through; the loop ends when the sequence completes.
    ///
    ///     for await value in Infallible.of(1, 2).values { print(value) }  // 1, 2
    ///
    /// Reading the property subscribes, on the thread that reads it: elements that come before the task asks for them
    /// are kept, however many they are. Cancelling the task, or letting go of the stream, disposes the subscription.
    ///
    /// - Complexity: As `values` of observables.
    public var values: AsyncStream<Element> { values(bufferingPolicy: .unbounded) }

    /// The elements, for a task to go through, of which some are dropped if the task is slower than the sequence.
    ///
    ///     for await value in Infallible.of(1, 2).values(bufferingPolicy: .bufferingOldest(1)) { print(value) }  // 1
    ///
    /// As `values`.
    ///
    /// - Parameter policy: which elements are kept until the task asks for them.
    /// - Complexity: As `values` of observables.
    public func values(
        bufferingPolicy policy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> { AsyncStream(elementsOf: asObservable(), policy) }
}

extension AsyncStream {
    /// The elements of a sequence that does not fail, subscribed to here and now.
    init(elementsOf source: Observable<Element>, _ policy: Continuation.BufferingPolicy) {
        self.init(bufferingPolicy: policy) { continuation in
            let subscription = SingleAssignmentDisposable()
            continuation.onTermination = { _ in subscription.dispose() }
            subscription.setDisposable(
                source.subscribe(
                    onNext: { element in
                        // Unsafe: nothing of ours keeps it; any other use by the source is its author's decision, as
                        // with `subscribe`.
                        nonisolated(unsafe) let element = element
                        continuation.yield(element)
                    },
                    onDisposed: { continuation.finish() }))
        }
    }
}
