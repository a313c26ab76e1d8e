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
    /// Receives the outcome of a `Completable`.
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
    /// - Complexity: No allocation per subscription or event, beside those of the closure.
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
    ///
    /// - Complexity: As `error(_:)` of observables.
    @inlinable
    public static func error(_ error: any Error) -> Completable { PrimitiveSequence(raw: Observable.error(error)) }

    /// No end, ever.
    ///
    /// - Complexity: As `never()` of observables.
    @inlinable
    public static func never() -> Completable { PrimitiveSequence(raw: Observable.never()) }

    /// Completion at once.
    ///
    /// - Complexity: As `empty()` of observables.
    @inlinable
    public static func empty() -> Completable { PrimitiveSequence(raw: Observable.empty()) }
}

/// The outcome of a `Completable`: completion, or an error.
@frozen
public enum CompletableEvent: Sendable {
    /// The sequence has failed.
    case error(any Error)
    /// It is done.
    case completed
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// The value of `second`, once this sequence has completed.
    ///
    ///     // load() is called here; its sequence begins when login() is done.
    ///     let page = login().andThen(load())
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that. However many
    /// sequences follow one another and end at once, the stack does not grow.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public func andThen<Result>(_ second: Single<Result>) -> Single<Result> {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: true))
    }

    /// The value of `second`, if any, once this sequence has completed.
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public func andThen<Result>(_ second: Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: true))
    }

    /// This sequence and, once it has completed, `second`.
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public func andThen(_ second: Completable) -> Completable {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: true))
    }

    /// The elements of `second`, once this sequence has completed.
    ///
    ///     let rows = open().andThen(rows)
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public func andThen<Result>(_ second: Observable<Result>) -> Observable<Result> {
        followed(by: second, releasesLate: true)
    }

    /// - Parameter releasesLate: as `andThen` in RxSwift, where `concat` releases this sequence before `second` is
    ///   subscribed to.
    @inlinable
    func followed<Result>(by second: Observable<Result>, releasesLate: Bool) -> Observable<Result> {
        // This sequence has no elements, so their type does not matter to the concatenation.
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
    /// This sequence and, once it has completed, `second`.
    ///
    ///     let moved = copied.concat(deleted)
    ///
    /// `second` is subscribed to at the moment of completion; an error ends everything before that.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public func concat(_ second: Completable) -> Completable {
        PrimitiveSequence(raw: followed(by: second.source, releasesLate: false))
    }

    /// The sequences of `sequence`, one after the other.
    ///
    ///     let saved = Completable.concat(documents.lazy.map { save($0) })
    ///
    /// Each is asked for and subscribed to at the moment the one before it completes; an error ends everything. However
    /// many end at once, the stack does not grow.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public static func concat<Completables: Sequence>(_ sequence: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.concat(sequence.lazy.map(\.source)))
    }

    /// The sequences of `collection`, one after the other.
    ///
    /// Each is asked for and subscribed to at the moment the one before it completes; an error ends everything. However
    /// many end at once, the stack does not grow.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public static func concat<Completables: Collection>(_ collection: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.concat(collection.lazy.map(\.source)))
    }

    /// The sequences `sources`, one after the other.
    ///
    ///     let moved = Completable.concat(copied, checked, deleted)
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public static func concat(_ sources: Completable...) -> Completable { concat(sources) }

    /// All sequences of `sources` at the same time: completes when all have.
    ///
    ///     let saved = Completable.zip(documents.map { save($0) })
    ///
    /// The first error ends everything. Without any sequence it completes at once.
    ///
    /// - Complexity: As `merge(_:)` of observables.
    @inlinable
    public static func zip<Completables: Collection>(_ sources: Completables) -> Completable
    where Completables.Element == Completable {
        PrimitiveSequence(raw: Observable.merge(sources.map(\.source)))
    }

    /// All `sources` at the same time: completes when all have. The first error ends everything.
    ///
    /// - Complexity: As `merge(_:)` of observables.
    @inlinable
    public static func zip(_ sources: [Completable]) -> Completable {
        PrimitiveSequence(raw: Observable.merge(sources.map(\.source)))
    }

    /// All `sources` at the same time: completes when all have. The first error ends everything.
    ///
    /// - Complexity: As `merge(_:)` of observables.
    @inlinable
    public static func zip(_ sources: Completable...) -> Completable { zip(sources) }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = saved.do(onError: { print($0) }, onCompleted: { print("saved") })
    ///
    /// The functions run on the thread of the event. If `onError` or `onCompleted` throws, that error takes the event's
    /// place; an error that is thrown after an event was delivered is dropped.
    ///
    /// - Parameters:
    ///   - onError: before an error is delivered.
    ///   - afterError: after it was delivered.
    ///   - onCompleted: before completion is delivered. The others are those of `do` of a single.
    ///   - afterCompleted: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    /// - Complexity: As `do(onNext:)` of observables.
    @inlinable
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
    /// Delivers completion or the error to a function.
    ///
    ///     _ = Completable.empty().subscribe { print($0) }  // completed
    ///
    /// - Returns: the subscription. Dispose it to end early; nothing follows on this thread once that has returned.
    @inlinable
    public func subscribe(_ observer: @escaping CompletableObserver) -> any Disposable {
        source.subscribe(onError: { observer(.error($0)) }, onCompleted: { observer(.completed) })
    }

    /// Delivers completion, the error and the disposal to functions.
    ///
    ///     _ = Completable.empty().subscribe(onCompleted: { print("done") })  // done
    ///
    /// - Parameters:
    ///   - onCompleted: before completion is delivered.
    ///   - onError: called with an error; without it `Hooks.defaultErrorHandler` is.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe(
        onCompleted: (() -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers completion, the error and the disposal to functions that receive `object`, without keeping it alive:
    /// once it is gone, none of them is called.
    ///
    ///     saved.subscribe(with: label, onCompleted: { label in label.text = "saved" }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - object: handed to each function.
    ///   - onCompleted: before completion is delivered.
    ///   - onError: called with an error; without it `Hooks.defaultErrorHandler` is.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object, onCompleted: ((Object) -> Void)? = nil, onError: ((Object, any Error) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(
            onError: calling(onError, with: object), onCompleted: calling(onCompleted, with: object),
            onDisposed: calling(onDisposed, with: object))
    }
}
