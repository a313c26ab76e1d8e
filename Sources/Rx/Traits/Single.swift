/// The promise of `Single`: one value, or an error.
public enum SingleTrait {}

/// A sequence of exactly one value, or an error: the answer to a request.
///
///     let answer = Single<Int>.create { single in
///         single(.success(42))
///         return Disposables.create()
///     }
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// The outcome of a `Single`: its value, or the error in its place.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Receives the outcome of a `Single`.
    public typealias SingleObserver = (SingleEvent<Element>) -> Void

    /// A sequence of one value that `subscribe` produces for each subscriber.
    ///
    ///     let answer = Single<Int>.create { single in
    ///         DispatchQueue.global().async { single(.success(42)) }
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread, and returns what to dispose
    ///   after that, or when the subscription is disposed. Later calls are ignored.
    /// - Complexity: No allocation per subscription or event, beside those of the closure.
    @inlinable
    public static func create(
        subscribe: @escaping (@escaping @Sendable (SingleEvent<Element>) -> Void) -> any Disposable
    ) -> Single<Element> {
        PrimitiveSequence(
            raw: SourceObservable { sink in
                // As with `AnyObserver`, the observer may be called from any thread; `claimEnd()` admits one call.
                let subscription = subscribe { event in
                    guard sink.claimEnd() else { return }
                    switch event {
                    case .success(let element): sink.deliver(element)
                    case .failure(let error): sink.end(error)
                    }
                }
                sink.connect(returned: subscription)
            })
    }

    /// The value, at once.
    ///
    /// - Complexity: As `just(_:)` of observables.
    @inlinable
    public static func just(_ element: Element) -> Single<Element> { PrimitiveSequence(raw: Observable.just(element)) }

    /// The value, on `scheduler`.
    ///
    /// - Complexity: As `just(_:scheduler:)` of observables.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        PrimitiveSequence(raw: Observable.just(element, scheduler: scheduler))
    }

    /// The error, at once.
    ///
    /// - Complexity: As `error(_:)` of observables.
    @inlinable
    public static func error(_ error: any Error) -> Single<Element> { PrimitiveSequence(raw: Observable.error(error)) }

    /// Neither a value nor an error, ever.
    ///
    /// - Complexity: As `never()` of observables.
    @inlinable
    public static func never() -> Single<Element> { PrimitiveSequence(raw: Observable.never()) }
}

extension Sink {
    /// Delivers the one value and completes. The caller has claimed the end.
    @inlinable
    final func deliver<Element>(_ element: Element) {
        var element = element
        emit(&element)
        if !isStopped { end(nil) }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The value, transformed. If `transform` throws, the sequence fails with that error.
    ///
    ///     _ = Single.just(2).map { $0 * 10 }.subscribe(onSuccess: { print($0) })  // 20
    ///
    /// - Complexity: As `map(_:)` of observables.
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Single<Result> {
        PrimitiveSequence(raw: source.map(transform))
    }

    /// The value, transformed, or nothing if `transform` gives `nil`. If it throws, the sequence fails with that error.
    ///
    ///     _ = Single.just("x").compactMap { Int($0) }.subscribe(onCompleted: { print("no number") })  // no number
    ///
    /// - Complexity: As `compactMap(_:)` of observables.
    @inlinable @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        PrimitiveSequence(raw: source.compactMap(transform))
    }

    /// The value, if `predicate` holds for it. If that throws, the sequence fails with that error.
    ///
    ///     _ = Single.just(2).filter { $0 > 1 }.subscribe(onSuccess: { print($0) })  // 2
    ///
    /// - Complexity: As `filter(_:)` of observables.
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        PrimitiveSequence(raw: source.filter(predicate))
    }

    /// The value of the sequence that `selector` returns for the value.
    ///
    ///     let page = signIn().flatMap { session in load(session) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: As `flatMap(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Single<Result>) -> Single<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// The value, if any, of the sequence that `selector` returns for the value.
    ///
    ///     let cached = key.flatMapMaybe { key in cache.value(for: key) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: As `flatMap(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMapMaybe<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// The end of the sequence that `selector` makes of the value.
    ///
    ///     let saved = download().flatMapCompletable { data in save(data) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    ///
    /// - Complexity: As `flatMap(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMapCompletable(_ selector: @escaping (Element) throws -> Completable) -> Completable {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// The value, or `element` in place of an error.
    ///
    ///     let count = load().map(\.count).catchAndReturn(0)
    ///
    /// - Complexity: As `catchAndReturn(_:)` of observables.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        PrimitiveSequence(raw: source.catchAndReturn(element))
    }

    /// The sequence as one that might have been without a value.
    ///
    /// - Complexity: No allocation per subscription.
    @inlinable
    public func asMaybe() -> Maybe<Element> { PrimitiveSequence(raw: source) }

    /// Only whether there was a value: completion in its place, or the error.
    ///
    /// - Complexity: As `ignoreElements()` of observables.
    @inlinable
    public func asCompletable() -> Completable { PrimitiveSequence(raw: source.ignoreElements()) }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = load().do(onSuccess: { print("loaded", $0) }, onError: { print($0) })
    ///
    /// The functions run on the thread of the event. If `onSuccess` or `onError` throws, that error takes the event's
    /// place; an error that is thrown after an event was delivered is dropped.
    ///
    /// - Parameters:
    ///   - onSuccess: before the value is delivered.
    ///   - afterSuccess: after it was delivered.
    ///   - onError: before an error is delivered.
    ///   - afterError: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    /// - Complexity: As `do(onNext:)` of observables.
    @inlinable
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
    /// The result of `resultSelector` for the values of all sequences, once each has given its own.
    ///
    ///     let total = Single.zip(prices) { $0.reduce(0, +) }
    ///
    /// The values come in the order of the collection. The first error, or an error that `resultSelector`
    /// throws, ends everything. Without any sequence it is called with no values.
    ///
    /// - Complexity: As `zip(_:resultSelector:)` of observables.
    @_alwaysEmitIntoClient @inline(__always)
    public static func zip<Singles: Collection, Result>(
        _ collection: Singles, resultSelector: @escaping ([Element]) throws -> Result
    ) -> Single<Result> where Singles.Element == Single<Element> {
        if collection.isEmpty { return Single.deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: Observable.zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// The values of all sequences in the order of the collection, once each has given its own.
    ///
    ///     let pages = Single.zip((1...3).map { load(page: $0) })
    ///
    /// The first error ends everything. Without any sequence the value is an empty array.
    ///
    /// - Complexity: As `zip(_:)` of observables.
    @_alwaysEmitIntoClient
    public static func zip<Singles: Collection>(_ collection: Singles) -> Single<[Element]>
    where Singles.Element == Single<Element> {
        zip(collection) { $0 }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Delivers the value or the error to a function.
    ///
    ///     _ = Single.just(1).subscribe { print($0) }  // success(1)
    ///
    /// - Returns: the subscription. Dispose it to end early; nothing follows on this thread once that has returned.
    @inlinable
    public func subscribe(_ observer: @escaping SingleObserver) -> any Disposable {
        subscribeToFirst(
            onSuccess: { observer(.success($0)) }, onError: { observer(.failure($0)) }, onCompleted: nil,
            onDisposed: nil)
    }

    /// Delivers the value, the error and the disposal to functions.
    ///
    ///     _ = Single.just(1).subscribe(onSuccess: { print($0) })  // 1
    ///
    /// - Parameters:
    ///   - onSuccess: called with the value.
    ///   - onFailure: called with an error; without it `Hooks.defaultErrorHandler` is.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable @inline(__always)
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onFailure: ((any Error) -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(onSuccess: onSuccess, onError: onFailure, onCompleted: nil, onDisposed: onDisposed)
    }

    /// Delivers the value, the error and the disposal to functions that receive `object`, without keeping it alive:
    /// once it is gone, none of them is called.
    ///
    ///     answer.subscribe(with: label, onSuccess: { label, value in label.text = "\(value)" }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - object: handed to each function.
    ///   - onSuccess: called with the value.
    ///   - onFailure: called with an error; without it `Hooks.defaultErrorHandler` is.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onFailure: ((Object, any Error) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(
            onSuccess: calling(onSuccess, with: object), onError: calling(onFailure, with: object), onCompleted: nil,
            onDisposed: calling(onDisposed, with: object))
    }
}
