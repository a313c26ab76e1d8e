extension InfallibleType {
    /// Each element, transformed.
    ///
    ///     _ = Infallible.of(1, 2).map { $0 * 10 }.subscribe(onNext: { print($0) })  // 10, 20
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> Infallible<Result> {
        Infallible(raw: asObservable().map(transform))
    }

    /// Each element for which `transform` gives a value, transformed.
    ///
    ///     _ = Infallible.of("1", "x").compactMap { Int($0) }.subscribe(onNext: { print($0) })  // 1
    @inlinable @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Infallible<Result> {
        Infallible(raw: asObservable().compactMap(transform))
    }

    /// The elements of the sequences that `selector` makes, as they come.
    ///
    ///     _ = Infallible.of(1, 2).flatMap { Infallible.just($0 * 10) }.subscribe(onNext: { print($0) })  // 10, 20
    ///
    /// Completes when this sequence and all inner ones have. An inner sequence should not fail: see `Infallible`.
    @inlinable @inline(__always)
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMap(selector))
    }

    /// The elements of the sequence that `selector` made last: each new one takes the place of the one before it.
    ///
    ///     let results = query.flatMapLatest { text in search(text).asInfallible(onErrorJustReturn: []) }
    ///
    /// Completes when this sequence and the last inner one have. An inner sequence should not fail: see `Infallible`.
    @inlinable @inline(__always)
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMapLatest(selector))
    }

    /// The elements of the sequences that `selector` makes; elements of this sequence are dropped while an inner one
    /// runs.
    ///
    ///     let first = Infallible.of(1, 2).flatMapFirst { Infallible.never().startWith($0) }
    ///     _ = first.subscribe(onNext: { print($0) })  // 1
    ///
    /// Completes when this sequence and the inner one under way have. An inner sequence should not fail: see
    /// `Infallible`.
    @inlinable @inline(__always)
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMapFirst(selector))
    }

    /// The elements of the sequences that `selector` makes, one sequence after the other.
    ///
    ///     _ = Infallible.of(1, 2).concatMap { Infallible.of($0, $0 * 10) }
    ///         .subscribe(onNext: { print($0) })  // 1, 10, 2, 20
    ///
    /// Elements of this sequence wait while an inner one runs. An inner sequence should not fail: see `Infallible`.
    @inlinable @inline(__always)
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().concatMap(selector))
    }

    /// The running result of combining each element with what came before it.
    ///
    ///     _ = Infallible.of(1, 2, 3).scan(0, accumulator: +).subscribe(onNext: { print($0) })  // 1, 3, 6
    @inlinable @inline(__always)
    public func scan<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) -> Accumulate
    ) -> Infallible<Accumulate> {
        Infallible(raw: asObservable().scan(seed, accumulator: accumulator))
    }

    /// The running result of folding each element into one value in place.
    ///
    ///     _ = Infallible.of(1, 2).scan(into: []) { $0.append($1) }.subscribe(onNext: { print($0) })  // [1], [1, 2]
    @inlinable @inline(__always)
    public func scan<Accumulate>(
        into seed: Accumulate, accumulator: @escaping (inout Accumulate, Element) -> Void
    ) -> Infallible<Accumulate> {
        Infallible(raw: asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// What `resultSelector` makes of an object and each element, for as long as the object lives.
    ///
    ///     let titles = pages.withUnretained(reader) { reader, page in reader.title(of: page) }
    ///
    /// The object is not kept alive: at the first element that arrives after it is gone, the sequence completes.
    @inlinable @inline(__always)
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Infallible<Result> {
        Infallible(raw: asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// An object with each element, for as long as the object lives: as `withUnretained(_:resultSelector:)`.
    @inlinable @inline(__always)
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Infallible<(Object, Element)> {
        Infallible(raw: asObservable().withUnretained(object))
    }
}
