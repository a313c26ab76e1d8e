// Thin declarations over `Combination`, one per number of sources: Documentation/Decisions/0004-arity.md says why not a
// single one.

extension ObservableType {
    /// The results that `resultSelector` makes of the latest elements of two sequences, whenever one of them has a new
    /// one.
    ///
    ///     let area = Observable.combineLatest(width, height) { $0 * $1 }
    ///
    /// Begins once each has had an element. Completes when all have, or when one of them can never have an element for
    /// the others to meet. The first error, or what `resultSelector` throws, ends everything. `resultSelector` is
    /// called one call at a time, while other sources wait.
    ///
    /// - Complexity: One allocation per source and subscription, none per element.
    @inlinable @inline(__always)
    public static func combineLatest<A: ObservableType, B: ObservableType>(
        _ a: A, _ b: B,
        resultSelector: @escaping (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?)
        func select(_ latest: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(latest.state.values.0.unsafelyUnwrapped, latest.state.values.1.unsafelyUnwrapped)
        }
        return combining(
            Combination<Values>((nil, nil), count: 2, endsEarly: true),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.fill(&$1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.fill(&$1) }, select) },
            ])
    }

    /// As for two sequences, of three.
    @inlinable @inline(__always)
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType>(
        _ a: A, _ b: B, _ c: C,
        resultSelector: @escaping (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?)
        func select(_ latest: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                latest.state.values.0.unsafelyUnwrapped, latest.state.values.1.unsafelyUnwrapped,
                latest.state.values.2.unsafelyUnwrapped)
        }
        return combining(
            Combination<Values>((nil, nil, nil), count: 3, endsEarly: true),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.fill(&$1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.fill(&$1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.fill(&$1) }, select) },
            ])
    }

    /// As for two sequences, of four.
    @inlinable @inline(__always)
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?)
        func select(_ latest: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                latest.state.values.0.unsafelyUnwrapped, latest.state.values.1.unsafelyUnwrapped,
                latest.state.values.2.unsafelyUnwrapped, latest.state.values.3.unsafelyUnwrapped)
        }
        return combining(
            Combination<Values>((nil, nil, nil, nil), count: 4, endsEarly: true),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.fill(&$1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.fill(&$1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.fill(&$1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.fill(&$1) }, select) },
            ])
    }

    /// As for two sequences, of five.
    @inlinable @inline(__always)
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?, E.Element?)
        func select(_ latest: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                latest.state.values.0.unsafelyUnwrapped, latest.state.values.1.unsafelyUnwrapped,
                latest.state.values.2.unsafelyUnwrapped, latest.state.values.3.unsafelyUnwrapped,
                latest.state.values.4.unsafelyUnwrapped)
        }
        return combining(
            Combination<Values>((nil, nil, nil, nil, nil), count: 5, endsEarly: true),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.fill(&$1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.fill(&$1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.fill(&$1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.fill(&$1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.fill(&$1) }, select) },
            ])
    }

    /// As for two sequences, of six.
    @inlinable @inline(__always)
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?, E.Element?, F.Element?)
        func select(_ latest: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                latest.state.values.0.unsafelyUnwrapped, latest.state.values.1.unsafelyUnwrapped,
                latest.state.values.2.unsafelyUnwrapped, latest.state.values.3.unsafelyUnwrapped,
                latest.state.values.4.unsafelyUnwrapped, latest.state.values.5.unsafelyUnwrapped)
        }
        return combining(
            Combination<Values>((nil, nil, nil, nil, nil, nil), count: 6, endsEarly: true),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.fill(&$1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.fill(&$1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.fill(&$1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.fill(&$1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.fill(&$1) }, select) },
                CombinedSource(f) { $1.combine($0, F.Element.self, { $0.5.fill(&$1) }, select) },
            ])
    }

    /// As for two sequences, of seven.
    @inlinable @inline(__always)
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
        resultSelector:
            @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?, E.Element?, F.Element?, G.Element?)
        func select(_ latest: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                latest.state.values.0.unsafelyUnwrapped, latest.state.values.1.unsafelyUnwrapped,
                latest.state.values.2.unsafelyUnwrapped, latest.state.values.3.unsafelyUnwrapped,
                latest.state.values.4.unsafelyUnwrapped, latest.state.values.5.unsafelyUnwrapped,
                latest.state.values.6.unsafelyUnwrapped)
        }
        return combining(
            Combination<Values>((nil, nil, nil, nil, nil, nil, nil), count: 7, endsEarly: true),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.fill(&$1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.fill(&$1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.fill(&$1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.fill(&$1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.fill(&$1) }, select) },
                CombinedSource(f) { $1.combine($0, F.Element.self, { $0.5.fill(&$1) }, select) },
                CombinedSource(g) { $1.combine($0, G.Element.self, { $0.6.fill(&$1) }, select) },
            ])
    }

    /// As for two sequences, of eight.
    @inlinable @inline(__always)
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType, H: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
        resultSelector:
            @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws ->
            Element
    ) -> Observable<Element> {
        typealias Values = (
            A.Element?, B.Element?, C.Element?, D.Element?, E.Element?, F.Element?, G.Element?, H.Element?
        )
        func select(_ latest: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                latest.state.values.0.unsafelyUnwrapped, latest.state.values.1.unsafelyUnwrapped,
                latest.state.values.2.unsafelyUnwrapped, latest.state.values.3.unsafelyUnwrapped,
                latest.state.values.4.unsafelyUnwrapped, latest.state.values.5.unsafelyUnwrapped,
                latest.state.values.6.unsafelyUnwrapped, latest.state.values.7.unsafelyUnwrapped)
        }
        return combining(
            Combination<Values>((nil, nil, nil, nil, nil, nil, nil, nil), count: 8, endsEarly: true),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.fill(&$1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.fill(&$1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.fill(&$1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.fill(&$1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.fill(&$1) }, select) },
                CombinedSource(f) { $1.combine($0, F.Element.self, { $0.5.fill(&$1) }, select) },
                CombinedSource(g) { $1.combine($0, G.Element.self, { $0.6.fill(&$1) }, select) },
                CombinedSource(h) { $1.combine($0, H.Element.self, { $0.7.fill(&$1) }, select) },
            ])
    }
}

extension ObservableType where Element == Any {
    /// The latest elements of two sequences, as a tuple, whenever one of them has a new one.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType>(
        _ a: A, _ b: B
    ) -> Observable<(A.Element, B.Element)> {
        Observable<(A.Element, B.Element)>.combineLatest(a, b) { ($0, $1) }
    }

    /// As for two sequences, of three.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType>(
        _ a: A, _ b: B, _ c: C
    ) -> Observable<(A.Element, B.Element, C.Element)> {
        Observable<(A.Element, B.Element, C.Element)>.combineLatest(a, b, c) { ($0, $1, $2) }
    }

    /// As for two sequences, of four.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element)>.combineLatest(a, b, c, d) { ($0, $1, $2, $3) }
    }

    /// As for two sequences, of five.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)>.combineLatest(a, b, c, d, e) {
            ($0, $1, $2, $3, $4)
        }
    }

    /// As for two sequences, of six.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)>.combineLatest(a, b, c, d, e, f) {
            ($0, $1, $2, $3, $4, $5)
        }
    }

    /// As for two sequences, of seven.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)>.combineLatest(
            a, b, c, d, e, f, g
        ) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// As for two sequences, of eight.
    @inlinable
    public static func combineLatest<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType, H: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)>
            .combineLatest(a, b, c, d, e, f, g, h) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }
}
