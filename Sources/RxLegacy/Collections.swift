import Rx

// What arrays of sequences could do themselves in versions 2 and 3.

extension Collection where Element: ObservableType {
    /// The latest values of all sequences, combined, whenever one has a new one and each has had one.
    @available(*, deprecated, message: "Use 'Observable.combineLatest(collection) { … }'.")
    @inlinable
    public func combineLatest<Result>(
        _ resultSelector: @escaping ([Element.Element]) throws -> Result
    ) -> Observable<Result> {
        .combineLatest(self, resultSelector: resultSelector)
    }
    // No `zip`: within an extension of a collection it would hide Swift's function of that name.
}

extension Sequence where Element: ObservableConvertibleType {
    /// The sequences, one after the other.
    @available(*, deprecated, message: "Use 'Observable.concat(sequences)'.")
    @inlinable
    public func concat() -> Observable<Element.Element> { .concat(lazy.map { $0.asObservable() }) }

    /// The sequence that is first to send an event.
    @available(*, deprecated, message: "Use 'Observable.amb(sequences)'.")
    @inlinable
    public func amb() -> Observable<Element.Element> { .amb(map { $0.asObservable() }) }

    /// The first sequence, and each time one fails the next.
    @available(*, deprecated, message: "Use 'Observable.catch(sequence: sequences)'.")
    @inlinable
    public func catchError() -> Observable<Element.Element> { .catch(sequence: lazy.map { $0.asObservable() }) }
}
