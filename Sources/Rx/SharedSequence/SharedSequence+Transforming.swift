extension SharedSequenceConvertibleType {
    /// Each element, transformed.
    ///
    ///     let title = Driver.of(1, 2).map { "\($0) new" }
    ///     let subscription = title.drive(onNext: { print($0) })  // 1 new, 2 new
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().map(transform))
    }

    /// Each element for which `transform` gives a value, transformed.
    @inlinable @inline(__always)
    public func compactMap<Result>(
        _ transform: @escaping (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().compactMap(transform))
    }

    /// The running result of combining each element with what came before it.
    ///
    ///     let total = Driver.of(1, 2, 3).scan(0) { $0 + $1 }
    ///     let subscription = total.drive(onNext: { print($0) })  // 1, 3, 6
    @inlinable @inline(__always)
    public func scan<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) -> Accumulate
    ) -> SharedSequence<SharingStrategy, Accumulate> {
        SharedSequence(asObservable().scan(seed, accumulator: accumulator))
    }

    /// The elements of all the sequences that `selector` makes, as they come. The result shares as they do.
    @inlinable @inline(__always)
    public func flatMap<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMap(selector))
    }

    /// The elements of the sequence that `selector` made last; the one before is disposed. The result shares as they
    /// do.
    ///
    ///     let texts = query.asDriver(onErrorJustReturn: "")
    ///     let results = texts.flatMapLatest { search($0).asDriver(onErrorJustReturn: []) }
    @inlinable @inline(__always)
    public func flatMapLatest<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMapLatest(selector))
    }

    /// The elements of the sequences that `selector` makes; elements that arrive while such a sequence runs are
    /// ignored. The result shares as they do.
    @inlinable @inline(__always)
    public func flatMapFirst<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMapFirst(selector))
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// The elements of the inner sequence that came last; the one before is disposed. The result shares as the inner
    /// ones do.
    @inlinable
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().switchLatest())
    }

    /// The elements of all inner sequences, as they come. The result shares as the inner ones do.
    @inlinable
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().merge())
    }

    /// The elements of the inner sequences, of which at most `maxConcurrent` are subscribed to at a time; the others
    /// wait for their turn.
    ///
    /// - Parameter maxConcurrent: 1 or more.
    @inlinable
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}
