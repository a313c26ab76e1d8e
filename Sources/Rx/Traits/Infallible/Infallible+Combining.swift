extension InfallibleType {
    /// `element`, then this sequence.
    ///
    ///     _ = Infallible.of(1, 2).startWith(0).subscribe(onNext: { print($0) })  // 0, 1, 2
    ///
    /// - Complexity: As `startWith(_:)` of observables.
    @inlinable
    public func startWith(_ element: Element) -> Infallible<Element> {
        Infallible(raw: asObservable().startWith(element))
    }

    /// This sequence, and after its completion `second`, which should not fail: see `Infallible`.
    ///
    ///     _ = Infallible.of(1, 2).concat(Infallible.just(3)).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Infallible<Element>
    where Source.Element == Element {
        Infallible(raw: asObservable().concat(second))
    }

    /// The sequences of `sources`, one after the other. Each is asked for at the moment the one before it completes.
    ///
    ///     let sources = AnySequence([Infallible.of(1, 2), Infallible.just(3)])
    ///     _ = Infallible.concat(sources).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public static func concat<Sources: Sequence>(_ sources: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(raw: .concat(sources.lazy.map(\.source)))
    }

    /// The sequences of `sources`, one after the other.
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public static func concat<Sources: Collection>(_ sources: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(raw: .concat(sources.lazy.map(\.source)))
    }

    /// The sequences `sources`, one after the other.
    ///
    ///     _ = Infallible.concat(.of(1, 2), .of(3)).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// - Complexity: As `concat(_:)` of observables.
    @inlinable
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> { concat(sources) }

    /// The elements of all `sources`, as they come. Completes when all have.
    ///
    ///     _ = Infallible.merge([Infallible.just(1), .just(2)]).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `merge(_:)` of observables.
    @inlinable
    public static func merge<Sources: Collection>(_ sources: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(raw: .merge(sources.map(\.source)))
    }

    /// The elements of all `sources`, as they come. Completes when all have.
    ///
    /// - Complexity: As `merge(_:)` of observables.
    @inlinable
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(raw: .merge(sources.map(\.source)))
    }

    /// The elements of all `sources`, as they come. Completes when all have.
    ///
    /// - Complexity: As `merge(_:)` of observables.
    @inlinable
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> { merge(sources) }

    /// Each element together with the latest of `second`, combined. Elements before the first of `second` are dropped.
    ///
    ///     _ = query.withLatestFrom(titles) { "\($0): \($1)" }.subscribe(onNext: { print($0) })  // rx: Results
    ///
    /// - Complexity: As `withLatestFrom(_:resultSelector:)` of observables.
    @inlinable @inline(__always)
    public func withLatestFrom<Second: InfallibleType, Result>(
        _ second: Second, resultSelector: @escaping (Element, Second.Element) throws -> Result
    ) -> Infallible<Result> {
        Infallible(raw: asObservable().withLatestFrom(second, resultSelector: resultSelector))
    }

    /// The latest element of `second` at each element of this sequence.
    ///
    ///     _ = query.withLatestFrom(titles).subscribe(onNext: { print($0) })  // Results
    ///
    /// - Complexity: As `withLatestFrom(_:)` of observables.
    @inlinable
    public func withLatestFrom<Second: InfallibleType>(_ second: Second) -> Infallible<Second.Element> {
        Infallible(raw: asObservable().withLatestFrom(second))
    }

    /// The latest elements of all sequences of `collection`, combined, whenever one of them has a new one and each has
    /// had one.
    ///
    ///     let sum = Infallible.combineLatest([Infallible.just(1), .just(2)]) { $0.reduce(0, +) }
    ///     _ = sum.subscribe(onNext: { print($0) })  // 3
    ///
    /// - Complexity: As `combineLatest(_:resultSelector:)` of observables.
    @_alwaysEmitIntoClient @inline(__always)
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Sources.Element: InfallibleType {
        Infallible(raw: .combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// The latest elements of all sequences of `collection`, whenever one of them has a new one and each has had one.
    ///
    ///     _ = Infallible.combineLatest([Infallible.just(1), .just(2)]).subscribe(onNext: { print($0) })  // [1, 2]
    ///
    /// - Complexity: As `combineLatest(_:)` of observables.
    @_alwaysEmitIntoClient
    public static func combineLatest<Sources: Collection>(_ collection: Sources) -> Infallible<[Element]>
    where Sources.Element: InfallibleType, Sources.Element.Element == Element {
        Infallible<[Element]>.combineLatest(collection) { $0 }
    }
}
