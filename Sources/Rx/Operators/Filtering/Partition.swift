extension ObservableType {
    /// Returns two sequences: the elements for which `predicate` holds, and the other elements.
    ///
    ///     let (even, odd) = Observable.of(1, 2, 3).partition { $0.isMultiple(of: 2) }
    ///     _ = even.subscribe(onNext: { print("even", $0) })  // even 2
    ///     _ = odd.subscribe(onNext: { print("odd", $0) })  // odd 1, odd 3
    ///
    /// A subscription to either sequence subscribes to this sequence. To subscribe to this sequence only once, apply
    /// `share(replay:scope:)` to it first. If `predicate` throws, both sequences end with that error.
    ///
    /// - Complexity: The same as `filter(_:)`, for each of the two sequences.
    @_alwaysEmitIntoClient @inline(__always)
    public func partition(
        _ predicate: @escaping (Element) throws -> Bool
    ) -> (matches: Observable<Element>, nonMatches: Observable<Element>) {
        let source = asObservable()
        return (source.filter(predicate), source.filter { try !predicate($0) })
    }
}
