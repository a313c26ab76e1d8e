/// The trait of `Single`: exactly one value, or an error.
public enum SingleTrait {}

/// A sequence of exactly one value, or an error. Use it, for example, for the response to a request.
///
///     let answer = Single<Int>.create { single in
///         single(.success(42))
///         return Disposables.create()
///     }
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// The outcome of a `Single`: its value or its error.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Receives the outcome of a `Single`.
    public typealias SingleObserver = (SingleEvent<Element>) -> Void

    /// Returns a single that runs `subscribe` for each subscriber.
    ///
    ///     let answer = Single<Int>.create { single in
    ///         DispatchQueue.global().async { single(.success(42)) }
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread. Returns a disposable that is
    ///   disposed after that call, or when the subscription is disposed. Later calls are ignored.
    /// - Complexity: No allocation per subscription or event, except the allocations of the closure.
    @_alwaysEmitIntoClient
    public static func create(
        subscribe: @escaping (@escaping @Sendable (SingleEvent<Element>) -> Void) -> any Disposable
    ) -> Single<Element> {
        PrimitiveSequence(
            raw: SourceObservable { sink in
                // As with `AnyObserver`, the observer may be called from any thread; `claimEnd()` admits one call.
                // Kernel-internal: claimEnd, emit, emitEnd. A source, whose event the user sends.
                let subscription = subscribe { event in
                    guard sink.claimEnd() else { return }
                    switch event {
                    case .success(let element): sink.deliver(element)
                    case .failure(let error): sink.emitEnd(error)
                    }
                }
                sink.connect(returned: subscription)
            })
    }

    /// Returns a single that delivers the value immediately.
    ///
    /// - Complexity: The same as `just(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element) -> Single<Element> { PrimitiveSequence(raw: Observable.just(element)) }

    /// Returns a single that delivers the value on `scheduler`.
    ///
    /// - Complexity: The same as `just(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        PrimitiveSequence(raw: Observable.just(element, scheduler: scheduler))
    }

    /// Returns a single that fails with the error immediately.
    ///
    /// - Complexity: The same as `error(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func error(_ error: any Error) -> Single<Element> { PrimitiveSequence(raw: Observable.error(error)) }

    /// Returns a single that never delivers a value or an error.
    ///
    /// - Complexity: The same as `never()` on `Observable`.
    @_alwaysEmitIntoClient
    public static func never() -> Single<Element> { PrimitiveSequence(raw: Observable.never()) }
}

extension Sink {
    /// Delivers the only value and completes. The caller has claimed the end.
    @_alwaysEmitIntoClient
    final func deliver<Element>(_ element: Element) {
        var element = element
        emit(&element)
        if !isStopped { emitEnd() }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Transforms the value. If `transform` throws, the sequence fails with that error.
    ///
    ///     _ = Single.just(2).map { $0 * 10 }.subscribe(onSuccess: { print($0) })  // 20
    ///
    /// - Complexity: The same as `map(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Single<Result> {
        PrimitiveSequence(raw: source.map(transform))
    }

    /// Transforms the value. Completes without a value if `transform` returns `nil`. If it throws, the sequence fails
    /// with that error.
    ///
    ///     _ = Single.just("x").compactMap { Int($0) }.subscribe(onCompleted: { print("no number") })  // no number
    ///
    /// - Complexity: The same as `compactMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        PrimitiveSequence(raw: source.compactMap(transform))
    }

    /// Delivers the value if `predicate` returns `true` for it. If `predicate` throws, the sequence fails with that
    /// error.
    ///
    ///     _ = Single.just(2).filter { $0 > 1 }.subscribe(onSuccess: { print($0) })  // 2
    ///
    /// - Complexity: The same as `filter(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        PrimitiveSequence(raw: source.filter(predicate))
    }

    /// Delivers the value of the single that `selector` returns for this value.
    ///
    ///     let page = signIn().flatMap { session in load(session) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: The same as `flatMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Single<Result>) -> Single<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// Delivers the value, if any, of the maybe that `selector` returns for this value.
    ///
    ///     let cached = key.flatMapMaybe { key in cache.value(for: key) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: The same as `flatMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapMaybe<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// Runs the completable that `selector` returns for the value, and ends as it does.
    ///
    ///     let saved = download().flatMapCompletable { data in save(data) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: The same as `flatMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapCompletable(_ selector: @escaping (Element) throws -> Completable) -> Completable {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// Delivers the value, or `element` if the sequence fails.
    ///
    ///     let count = load().map(\.count).catchAndReturn(0)
    ///
    /// - Complexity: The same as `catchAndReturn(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        PrimitiveSequence(raw: source.catchAndReturn(element))
    }

    /// Returns this sequence as a maybe, which may have no value.
    ///
    /// - Complexity: No allocation per subscription.
    @_alwaysEmitIntoClient
    public func asMaybe() -> Maybe<Element> { PrimitiveSequence(raw: source) }

    /// Returns a completable that completes if the value arrives and fails if an error arrives.
    ///
    /// - Complexity: The same as `ignoreElements()` on `Observable`.
    @_alwaysEmitIntoClient
    public func asCompletable() -> Completable { PrimitiveSequence(raw: source.ignoreElements()) }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Calls the given closures at the events of this sequence, and forwards the events.
    ///
    ///     let logged = load().do(onSuccess: { print("loaded", $0) }, onError: { print($0) })
    ///
    /// The closures run on the thread of the event. If `onSuccess` or `onError` throws, that error replaces the event.
    /// An error that a closure throws after an event was delivered is dropped.
    ///
    /// - Parameters:
    ///   - onSuccess: called before the value is delivered.
    ///   - afterSuccess: called after the value is delivered.
    ///   - onError: called before an error is delivered.
    ///   - afterError: called after the error is delivered.
    ///   - onSubscribe: called before this sequence is subscribed to.
    ///   - onSubscribed: called after this sequence is subscribed to.
    ///   - onDispose: called once, after the subscription to this sequence has ended or was disposed.
    /// - Complexity: The same as `do(onNext:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func `do`(
        onSuccess: ((Element) throws -> Void)? = nil, afterSuccess: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Single<Element> {
        PrimitiveSequence(
            raw: source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Combines the values of all singles with `resultSelector` after every single has delivered its value.
    ///
    ///     let total = Single.zip(prices) { $0.reduce(0, +) }
    ///
    /// `resultSelector` receives the values in the order of the collection. The first error, or an error that
    /// `resultSelector` throws, ends all sequences. If the collection is empty, `resultSelector` receives an empty
    /// array.
    ///
    /// - Complexity: The same as `zip(_:resultSelector:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func zip<Singles: Collection, Result>(
        _ collection: Singles, resultSelector: @escaping ([Element]) throws -> Result
    ) -> Single<Result> where Singles.Element == Single<Element> {
        if collection.isEmpty { return Single.deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: Observable.zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// Delivers the values of all singles in the order of the collection, after every single has delivered its value.
    ///
    ///     let pages = Single.zip((1...3).map { load(page: $0) })
    ///
    /// The first error ends all sequences. If the collection is empty, the value is an empty array.
    ///
    /// - Complexity: The same as `zip(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func zip<Singles: Collection>(_ collection: Singles) -> Single<[Element]>
    where Singles.Element == Single<Element> {
        zip(collection) { $0 }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Delivers the value or the error to a closure.
    ///
    ///     _ = Single.just(1).subscribe { print($0) }  // success(1)
    ///
    /// - Returns: the subscription. Dispose it to end early. After `dispose()` returns, no event follows on this
    ///   thread.
    @_alwaysEmitIntoClient
    public func subscribe(_ observer: @escaping SingleObserver) -> any Disposable {
        subscribeToFirst(
            onSuccess: { observer(.success($0)) }, onError: { observer(.failure($0)) }, onCompleted: nil,
            onDisposed: nil)
    }

    /// Delivers the value, the error and the disposal to closures.
    ///
    ///     _ = Single.just(1).subscribe(onSuccess: { print($0) })  // 1
    ///
    /// - Parameters:
    ///   - onSuccess: called with the value.
    ///   - onFailure: called with an error. Without this closure, the error goes to `Hooks.defaultErrorHandler`.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @_alwaysEmitIntoClient @inline(__always)
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onFailure: ((any Error) -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(onSuccess: onSuccess, onError: onFailure, onCompleted: nil, onDisposed: onDisposed)
    }

    /// Delivers the value, the error and the disposal to closures that receive `object`.
    ///
    /// The object is not retained. After it is deallocated, the closures are no longer called.
    ///
    ///     answer.subscribe(with: label, onSuccess: { label, value in label.text = "\(value)" }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - object: passed to each closure.
    ///   - onSuccess: called with the value.
    ///   - onFailure: called with an error. Without this closure, the error goes to `Hooks.defaultErrorHandler`.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @_alwaysEmitIntoClient
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onFailure: ((Object, any Error) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(
            onSuccess: calling(onSuccess, with: object), onError: calling(onFailure, with: object), onCompleted: nil,
            onDisposed: calling(onDisposed, with: object))
    }
}
