/// The trait of `Completable`: no value, only completion or an error.
public enum CompletableTrait {}

/// A sequence without values. It represents work that either completes or fails.
///
///     let saved = Completable.create { completable in
///         store("text") { error in completable(error.map { .error($0) } ?? .completed) }
///         return Disposables.create()
///     }
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Receives the outcome of a `Completable`.
    public typealias CompletableObserver = (CompletableEvent) -> Void

    /// Returns a completable that runs `subscribe` for each subscriber.
    ///
    ///     let done = Completable.create { completable in
    ///         completable(.completed)
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: calls the observer once, now or later, from any thread. Returns a disposable that is
    ///   disposed after that call, or when the subscription is disposed. Later calls are ignored.
    /// - Complexity: No allocation per subscription or event, except the allocations of the closure.
    @_alwaysEmitIntoClient
    public static func create(
        subscribe: @escaping (@escaping @Sendable (CompletableEvent) -> Void) -> any Disposable
    ) -> Completable {
        PrimitiveSequence(
            raw: SourceObservable { sink in
                // As with `AnyObserver`, the observer may be called from any thread; `emitEndOnce` admits one call.
                // Kernel-internal: emitEndOnce. A source, whose end the user sends.
                let subscription = subscribe { event in
                    switch event {
                    case .error(let error): sink.emitEndOnce(error)
                    case .completed: sink.emitEndOnce(nil)
                    }
                }
                sink.connect(returned: subscription)
            })
    }

    /// Returns a completable that fails with the error immediately.
    ///
    /// - Complexity: The same as `error(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func error(_ error: any Error) -> Completable { PrimitiveSequence(raw: Observable.error(error)) }

    /// Returns a completable that never ends.
    ///
    /// - Complexity: The same as `never()` on `Observable`.
    @_alwaysEmitIntoClient
    public static func never() -> Completable { PrimitiveSequence(raw: Observable.never()) }

    /// Returns a completable that completes immediately.
    ///
    /// - Complexity: The same as `empty()` on `Observable`.
    @_alwaysEmitIntoClient
    public static func empty() -> Completable { PrimitiveSequence(raw: Observable.empty()) }
}

/// The outcome of a `Completable`: completion, or an error.
@frozen
public enum CompletableEvent: Sendable {
    /// The sequence has failed.
    case error(any Error)
    /// The sequence has completed.
    case completed
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Delivers the value of `second` after this sequence has completed.
    ///
    ///     // load() is called here; its sequence begins when login() is done.
    ///     let page = login().andThen(load())
    ///
    /// `second` is subscribed to when this sequence completes. If this sequence fails, `second` is not subscribed to.
    /// The stack does not grow, however many sequences complete synchronously one after the other.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func andThen<Result>(_ second: Single<Result>) -> Single<Result> {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: true))
    }

    /// Delivers the value of `second`, if any, after this sequence has completed.
    ///
    /// `second` is subscribed to when this sequence completes. If this sequence fails, `second` is not subscribed to.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func andThen<Result>(_ second: Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: true))
    }

    /// Runs this sequence, then `second` after this sequence has completed.
    ///
    /// `second` is subscribed to when this sequence completes. If this sequence fails, `second` is not subscribed to.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func andThen(_ second: Completable) -> Completable {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: true))
    }

    /// Delivers the elements of `second` after this sequence has completed.
    ///
    ///     let rows = open().andThen(rows)
    ///
    /// `second` is subscribed to when this sequence completes. If this sequence fails, `second` is not subscribed to.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func andThen<Result>(_ second: Observable<Result>) -> Observable<Result> {
        followed(by: second, releasesLate: true)
    }

    /// - Parameter releasesLate: whether this sequence is released only after `second` is subscribed to. `andThen` in
    ///   RxSwift does that; its `concat` releases this sequence first.
    @_alwaysEmitIntoClient
    func followed<Result>(by second: Observable<Result>, releasesLate: Bool) -> Observable<Result> {
        // This sequence has no elements, so the element type does not matter to the concatenation.
        let both: [ObservableBase] = [source, second]
        return ConcatObservable(feeds: both) {
            let walk = IteratorWalk(both.makeIterator(), remaining: 2) {
                unsafeDowncast($0, to: IteratorWalk<IndexingIterator<[ObservableBase]>>.self).iterator.next()
            }
            walk.releasesLate = releasesLate
            return walk
        }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Runs this sequence, then `second` after this sequence has completed.
    ///
    ///     let moved = copied.concat(deleted)
    ///
    /// `second` is subscribed to when this sequence completes. If this sequence fails, `second` is not subscribed to.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func concat(_ second: Completable) -> Completable {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: false))
    }

    /// Runs the completables of `sequence` one after the other.
    ///
    ///     let saved = Completable.concat(documents.lazy.map { save($0) })
    ///
    /// Each completable is requested and subscribed to when the previous one completes. An error ends the whole
    /// sequence. The stack does not grow, however many completables complete synchronously.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat<Completables: Sequence>(_ sequence: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.concat(sequence.lazy.map(\.source)))
    }

    /// Runs the completables of `collection` one after the other.
    ///
    /// Each completable is requested and subscribed to when the previous one completes. An error ends the whole
    /// sequence. The stack does not grow, however many completables complete synchronously.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat<Completables: Collection>(_ collection: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.concat(collection.lazy.map(\.source)))
    }

    /// Runs the completables `sources` one after the other.
    ///
    ///     let moved = Completable.concat(copied, checked, deleted)
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat(_ sources: Completable...) -> Completable { concat(sources) }

    /// Runs all completables of `sources` at the same time, and completes when all of them have completed.
    ///
    ///     let saved = Completable.zip(documents.map { save($0) })
    ///
    /// The first error ends all sequences. If `sources` is empty, the sequence completes immediately.
    ///
    /// - Complexity: The same as `merge(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func zip<Completables: Collection>(_ sources: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.merge(sources.map(\.source)))
    }

    /// Runs all `sources` at the same time, and completes when all of them have completed. The first error ends all
    /// sequences.
    ///
    /// - Complexity: The same as `merge(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func zip(_ sources: [Completable]) -> Completable {
        PrimitiveSequence(raw: Observable.merge(sources.map(\.source)))
    }

    /// Runs all `sources` at the same time, and completes when all of them have completed. The first error ends all
    /// sequences.
    ///
    /// - Complexity: The same as `merge(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func zip(_ sources: Completable...) -> Completable { zip(sources) }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Calls the given closures at the events of this sequence, and forwards the events.
    ///
    ///     let logged = saved.do(onError: { print($0) }, onCompleted: { print("saved") })
    ///
    /// The closures run on the thread of the event. If `onError` or `onCompleted` throws, that error replaces the
    /// event. An error that a closure throws after an event was delivered is dropped.
    ///
    /// - Parameters:
    ///   - onError: called before an error is delivered.
    ///   - afterError: called after the error is delivered.
    ///   - onCompleted: called before completion is delivered.
    ///   - afterCompleted: called after completion is delivered.
    ///   - onSubscribe: called before this sequence is subscribed to.
    ///   - onSubscribed: called after this sequence is subscribed to.
    ///   - onDispose: called once, after the subscription to this sequence has ended or was disposed.
    /// - Complexity: The same as `do(onNext:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func `do`(
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Completable {
        PrimitiveSequence(
            raw: source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Delivers completion or the error to a closure.
    ///
    ///     _ = Completable.empty().subscribe { print($0) }  // completed
    ///
    /// - Returns: the subscription. Dispose it to end early. After `dispose()` returns, no event follows on this
    ///   thread.
    @_alwaysEmitIntoClient
    public func subscribe(_ observer: @escaping CompletableObserver) -> any Disposable {
        source.subscribe(onError: { observer(.error($0)) }, onCompleted: { observer(.completed) })
    }

    /// Delivers completion, the error and the disposal to closures.
    ///
    ///     _ = Completable.empty().subscribe(onCompleted: { print("done") })  // done
    ///
    /// - Parameters:
    ///   - onCompleted: called when the sequence completes.
    ///   - onError: called with an error. Without this closure, the error goes to `Hooks.defaultErrorHandler`.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @_alwaysEmitIntoClient
    public func subscribe(
        onCompleted: (() -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers completion, the error and the disposal to closures that receive `object`.
    ///
    /// The object is not retained. After it is deallocated, the closures are no longer called.
    ///
    ///     saved.subscribe(with: label, onCompleted: { label in label.text = "saved" }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - object: passed to each closure.
    ///   - onCompleted: called when the sequence completes.
    ///   - onError: called with an error. Without this closure, the error goes to `Hooks.defaultErrorHandler`.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @_alwaysEmitIntoClient
    public func subscribe<Object: AnyObject>(
        with object: Object, onCompleted: ((Object) -> Void)? = nil, onError: ((Object, any Error) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(
            onError: calling(onError, with: object), onCompleted: calling(onCompleted, with: object),
            onDisposed: calling(onDisposed, with: object))
    }
}
