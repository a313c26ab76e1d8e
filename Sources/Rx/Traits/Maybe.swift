/// The trait of `Maybe`: one value, no value, or an error.
public enum MaybeTrait {}

/// A sequence of at most one value, or an error. Use it, for example, for a cache lookup.
///
///     let cached = Maybe<Int>.create { maybe in
///         if let value = cache["key"] { maybe(.success(value)) } else { maybe(.completed) }
///         return Disposables.create()
///     }
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Receives the outcome of a `Maybe`.
    public typealias MaybeObserver = (MaybeEvent<Element>) -> Void

    /// Returns a maybe that runs `subscribe` for each subscriber.
    ///
    ///     let nothing = Maybe<Int>.create { maybe in
    ///         maybe(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread. Returns a disposable that is
    ///   disposed after that call, or when the subscription is disposed. Later calls are ignored.
    /// - Complexity: No allocation per subscription or event, except the allocations of the closure.
    @_alwaysEmitIntoClient
    public static func create(
        subscribe: @escaping (@escaping @Sendable (MaybeEvent<Element>) -> Void) -> any Disposable
    ) -> Maybe<Element> {
        PrimitiveSequence(
            raw: SourceObservable { sink in
                // As with `AnyObserver`, the observer may be called from any thread; `claimEnd()` admits one call.
                // Kernel-internal: claimEnd, emitEnd. A source, whose event the user sends.
                let subscription = subscribe { event in
                    guard sink.claimEnd() else { return }
                    switch event {
                    case .success(let element): sink.deliver(element)
                    case .error(let error): sink.emitEnd(error)
                    case .completed: sink.emitEnd()
                    }
                }
                sink.connect(returned: subscription)
            })
    }

    /// Returns a maybe that delivers the value immediately.
    ///
    /// - Complexity: The same as `just(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element) -> Maybe<Element> { PrimitiveSequence(raw: Observable.just(element)) }

    /// Returns a maybe that delivers the value on `scheduler`.
    ///
    /// - Complexity: The same as `just(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        PrimitiveSequence(raw: Observable.just(element, scheduler: scheduler))
    }

    /// Returns a maybe that fails with the error immediately.
    ///
    /// - Complexity: The same as `error(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func error(_ error: any Error) -> Maybe<Element> { PrimitiveSequence(raw: Observable.error(error)) }

    /// Returns a maybe that never delivers a value and never ends.
    ///
    /// - Complexity: The same as `never()` on `Observable`.
    @_alwaysEmitIntoClient
    public static func never() -> Maybe<Element> { PrimitiveSequence(raw: Observable.never()) }

    /// Returns a maybe that completes immediately, without a value.
    ///
    /// - Complexity: The same as `empty()` on `Observable`.
    @_alwaysEmitIntoClient
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
    /// Transforms the value, if there is one. If `transform` throws, the sequence fails with that error.
    ///
    ///     _ = Maybe.just(2).map { $0 * 10 }.subscribe(onSuccess: { print($0) })  // 20
    ///
    /// - Complexity: The same as `map(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Maybe<Result> {
        PrimitiveSequence(raw: source.map(transform))
    }

    /// Transforms the value. Completes without a value if `transform` returns `nil`. If it throws, the sequence fails
    /// with that error.
    ///
    ///     _ = Maybe.just("x").compactMap { Int($0) }.subscribe(onCompleted: { print("no number") })  // no number
    ///
    /// - Complexity: The same as `compactMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        PrimitiveSequence(raw: source.compactMap(transform))
    }

    /// Delivers the value if `predicate` returns `true` for it. If `predicate` throws, the sequence fails with that
    /// error.
    ///
    ///     _ = Maybe.just(2).filter { $0 > 1 }.subscribe(onSuccess: { print($0) })  // 2
    ///
    /// - Complexity: The same as `filter(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        PrimitiveSequence(raw: source.filter(predicate))
    }

    /// Delivers the value, if any, of the maybe that `selector` returns for this value.
    ///
    ///     let cached = key.asMaybe().flatMap { key in cache.value(for: key) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: The same as `flatMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// Delivers the value, or `element` if there is no value.
    ///
    ///     _ = Maybe<Int>.empty().ifEmpty(default: 7).subscribe(onSuccess: { print($0) })  // 7
    ///
    /// - Complexity: The same as `ifEmpty(default:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func ifEmpty(default element: Element) -> Single<Element> {
        PrimitiveSequence(raw: source.ifEmpty(default: element))
    }

    /// Delivers the value, or the value of `other`, if any, if this sequence has no value.
    ///
    ///     let row = cached.ifEmpty(switchTo: stored)
    ///
    /// `other` is subscribed to only if this sequence completes without a value.
    ///
    /// - Complexity: The same as `ifEmpty(switchTo:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        PrimitiveSequence(raw: source.ifEmpty(switchTo: other.source))
    }

    /// Delivers the value, or the value of `other` if this sequence has no value.
    ///
    ///     let row = cached.ifEmpty(switchTo: load())
    ///
    /// `other` is subscribed to only if this sequence completes without a value.
    ///
    /// - Complexity: The same as `ifEmpty(switchTo:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        PrimitiveSequence(raw: source.ifEmpty(switchTo: other.source))
    }

    /// Forwards this sequence, and delivers `element` if the sequence fails.
    ///
    ///     let count = cached.map(\.count).catchAndReturn(0)
    ///
    /// - Complexity: The same as `catchAndReturn(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        PrimitiveSequence(raw: source.catchAndReturn(element))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Calls the given closures at the events of this sequence, and forwards the events.
    ///
    ///     let logged = cached.do(onNext: { print("found", $0) }, onError: { print($0) })
    ///
    /// The closures run on the thread of the event. If `onNext`, `onError` or `onCompleted` throws, that error replaces
    /// the event. An error that a closure throws after an event was delivered is dropped.
    ///
    /// - Parameters:
    ///   - onNext: called before the value is delivered, like `onSuccess` on `Single`.
    ///   - afterNext: called after the value is delivered.
    ///   - onError: called before an error is delivered.
    ///   - afterError: called after the error is delivered.
    ///   - onCompleted: called before completion is delivered. In the wrapped observable, completion follows a value
    ///     too.
    ///   - afterCompleted: called after completion is delivered.
    ///   - onSubscribe: called before this sequence is subscribed to.
    ///   - onSubscribed: called after this sequence is subscribed to.
    ///   - onDispose: called once, after the subscription to this sequence has ended or was disposed.
    /// - Complexity: The same as `do(onNext:)` on `Observable`.
    @_alwaysEmitIntoClient
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
    /// Delivers the outcome to a closure: the value, the error, or completion without a value.
    ///
    ///     _ = Maybe<Int>.empty().subscribe { print($0) }  // completed
    ///
    /// - Returns: the subscription. Dispose it to end early. After `dispose()` returns, no event follows on this
    ///   thread.
    @_alwaysEmitIntoClient
    public func subscribe(_ observer: @escaping MaybeObserver) -> any Disposable {
        subscribeToFirst(
            onSuccess: { observer(.success($0)) }, onError: { observer(.error($0)) },
            onCompleted: { observer(.completed) },
            onDisposed: nil)
    }

    /// Delivers the value, the error, completion without a value, and the disposal to closures.
    ///
    ///     _ = Maybe.just(1).subscribe(onSuccess: { print($0) }, onCompleted: { print("none") })  // 1
    ///
    /// - Parameters:
    ///   - onSuccess: called with the value.
    ///   - onError: called with an error. Without this closure, the error goes to `Hooks.defaultErrorHandler`.
    ///   - onCompleted: called if there is no value.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @_alwaysEmitIntoClient @inline(__always)
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(onSuccess: onSuccess, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the value, the error, completion without a value, and the disposal to closures that receive `object`.
    ///
    /// The object is not retained. After it is deallocated, the closures are no longer called.
    ///
    ///     cached.subscribe(with: label, onSuccess: { label, value in label.text = value }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - object: passed to each closure.
    ///   - onSuccess: called with the value.
    ///   - onError: called with an error. Without this closure, the error goes to `Hooks.defaultErrorHandler`.
    ///   - onCompleted: called if there is no value.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @_alwaysEmitIntoClient
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
