/// The promise of `Maybe`: one value, none, or an error.
public enum MaybeTrait {}

/// A sequence of one value, of none, or an error: a look into a cache.
///
///     let cached = Maybe<Int>.create { maybe in
///         if let value = cache["key"] { maybe(.success(value)) } else { maybe(.completed) }
///         return Disposables.create()
///     }
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Receives the outcome of a `Maybe`.
    public typealias MaybeObserver = (MaybeEvent<Element>) -> Void

    /// A sequence of at most one value that `subscribe` produces for each subscriber.
    ///
    ///     let nothing = Maybe<Int>.create { maybe in
    ///         maybe(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread, and returns what to dispose
    ///   after that, or when the subscription is disposed. Later calls are ignored.
    /// - Complexity: No allocation per subscription or event, beside those of the closure.
    @inlinable
    public static func create(
        subscribe: @escaping (@escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable
    ) -> Maybe<Element> {
        PrimitiveSequence(
            raw: SourceObservable { sink in
                // As with `AnyObserver`, the observer may be called from any thread; `claimEnd()` admits one call.
                let subscription = subscribe { event in
                    guard sink.claimEnd() else { return }
                    switch event {
                    case .success(let element): sink.deliver(element)
                    case .error(let error): sink.end(error)
                    case .completed: sink.end(nil)
                    }
                }
                sink.connect(returned: subscription)
            })
    }

    /// The value, at once.
    ///
    /// - Complexity: As `just(_:)` of observables.
    @inlinable
    public static func just(_ element: Element) -> Maybe<Element> { PrimitiveSequence(raw: Observable.just(element)) }

    /// The value, on `scheduler`.
    ///
    /// - Complexity: As `just(_:scheduler:)` of observables.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        PrimitiveSequence(raw: Observable.just(element, scheduler: scheduler))
    }

    /// The error, at once.
    ///
    /// - Complexity: As `error(_:)` of observables.
    @inlinable
    public static func error(_ error: any Error) -> Maybe<Element> { PrimitiveSequence(raw: Observable.error(error)) }

    /// Neither a value nor an end, ever.
    ///
    /// - Complexity: As `never()` of observables.
    @inlinable
    public static func never() -> Maybe<Element> { PrimitiveSequence(raw: Observable.never()) }

    /// No value, at once.
    ///
    /// - Complexity: As `empty()` of observables.
    @inlinable
    public static func empty() -> Maybe<Element> { PrimitiveSequence(raw: Observable.empty()) }
}

/// The outcome of a `Maybe`: its value, completion without one, or an error.
@frozen
public enum MaybeEvent<Element> {
    /// The value.
    case success(Element)
    /// The sequence has failed.
    case error(any Error)
    /// There is no value.
    case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The value, if there is one, transformed. If `transform` throws, the sequence fails with that error.
    ///
    ///     _ = Maybe.just(2).map { $0 * 10 }.subscribe(onSuccess: { print($0) })  // 20
    ///
    /// - Complexity: As `map(_:)` of observables.
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Maybe<Result> {
        PrimitiveSequence(raw: source.map(transform))
    }

    /// The value, transformed, or nothing if `transform` gives `nil`. If it throws, the sequence fails with that error.
    ///
    ///     _ = Maybe.just("x").compactMap { Int($0) }.subscribe(onCompleted: { print("no number") })  // no number
    ///
    /// - Complexity: As `compactMap(_:)` of observables.
    @inlinable @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        PrimitiveSequence(raw: source.compactMap(transform))
    }

    /// The value, if `predicate` holds for it. If that throws, the sequence fails with that error.
    ///
    ///     _ = Maybe.just(2).filter { $0 > 1 }.subscribe(onSuccess: { print($0) })  // 2
    ///
    /// - Complexity: As `filter(_:)` of observables.
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        PrimitiveSequence(raw: source.filter(predicate))
    }

    /// The value, if any, of the sequence that `selector` returns for the value.
    ///
    ///     let cached = key.asMaybe().flatMap { key in cache.value(for: key) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: As `flatMap(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// The value, or `element` if there is none.
    ///
    ///     _ = Maybe<Int>.empty().ifEmpty(default: 7).subscribe(onSuccess: { print($0) })  // 7
    ///
    /// - Complexity: As `ifEmpty(default:)` of observables.
    @inlinable
    public func ifEmpty(default element: Element) -> Single<Element> {
        PrimitiveSequence(raw: source.ifEmpty(default: element))
    }

    /// The value, or that of `other`, if any, if there is none.
    ///
    ///     let row = cached.ifEmpty(switchTo: stored)
    ///
    /// `other` is subscribed to only then.
    ///
    /// - Complexity: As `ifEmpty(switchTo:)` of observables.
    @inlinable
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        PrimitiveSequence(raw: source.ifEmpty(switchTo: other.source))
    }

    /// The value, or that of `other` if there is none.
    ///
    ///     let row = cached.ifEmpty(switchTo: load())
    ///
    /// `other` is subscribed to only then.
    ///
    /// - Complexity: As `ifEmpty(switchTo:)` of observables.
    @inlinable
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        PrimitiveSequence(raw: source.ifEmpty(switchTo: other.source))
    }

    /// The sequence, or `element` in place of an error.
    ///
    ///     let count = cached.map(\.count).catchAndReturn(0)
    ///
    /// - Complexity: As `catchAndReturn(_:)` of observables.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        PrimitiveSequence(raw: source.catchAndReturn(element))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = cached.do(onNext: { print("found", $0) }, onError: { print($0) })
    ///
    /// The functions run on the thread of the event. If `onNext`, `onError` or `onCompleted` throws, that error takes
    /// the event's place; an error that is thrown after an event was delivered is dropped.
    ///
    /// - Parameters:
    ///   - onNext: before the value is delivered, as `onSuccess` of a single.
    ///   - afterNext: after it was delivered.
    ///   - onError: before an error is delivered.
    ///   - afterError: after it was delivered.
    ///   - onCompleted: before completion is delivered, which in the observable within follows a value too.
    ///   - afterCompleted: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    /// - Complexity: As `do(onNext:)` of observables.
    @inlinable
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Maybe<Element> {
        PrimitiveSequence(
            raw: source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
                onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Delivers the value, the error or that there is none to a function.
    ///
    ///     _ = Maybe<Int>.empty().subscribe { print($0) }  // completed
    ///
    /// - Returns: the subscription. Dispose it to end early; nothing follows on this thread once that has returned.
    @inlinable
    public func subscribe(_ observer: @escaping MaybeObserver) -> any Disposable {
        subscribeToFirst(
            onSuccess: { observer(.success($0)) }, onError: { observer(.error($0)) },
            onCompleted: { observer(.completed) },
            onDisposed: nil)
    }

    /// Delivers the value, the error, that there is none and the disposal to functions.
    ///
    ///     _ = Maybe.just(1).subscribe(onSuccess: { print($0) }, onCompleted: { print("none") })  // 1
    ///
    /// - Parameters:
    ///   - onSuccess: called with the value.
    ///   - onError: called with an error; without it `Hooks.defaultErrorHandler` is.
    ///   - onCompleted: called if there is no value.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable @inline(__always)
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(onSuccess: onSuccess, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the value, the error, that there is none and the disposal to functions that receive `object`, without
    /// keeping it alive: once it is gone, none of them is called.
    ///
    ///     cached.subscribe(with: label, onSuccess: { label, value in label.text = value }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - object: handed to each function.
    ///   - onSuccess: called with the value.
    ///   - onError: called with an error; without it `Hooks.defaultErrorHandler` is.
    ///   - onCompleted: called if there is no value.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(
            onSuccess: calling(onSuccess, with: object), onError: calling(onError, with: object),
            onCompleted: calling(onCompleted, with: object), onDisposed: calling(onDisposed, with: object))
    }
}
