/// The promise of `Single`: one value, or an error.
public enum SingleTrait {}

/// A sequence of exactly one value, or an error: the answer to a request.
///
///     let answer = Single<Int>.create { single in
///         single(.success(42))
///         return Disposables.create()
///     }
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// What a `Single` has to say: its value, or why there is none.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Receives what a `Single` has to say.
    public typealias SingleObserver = (SingleEvent<Element>) -> Void

    /// A sequence of one value that `subscribe` produces for each subscriber.
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread, and returns what to dispose
    ///   after that, or when the subscription is disposed. Later calls are ignored.
    @inlinable
    public static func create(subscribe: @escaping (@escaping SingleObserver) -> any Disposable) -> Single<Element> {
        PrimitiveSequence(raw: SourceObservable { sink in
            let subscription = subscribe { event in
                guard sink.claimEnd() else { return }
                switch event {
                case .success(var element):
                    sink.emit(&element)
                    sink.end(nil)
                case .failure(let error): sink.end(error)
                }
            }
            if !(subscription is NopDisposable) { sink.connect(subscription) }
        })
    }

    /// The value, at once.
    @inlinable
    public static func just(_ element: Element) -> Single<Element> { PrimitiveSequence(raw: Observable.just(element)) }

    /// The error, at once.
    @inlinable
    public static func error(_ error: any Error) -> Single<Element> { PrimitiveSequence(raw: Observable.error(error)) }

    /// Neither a value nor an error, ever.
    @inlinable
    public static func never() -> Single<Element> { PrimitiveSequence(raw: Observable.never()) }

    /// Delivers the value or the error to a function.
    @inlinable
    public func subscribe(_ observer: @escaping SingleObserver) -> any Disposable {
        primitiveSequence.source.subscribe(onNext: { observer(.success($0)) }, onError: { observer(.failure($0)) })
    }

    /// Delivers the value, the error and the disposal to functions.
    ///
    ///     _ = Single.just(1).subscribe(onSuccess: { print($0) })  // 1
    ///
    /// - Parameters:
    ///   - onFailure: what an error leads to; without it `Hooks.defaultErrorHandler` is called.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil,
        onFailure: ((any Error) -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        primitiveSequence.source.subscribe(onNext: onSuccess, onError: onFailure, onDisposed: onDisposed)
    }

    /// The value, transformed. If `transform` throws, the sequence fails with that error.
    @inlinable
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Single<Result> {
        PrimitiveSequence(raw: primitiveSequence.source.map(transform))
    }
}

extension ObservableType {
    /// The only element, delivered when the sequence completes.
    ///
    /// Fails with `RxError.noElements` if there is none, and with `RxError.moreThanOneElement` at a second one. One
    /// allocation per subscription.
    @inlinable
    public func asSingle() -> Single<Element> {
        let only: Observable<Element> = link(
            state: Element?.none,
            onEnd: { (link: StatefulLink<Element?>, error) in
                if let error { return link.fail(error) }
                guard var element = link.state else { return link.fail(RxError.noElements) }
                link.forward(&element)
                link.complete()
            },
            { address, sink in
                sink.receive(address) { (link: StatefulLink<Element?>, element: inout Element) in
                    if link.state != nil { return link.fail(RxError.moreThanOneElement) }
                    link.state = .some(element)
                }
            })
        return Single(raw: only)
    }
}
