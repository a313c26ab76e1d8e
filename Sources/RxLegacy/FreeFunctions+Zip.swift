import Rx

// `zip` as a function that belonged to no type, as it was before version 2.

/// The first values of all sources, combined, then the second ones, and so on.
@available(*, deprecated, message: "Use 'Observable.zip(first, second) { … }'.")
@inlinable
public func zip<A: ObservableType, B: ObservableType, Result>(
    _ source1: A, _ source2: B,
    _ resultSelector: @escaping (A.Element, B.Element) throws -> Result
) -> Observable<Result> {
    .zip(source1, source2, resultSelector: resultSelector)
}

/// The first values of all sources, combined, then the second ones, and so on.
@available(*, deprecated, message: "Use 'Observable.zip(first, second) { … }'.")
@inlinable
public func zip<A: ObservableType, B: ObservableType, C: ObservableType, Result>(
    _ source1: A, _ source2: B, _ source3: C,
    _ resultSelector: @escaping (A.Element, B.Element, C.Element) throws -> Result
) -> Observable<Result> {
    .zip(source1, source2, source3, resultSelector: resultSelector)
}

/// The first values of all sources, combined, then the second ones, and so on.
@available(*, deprecated, message: "Use 'Observable.zip(first, second) { … }'.")
@inlinable
public func zip<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, Result>(
    _ source1: A, _ source2: B, _ source3: C, _ source4: D,
    _ resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element) throws -> Result
) -> Observable<Result> {
    .zip(source1, source2, source3, source4, resultSelector: resultSelector)
}

/// The first values of all sources, combined, then the second ones, and so on.
@available(*, deprecated, message: "Use 'Observable.zip(first, second) { … }'.")
@inlinable
public func zip<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, Result>(
    _ source1: A, _ source2: B, _ source3: C, _ source4: D, _ source5: E,
    _ resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Result
) -> Observable<Result> {
    .zip(source1, source2, source3, source4, source5, resultSelector: resultSelector)
}

/// The first values of all sources, combined, then the second ones, and so on.
@available(*, deprecated, message: "Use 'Observable.zip(first, second) { … }'.")
@inlinable
public func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType,
    Result
>(
    _ source1: A, _ source2: B, _ source3: C, _ source4: D, _ source5: E, _ source6: F,
    _ resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Result
) -> Observable<Result> {
    .zip(source1, source2, source3, source4, source5, source6, resultSelector: resultSelector)
}

/// The first values of all sources, combined, then the second ones, and so on.
@available(*, deprecated, message: "Use 'Observable.zip(first, second) { … }'.")
@inlinable
public func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType,
    G: ObservableType, Result
>(
    _ source1: A, _ source2: B, _ source3: C, _ source4: D, _ source5: E, _ source6: F, _ source7: G,
    _ resultSelector:
        @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Result
) -> Observable<Result> {
    .zip(source1, source2, source3, source4, source5, source6, source7, resultSelector: resultSelector)
}

/// The first values of all sources, combined, then the second ones, and so on.
@available(*, deprecated, message: "Use 'Observable.zip(first, second) { … }'.")
@inlinable
public func zip<
    A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType,
    G: ObservableType, H: ObservableType, Result
>(
    _ source1: A, _ source2: B, _ source3: C, _ source4: D, _ source5: E, _ source6: F, _ source7: G, _ source8: H,
    _ resultSelector:
        @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws ->
        Result
) -> Observable<Result> {
    .zip(source1, source2, source3, source4, source5, source6, source7, source8, resultSelector: resultSelector)
}
