extension ObservableType {
    /// The elements for which `predicate` holds, and the others, as two sequences.
    ///
    ///     let (even, odd) = Observable.of(1, 2, 3).partition { $0.isMultiple(of: 2) }
    ///     _ = even.subscribe(onNext: { print("even", $0) })  // even 2
    ///     _ = odd.subscribe(onNext: { print("odd", $0) })  // odd 1, odd 3
    ///
    /// A subscription to either subscribes to this sequence: `share(replay:scope:)` it first to do that once. If
    /// `predicate` throws, both end with that error.
    ///
    /// - Complexity: As `filter(_:)`, for each of the two.
    @inlinable @inline(__always)
    public func partition(
        _ predicate: @escaping (Element) throws -> Bool
    ) -> (matches: Observable<Element>, nonMatches: Observable<Element>) {
        let source = asObservable()
        return (source.filter(predicate), source.filter { try !predicate($0) })
    }
}
