extension InfallibleType {
    /// Delivers `element`, then the elements of this sequence.
    ///
    ///     _ = Infallible.of(1, 2).startWith(0).subscribe(onNext: { print($0) })  // 0, 1, 2
    ///
    /// - Complexity: The same as `startWith(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func startWith(_ element: Element) -> Infallible<Element> {
        Infallible(raw: asObservable().startWith(element))
    }

    /// Delivers the elements of this sequence, then the elements of `second`. `second` should not fail: see
    /// `Infallible`.
    ///
    ///     _ = Infallible.of(1, 2).concat(Infallible.just(3)).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Infallible<Element>
    where Source.Element == Element {
        Infallible(raw: asObservable().concat(second))
    }

    /// Delivers the elements of `sources` one sequence after the other. Each sequence is requested when the previous
    /// one completes.
    ///
    ///     let sources = AnySequence([Infallible.of(1, 2), Infallible.just(3)])
    ///     _ = Infallible.concat(sources).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat<Sources: Sequence>(_ sources: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(raw: .concat(sources.lazy.map(\.source)))
    }

    /// Delivers the elements of `sources` one sequence after the other.
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat<Sources: Collection>(_ sources: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(raw: .concat(sources.lazy.map(\.source)))
    }

    /// Delivers the elements of `sources` one sequence after the other.
    ///
    ///     _ = Infallible.concat(.of(1, 2), .of(3)).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// - Complexity: The same as `concat(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> { concat(sources) }

    /// Merges the elements of all `sources`. Completes when all sources have completed.
    ///
    ///     _ = Infallible.merge([Infallible.just(1), .just(2)]).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `merge(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func merge<Sources: Collection>(_ sources: Sources) -> Infallible<Element>
    where Sources.Element == Infallible<Element> {
        Infallible(raw: .merge(sources.map(\.source)))
    }

    /// Merges the elements of all `sources`. Completes when all sources have completed.
    ///
    /// - Complexity: The same as `merge(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(raw: .merge(sources.map(\.source)))
    }

    /// Merges the elements of all `sources`. Completes when all sources have completed.
    ///
    /// - Complexity: The same as `merge(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> { merge(sources) }

    /// Combines each element with the latest element of `second`. Elements that arrive before the first element of
    /// `second` are dropped.
    ///
    ///     _ = query.withLatestFrom(titles) { "\($0): \($1)" }.subscribe(onNext: { print($0) })  // rx: Results
    ///
    /// - Complexity: The same as `withLatestFrom(_:resultSelector:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func withLatestFrom<Second: InfallibleType, Result>(
        _ second: Second, resultSelector: @escaping (Element, Second.Element) throws -> Result
    ) -> Infallible<Result> {
        Infallible(raw: asObservable().withLatestFrom(second, resultSelector: resultSelector))
    }

    /// Delivers the latest element of `second` at each element of this sequence.
    ///
    ///     _ = query.withLatestFrom(titles).subscribe(onNext: { print($0) })  // Results
    ///
    /// - Complexity: The same as `withLatestFrom(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func withLatestFrom<Second: InfallibleType>(_ second: Second) -> Infallible<Second.Element> {
        Infallible(raw: asObservable().withLatestFrom(second))
    }

    /// Combines the latest elements of all sequences of `collection` with `resultSelector`, at each new element of a
    /// sequence. The results begin after each sequence has delivered an element.
    ///
    ///     let sum = Infallible.combineLatest([Infallible.just(1), .just(2)]) { $0.reduce(0, +) }
    ///     _ = sum.subscribe(onNext: { print($0) })  // 3
    ///
    /// - Complexity: The same as `combineLatest(_:resultSelector:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Sources.Element: InfallibleType {
        Infallible(raw: .combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Delivers the latest elements of all sequences of `collection`, at each new element of a sequence. The results
    /// begin after each sequence has delivered an element.
    ///
    ///     _ = Infallible.combineLatest([Infallible.just(1), .just(2)]).subscribe(onNext: { print($0) })  // [1, 2]
    ///
    /// - Complexity: The same as `combineLatest(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public static func combineLatest<Sources: Collection>(_ collection: Sources) -> Infallible<[Element]>
    where Sources.Element: InfallibleType, Sources.Element.Element == Element {
        Infallible<[Element]>.combineLatest(collection) { $0 }
    }
}
