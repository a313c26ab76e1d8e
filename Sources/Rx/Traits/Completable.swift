/// The promise of `Completable`: no value, only completion or an error.
public enum CompletableTrait {}

/// A sequence without values: something that gets done, or fails.
///
///     let saved = Completable.create { completable in
///         store("text") { error in completable(error.map { .error($0) } ?? .completed) }
///         return Disposables.create()
///     }
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Receives what a `Completable` has to say.
    public typealias CompletableObserver = (CompletableEvent) -> Void

    /// A sequence without values that `subscribe` produces for each subscriber.
    ///
    ///     let done = Completable.create { completable in
    ///         completable(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread, and returns what to dispose
    ///   after that, or when the subscription is disposed. Later calls are ignored.
    @inlinable
    public static func create(
        subscribe: @escaping (@escaping @Sendable (CompletableEvent) -> Void) -> any Disposable
    ) -> Completable {
        PrimitiveSequence(
            raw: SourceObservable { sink in
                // As with `AnyObserver`, the observer may be called from any thread; `endOnce` admits one call.
                let subscription = subscribe { event in
                    switch event {
                    case .error(let error): sink.endOnce(error)
                    case .completed: sink.endOnce(nil)
                    }
                }
                sink.connect(returned: subscription)
            })
    }

    /// The error, at once.
    @inlinable
    public static func error(_ error: any Error) -> Completable { PrimitiveSequence(raw: Observable.error(error)) }

    /// No end, ever.
    @inlinable
    public static func never() -> Completable { PrimitiveSequence(raw: Observable.never()) }

    /// Completion at once.
    @inlinable
    public static func empty() -> Completable { PrimitiveSequence(raw: Observable.empty()) }
}
