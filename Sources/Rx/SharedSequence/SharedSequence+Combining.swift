extension SharedSequence {
    /// Merges the elements of all `sources`. Completes when all sources have completed.
    ///
    /// - Complexity: The same as `merge(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func merge<Sources: Collection>(_ sources: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// Merges the elements of all `sources`. Completes when all sources have completed.
    ///
    /// - Complexity: The same as `merge(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func merge(
        _ sources: [SharedSequence<SharingStrategy, Element>]
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// Merges the elements of all `sources`. Completes when all sources have completed.
    ///
    ///     let subscription = Signal.merge(.just(1), .just(2)).emit(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `merge(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> {
        merge(sources)
    }

    /// Delivers the elements of `sources` one sequence after the other. Each sequence is subscribed to when the
    /// previous one has completed.
    ///
    /// - Complexity: The same as `concat(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat<Sources: Sequence>(_ sources: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sources.lazy.map { $0.asObservable() }))
    }

    /// Delivers the elements of `sources` one sequence after the other. Each sequence is subscribed to when the
    /// previous one has completed.
    ///
    /// - Complexity: The same as `concat(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat<Sources: Collection>(_ sources: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sources.map { $0.asObservable() }))
    }

    /// Combines the first elements of all sequences with `resultSelector`, then the second elements, and so on.
    ///
    /// - Parameters:
    ///   - collection: the sequences.
    ///   - resultSelector: combines the elements. It should not throw: an error that it throws ends the sequence,
    ///     because the sequence cannot fail.
    /// - Complexity: The same as `zip(_:resultSelector:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func zip<Sources: Collection, Result>(
        _ collection: Sources, resultSelector: @escaping ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable<Result>.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Delivers the first elements of all sequences, in their order, then the second elements, and so on.
    ///
    /// - Complexity: The same as `zip(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func zip<Sources: Collection>(_ collection: Sources) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, [Element]>(Observable.zip(collection.map { $0.asObservable() }))
    }

    /// Combines the latest elements of all sequences with `resultSelector`, at each new element of a sequence.
    ///
    /// - Parameters:
    ///   - collection: the sequences.
    ///   - resultSelector: combines the elements. It should not throw: an error that it throws ends the sequence,
    ///     because the sequence cannot fail.
    /// - Complexity: The same as `combineLatest(_:resultSelector:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func combineLatest<Sources: Collection, Result>(
        _ collection: Sources, resultSelector: @escaping ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable<Result>.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Delivers the latest elements of all sequences, in their order, at each new element of a sequence.
    ///
    ///     let fields = [text, query].map { $0.asDriver(onErrorJustReturn: "") }
    ///     let areFilled = Driver.combineLatest(fields).map { !$0.contains("") }
    ///
    /// - Complexity: The same as `combineLatest(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, [Element]>(Observable.combineLatest(collection.map { $0.asObservable() }))
    }
}

extension SharedSequenceConvertibleType {
    /// Delivers `element`, then the elements of this sequence.
    ///
    /// - Complexity: The same as `startWith(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().startWith(element))
    }

    /// Combines each element with the latest element of `second`. Elements that arrive before the first element of
    /// `second` are dropped.
    ///
    ///     let name = BehaviorRelay(value: "Ada")
    ///     let logins = login.asDriver(onErrorJustReturn: ()).withLatestFrom(name.asDriver()) { _, name in name }
    ///
    /// - Complexity: The same as `withLatestFrom(_:resultSelector:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func withLatestFrom<Second: SharedSequenceConvertibleType, Result>(
        _ second: Second, resultSelector: @escaping (Element, Second.Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Second.SharingStrategy == SharingStrategy {
        SharedSequence(asObservable().withLatestFrom(second, resultSelector: resultSelector))
    }

    /// Delivers the latest element of `second` at each element of this sequence. Elements that arrive before the first
    /// element of `second` are dropped. `second` may have any sharing strategy.
    ///
    ///     let submits = PublishRelay<Void>(), name = BehaviorRelay(value: "Ada")
    ///     let names = submits.asSignal().withLatestFrom(name.asDriver())
    ///
    /// - Complexity: The same as `withLatestFrom(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func withLatestFrom<Second: SharedSequenceConvertibleType>(
        _ second: Second
    ) -> SharedSequence<SharingStrategy, Second.Element> {
        SharedSequence<SharingStrategy, Second.Element>(asObservable().withLatestFrom(second))
    }
}
