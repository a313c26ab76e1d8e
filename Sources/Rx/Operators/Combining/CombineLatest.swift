// Thin declarations over `Row`, one per number of sources. A single one over a parameter pack type-checks, but the 6.3 compiler does not
// specialise it: 443 ns an event, where this and a form written out for two sources take 10.

extension ObservableType {
    /// What `resultSelector` makes of the latest elements of two sequences, whenever one of them has a new one.
    ///
    ///     let area = Observable.combineLatest(width, height) { $0 * $1 }
    ///
    /// Begins once each has had an element. Completes when all have, or when one of them can never have an element for the others to meet.
    /// The first error, or what `resultSelector` throws, ends everything. `resultSelector` is called one call at a time, while
    /// other sources wait. One allocation per source and subscription, none per element.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType>(
        _ a: A, _ b: B,
        resultSelector: @escaping (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?)
        let select = { (row: StatefulJoint<Row<Values>>) in
            try resultSelector(row.state.values.0!, row.state.values.1!)
        }
        return combining(Row<Values>((nil, nil), count: 2, endsEarly: true), [
            a.column({ $0.0.fill($1) }, select), b.column({ $0.1.fill($1) }, select),
        ])
    }

    /// As for two sequences, of three.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType>(
        _ a: A, _ b: B, _ c: C,
        resultSelector: @escaping (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?)
        let select = { (row: StatefulJoint<Row<Values>>) in
            try resultSelector(row.state.values.0!, row.state.values.1!, row.state.values.2!)
        }
        return combining(Row<Values>((nil, nil, nil), count: 3, endsEarly: true), [
            a.column({ $0.0.fill($1) }, select), b.column({ $0.1.fill($1) }, select), c.column({ $0.2.fill($1) }, select),
        ])
    }

    /// As for two sequences, of four.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?)
        let select = { (row: StatefulJoint<Row<Values>>) in
            try resultSelector(row.state.values.0!, row.state.values.1!, row.state.values.2!, row.state.values.3!)
        }
        return combining(Row<Values>((nil, nil, nil, nil), count: 4, endsEarly: true), [
            a.column({ $0.0.fill($1) }, select), b.column({ $0.1.fill($1) }, select), c.column({ $0.2.fill($1) }, select),
            d.column({ $0.3.fill($1) }, select),
        ])
    }

    /// As for two sequences, of five.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?, E.Element?)
        let select = { (row: StatefulJoint<Row<Values>>) in
            try resultSelector(row.state.values.0!, row.state.values.1!, row.state.values.2!, row.state.values.3!, row.state.values.4!)
        }
        return combining(Row<Values>((nil, nil, nil, nil, nil), count: 5, endsEarly: true), [
            a.column({ $0.0.fill($1) }, select), b.column({ $0.1.fill($1) }, select), c.column({ $0.2.fill($1) }, select),
            d.column({ $0.3.fill($1) }, select), e.column({ $0.4.fill($1) }, select),
        ])
    }

    /// As for two sequences, of six.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?, E.Element?, F.Element?)
        let select = { (row: StatefulJoint<Row<Values>>) in
            try resultSelector(row.state.values.0!, row.state.values.1!, row.state.values.2!, row.state.values.3!, row.state.values.4!, row.state.values.5!)
        }
        return combining(Row<Values>((nil, nil, nil, nil, nil, nil), count: 6, endsEarly: true), [
            a.column({ $0.0.fill($1) }, select), b.column({ $0.1.fill($1) }, select), c.column({ $0.2.fill($1) }, select),
            d.column({ $0.3.fill($1) }, select), e.column({ $0.4.fill($1) }, select), f.column({ $0.5.fill($1) }, select),
        ])
    }

    /// As for two sequences, of seven.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?, E.Element?, F.Element?, G.Element?)
        let select = { (row: StatefulJoint<Row<Values>>) in
            try resultSelector(row.state.values.0!, row.state.values.1!, row.state.values.2!, row.state.values.3!, row.state.values.4!, row.state.values.5!, row.state.values.6!)
        }
        return combining(Row<Values>((nil, nil, nil, nil, nil, nil, nil), count: 7, endsEarly: true), [
            a.column({ $0.0.fill($1) }, select), b.column({ $0.1.fill($1) }, select), c.column({ $0.2.fill($1) }, select),
            d.column({ $0.3.fill($1) }, select), e.column({ $0.4.fill($1) }, select), f.column({ $0.5.fill($1) }, select),
            g.column({ $0.6.fill($1) }, select),
        ])
    }

    /// As for two sequences, of eight.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType, H: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (A.Element?, B.Element?, C.Element?, D.Element?, E.Element?, F.Element?, G.Element?, H.Element?)
        let select = { (row: StatefulJoint<Row<Values>>) in
            try resultSelector(row.state.values.0!, row.state.values.1!, row.state.values.2!, row.state.values.3!, row.state.values.4!, row.state.values.5!, row.state.values.6!, row.state.values.7!)
        }
        return combining(Row<Values>((nil, nil, nil, nil, nil, nil, nil, nil), count: 8, endsEarly: true), [
            a.column({ $0.0.fill($1) }, select), b.column({ $0.1.fill($1) }, select), c.column({ $0.2.fill($1) }, select),
            d.column({ $0.3.fill($1) }, select), e.column({ $0.4.fill($1) }, select), f.column({ $0.5.fill($1) }, select),
            g.column({ $0.6.fill($1) }, select), h.column({ $0.7.fill($1) }, select),
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
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)>.combineLatest(a, b, c, d, e) { ($0, $1, $2, $3, $4) }
    }

    /// As for two sequences, of six.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)>.combineLatest(a, b, c, d, e, f) { ($0, $1, $2, $3, $4, $5) }
    }

    /// As for two sequences, of seven.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)>.combineLatest(a, b, c, d, e, f, g) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// As for two sequences, of eight.
    @inlinable
    public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType, G: ObservableType, H: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)>.combineLatest(a, b, c, d, e, f, g, h) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }
}
