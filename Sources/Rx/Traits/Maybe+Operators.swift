extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The value, if there is one, transformed. If `transform` throws, the sequence fails with that error.
    ///
    ///     _ = Maybe.just(2).map { $0 * 10 }.subscribe(onSuccess: { print($0) })  // 20
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Maybe<Result> {
        PrimitiveSequence(raw: source.map(transform))
    }

    /// The value, transformed, or nothing if `transform` gives `nil`. If it throws, the sequence fails with that error.
    ///
    ///     _ = Maybe.just("x").compactMap { Int($0) }.subscribe(onCompleted: { print("no number") })  // no number
    @inlinable @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Maybe<Result> {
        PrimitiveSequence(raw: source.compactMap(transform))
    }

    /// The value, if `predicate` holds for it. If that throws, the sequence fails with that error.
    ///
    ///     _ = Maybe.just(2).filter { $0 > 1 }.subscribe(onSuccess: { print($0) })  // 2
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        PrimitiveSequence(raw: source.filter(predicate))
    }

    /// What the sequence gives, if anything, that `selector` makes of the value.
    ///
    ///     let cached = key.asMaybe().flatMap { key in cache.value(for: key) }
    ///
    /// If `selector` throws, the sequence fails with that error.
    @inlinable @inline(__always)
    public func flatMap<Result>(_ selector: @escaping (Element) throws -> Maybe<Result>) -> Maybe<Result> {
        PrimitiveSequence(raw: source.flatMap(selector))
    }

    /// The value, or `element` if there is none.
    ///
    ///     _ = Maybe<Int>.empty().ifEmpty(default: 7).subscribe(onSuccess: { print($0) })  // 7
    @inlinable
    public func ifEmpty(default element: Element) -> Single<Element> {
        PrimitiveSequence(raw: source.ifEmpty(default: element))
    }

    /// The value, or what `other` gives, if anything, if there is none.
    ///
    ///     let row = cached.ifEmpty(switchTo: stored)
    ///
    /// `other` is subscribed to only then.
    @inlinable
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        PrimitiveSequence(raw: source.ifEmpty(switchTo: other.source))
    }

    /// The value, or that of `other` if there is none.
    ///
    ///     let row = cached.ifEmpty(switchTo: load())
    ///
    /// `other` is subscribed to only then.
    @inlinable
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        PrimitiveSequence(raw: source.ifEmpty(switchTo: other.source))
    }

    /// The sequence, or `element` in place of an error.
    ///
    ///     let count = cached.map(\.count).catchAndReturn(0)
    @inlinable
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        PrimitiveSequence(raw: source.catchAndReturn(element))
    }
}
