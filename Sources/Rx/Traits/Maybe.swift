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
    /// Receives what a `Maybe` has to say.
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
    @inlinable
    public static func just(_ element: Element) -> Maybe<Element> { PrimitiveSequence(raw: Observable.just(element)) }

    /// The value, on `scheduler`.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        PrimitiveSequence(raw: Observable.just(element, scheduler: scheduler))
    }

    /// The error, at once.
    @inlinable
    public static func error(_ error: any Error) -> Maybe<Element> { PrimitiveSequence(raw: Observable.error(error)) }

    /// Neither a value nor an end, ever.
    @inlinable
    public static func never() -> Maybe<Element> { PrimitiveSequence(raw: Observable.never()) }

    /// No value, at once.
    @inlinable
    public static func empty() -> Maybe<Element> { PrimitiveSequence(raw: Observable.empty()) }
}
