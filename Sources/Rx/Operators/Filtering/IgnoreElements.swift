extension ObservableType {
    /// Only how the sequence ends.
    ///
    ///     _ = Observable.of(1, 2).ignoreElements().subscribe(onCompleted: { print("done") })  // done
    ///
    /// One allocation per subscription, none per element.
    @inlinable
    public func ignoreElements() -> Observable<Never> { lift { _, _ in } }
}
