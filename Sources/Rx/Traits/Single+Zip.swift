extension PrimitiveSequenceType where Trait == SingleTrait {
    /// What `resultSelector` makes of the values of all sequences, once each has given its own.
    ///
    ///     let total = Single.zip(prices) { $0.reduce(0, +) }
    ///
    /// The values come in the order of the collection. The first error ends everything; so does what `resultSelector`
    /// throws. Without any sequence it is called with no values.
    @inlinable @inline(__always)
    public static func zip<Singles: Collection, Result>(
        _ collection: Singles, resultSelector: @escaping ([Element]) throws -> Result
    ) -> Single<Result> where Singles.Element == Single<Element> {
        if collection.isEmpty { return Single.deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: Observable.zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// The values of all sequences in the order of the collection, once each has given its own.
    ///
    ///     let pages = Single.zip((1...3).map { load(page: $0) })
    ///
    /// The first error ends everything. Without any sequence the value is an empty array.
    @inlinable
    public static func zip<Singles: Collection>(_ collection: Singles) -> Single<[Element]>
    where Singles.Element == Single<Element> {
        zip(collection) { $0 }
    }
}
