extension ObservableType {
    /// Delivers the number of elements when the sequence completes.
    ///
    ///     _ = Observable.of("a", "b").count().subscribe(onNext: { print($0) })  // 2
    ///
    /// - Complexity: The same as `reduce(_:accumulator:)`.
    @_alwaysEmitIntoClient
    public func count() -> Observable<Int> { reduce(0) { count, _ in count + 1 } }

    /// Delivers the number of elements for which `predicate` holds when the sequence completes.
    ///
    ///     _ = Observable.of(1, 2, 3).count { $0 > 1 }.subscribe(onNext: { print($0) })  // 2
    ///
    /// If `predicate` throws, the sequence ends with that error.
    ///
    /// - Complexity: The same as `reduce(_:accumulator:)`.
    @_alwaysEmitIntoClient @inline(__always)
    public func count(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Int> {
        reduce(0) { count, element in try predicate(element) ? count + 1 : count }
    }
}
