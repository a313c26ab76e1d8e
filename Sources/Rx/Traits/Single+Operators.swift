extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The value, transformed. If `transform` throws, the sequence fails with that error.
    ///
    ///     _ = Single.just(2).map { $0 * 10 }.subscribe(onSuccess: { print($0) })  // 20
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Single<Result> {
        PrimitiveSequence(raw: source.map(transform))
    }

    /// The value, transformed, or nothing if `transform` gives `nil`. If it throws, the sequence fails with that error.
    ///
    ///     _ = Single.just("x").compactMap { Int($0) }.subscribe(onCompleted: { print("no number") })  // no number
    @inlinable @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        PrimitiveSequence(raw: source.compactMap(transform))
    }

    /// The value, if `predicate` holds for it. If that throws, the sequence fails with that error.
    ///
    ///     _ = Single.just(2).filter { $0 > 1 }.subscribe(onSuccess: { print($0) })  // 2
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        PrimitiveSequence(raw: source.filter(predicate))
    }

    /// What the sequence gives that `selector` makes of the value.
    ///
    ///     let page = signIn().flatMap { session in load(session) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    @inlinable @inline(__always)
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Single<Result>) -> Single<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// What the sequence gives, if anything, that `selector` makes of the value.
    ///
    ///     let cached = key.flatMapMaybe { key in cache.value(for: key) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    @inlinable @inline(__always)
    public func flatMapMaybe<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// The end of the sequence that `selector` makes of the value.
    ///
    ///     let saved = download().flatMapCompletable { data in save(data) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    @inlinable @inline(__always)
    public func flatMapCompletable(_ selector: @escaping (Element) throws -> Completable) -> Completable {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// The value, or `element` in place of an error.
    ///
    ///     let count = load().map(\.count).catchAndReturn(0)
    @inlinable
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        PrimitiveSequence(raw: source.catchAndReturn(element))
    }

    /// The sequence as one that might have been without a value.
    @inlinable
    public func asMaybe() -> Maybe<Element> { PrimitiveSequence(raw: source) }

    /// Only whether there was a value: completion in its place, or the error.
    @inlinable
    public func asCompletable() -> Completable { PrimitiveSequence(raw: source.ignoreElements()) }
}
