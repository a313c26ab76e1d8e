extension SharedSequence {
    /// The elements of all `sources`, as they come. Completes when all have.
    ///
    /// - Complexity: As `merge(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func merge<Sources: Collection>(_ sources: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// The elements of all `sources`, as they come. Completes when all have.
    ///
    /// - Complexity: As `merge(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func merge(
        _ sources: [SharedSequence<SharingStrategy, Element>]
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.merge(sources.map { $0.asObservable() }))
    }

    /// The elements of all `sources`, as they come. Completes when all have.
    ///
    ///     let subscription = Signal.merge(.just(1), .just(2)).emit(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `merge(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func merge(
        _ sources: SharedSequence<SharingStrategy, Element>...
    ) -> SharedSequence<SharingStrategy, Element> {
        merge(sources)
    }

    /// The sequences one after the other: each is subscribed to when the one before has completed.
    ///
    /// - Complexity: As `concat(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func concat<Sources: Sequence>(_ sources: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sources.lazy.map { $0.asObservable() }))
    }

    /// The sequences one after the other: each is subscribed to when the one before has completed.
    ///
    /// - Complexity: As `concat(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public static func concat<Sources: Collection>(_ sources: Sources) -> SharedSequence<SharingStrategy, Element>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence(Observable.concat(sources.map { $0.asObservable() }))
    }

    /// The results of `resultSelector` for the first elements of all sequences, then for the second ones, and so on.
    ///
    /// - Parameters:
    ///   - collection: the sequences.
    ///   - resultSelector: an error that it throws ends the sequence, which has no other way to fail: it is better not
    ///     to.
    /// - Complexity: As `zip(_:resultSelector:)` of observables, and `share(replay:scope:)`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func zip<Sources: Collection, Result>(
        _ collection: Sources, resultSelector: @escaping ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable<Result>.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// The first elements of all sequences, in their order, then the second ones, and so on.
    ///
    /// - Complexity: As `zip(_:)` of observables, and `share(replay:scope:)`.
    @_alwaysEmitIntoClient
    public static func zip<Sources: Collection>(_ collection: Sources) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, [Element]>(Observable.zip(collection.map { $0.asObservable() }))
    }

    /// The results of `resultSelector` for the latest elements of all sequences, whenever one of them has a new one.
    ///
    /// - Parameters:
    ///   - collection: the sequences.
    ///   - resultSelector: an error that it throws ends the sequence, which has no other way to fail: it is better not
    ///     to.
    /// - Complexity: As `combineLatest(_:resultSelector:)` of observables, and `share(replay:scope:)`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func combineLatest<Sources: Collection, Result>(
        _ collection: Sources, resultSelector: @escaping ([Element]) throws -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, Result>(
            Observable<Result>.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// The latest elements of all sequences, in their order, whenever one of them has a new one.
    ///
    ///     let fields = [text, query].map { $0.asDriver(onErrorJustReturn: "") }
    ///     let areFilled = Driver.combineLatest(fields).map { !$0.contains("") }
    ///
    /// - Complexity: As `combineLatest(_:)` of observables, and `share(replay:scope:)`.
    @_alwaysEmitIntoClient
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources
    ) -> SharedSequence<SharingStrategy, [Element]>
    where Sources.Element == SharedSequence<SharingStrategy, Element> {
        SharedSequence<SharingStrategy, [Element]>(Observable.combineLatest(collection.map { $0.asObservable() }))
    }
}

extension SharedSequenceConvertibleType {
    /// The element, then the sequence.
    ///
    /// - Complexity: As `startWith(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().startWith(element))
    }

    /// The results of `resultSelector` for each element and the latest element of `second`; nothing before that has
    /// one.
    ///
    ///     let name = BehaviorRelay(value: "Ada")
    ///     let logins = login.asDriver(onErrorJustReturn: ()).withLatestFrom(name.asDriver()) { _, name in name }
    ///
    /// - Complexity: As `withLatestFrom(_:resultSelector:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func withLatestFrom<Second: SharedSequenceConvertibleType, Result>(
        _ second: Second, resultSelector: @escaping (Element, Second.Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> where Second.SharingStrategy == SharingStrategy {
        SharedSequence(asObservable().withLatestFrom(second, resultSelector: resultSelector))
    }

    /// The latest element of `second`, for each element of this one; nothing before there is one. How `second` is
    /// shared does not matter.
    ///
    ///     let submits = PublishRelay<Void>(), name = BehaviorRelay(value: "Ada")
    ///     let names = submits.asSignal().withLatestFrom(name.asDriver())
    ///
    /// - Complexity: As `withLatestFrom(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func withLatestFrom<Second: SharedSequenceConvertibleType>(
        _ second: Second
    ) -> SharedSequence<SharingStrategy, Second.Element> {
        SharedSequence<SharingStrategy, Second.Element>(asObservable().withLatestFrom(second))
    }
}
