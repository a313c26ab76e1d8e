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
    ///     let answer = Single<Int>.create { single in
    ///         DispatchQueue.global().async { single(.success(42)) }
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread, and returns what to dispose
    ///   after that, or when the subscription is disposed. Later calls are ignored.
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
    @inlinable
    public static func just(_ element: Element) -> Single<Element> { PrimitiveSequence(raw: Observable.just(element)) }

    /// The value, on `scheduler`.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        PrimitiveSequence(raw: Observable.just(element, scheduler: scheduler))
    }

    /// The error, at once.
    @inlinable
    public static func error(_ error: any Error) -> Single<Element> { PrimitiveSequence(raw: Observable.error(error)) }

    /// Neither a value nor an error, ever.
    @inlinable
    public static func never() -> Single<Element> { PrimitiveSequence(raw: Observable.never()) }
}

extension Sink {
    /// Delivers the one value and completes, for who has claimed the end.
    @inlinable
    final func deliver<Element>(_ element: Element) {
        var element = element
        emit(&element)
        if !isStopped { end(nil) }
    }
}
