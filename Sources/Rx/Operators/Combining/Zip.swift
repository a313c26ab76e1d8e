// Thin declarations over `Combination`, one per number of sources: Documentation/Decisions/0004-arity.md says why not a
// single one.

extension ObservableType {
    /// The results that `resultSelector` makes of the first elements of two sequences, then of the second ones, and so
    /// on.
    ///
    ///     let pairs = Observable.zip(names, ages) { "\($0): \($1)" }
    ///
    /// Elements wait for their partners, in memory. Completes when all sources have; the first error, or what
    /// `resultSelector` throws, ends everything. `resultSelector` is called one call at a time, while other sources
    /// wait.
    ///
    /// - Complexity: One allocation per source and subscription; per element only while a queue grows.
    @inlinable @inline(__always)
    public static func zip<A: ObservableType, B: ObservableType>(
        _ a: A, _ b: B,
        resultSelector: @escaping (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (ZipQueue<A.Element>, ZipQueue<B.Element>)
        func select(_ queues: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(queues.take { $0.0.take() }, queues.take { $0.1.take() })
        }
        return combining(
            Combination<Values>((ZipQueue(), ZipQueue()), count: 2, endsEarly: false),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.add($1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.add($1) }, select) },
            ])
    }

    /// As for two sequences, of three.
    @inlinable @inline(__always)
    public static func zip<A: ObservableType, B: ObservableType, C: ObservableType>(
        _ a: A, _ b: B, _ c: C,
        resultSelector: @escaping (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (ZipQueue<A.Element>, ZipQueue<B.Element>, ZipQueue<C.Element>)
        func select(_ queues: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(queues.take { $0.0.take() }, queues.take { $0.1.take() }, queues.take { $0.2.take() })
        }
        return combining(
            Combination<Values>((ZipQueue(), ZipQueue(), ZipQueue()), count: 3, endsEarly: false),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.add($1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.add($1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.add($1) }, select) },
            ])
    }

    /// As for two sequences, of four.
    @inlinable @inline(__always)
    public static func zip<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (ZipQueue<A.Element>, ZipQueue<B.Element>, ZipQueue<C.Element>, ZipQueue<D.Element>)
        func select(_ queues: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                queues.take { $0.0.take() }, queues.take { $0.1.take() }, queues.take { $0.2.take() },
                queues.take { $0.3.take() })
        }
        return combining(
            Combination<Values>((ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue()), count: 4, endsEarly: false),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.add($1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.add($1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.add($1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.add($1) }, select) },
            ])
    }

    /// As for two sequences, of five.
    @inlinable @inline(__always)
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (
            ZipQueue<A.Element>, ZipQueue<B.Element>, ZipQueue<C.Element>, ZipQueue<D.Element>, ZipQueue<E.Element>
        )
        func select(_ queues: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                queues.take { $0.0.take() }, queues.take { $0.1.take() }, queues.take { $0.2.take() },
                queues.take { $0.3.take() },
                queues.take { $0.4.take() })
        }
        return combining(
            Combination<Values>(
                (ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue()), count: 5, endsEarly: false),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.add($1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.add($1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.add($1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.add($1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.add($1) }, select) },
            ])
    }

    /// As for two sequences, of six.
    @inlinable @inline(__always)
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F,
        resultSelector: @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (
            ZipQueue<A.Element>, ZipQueue<B.Element>, ZipQueue<C.Element>, ZipQueue<D.Element>, ZipQueue<E.Element>,
            ZipQueue<F.Element>
        )
        func select(_ queues: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                queues.take { $0.0.take() }, queues.take { $0.1.take() }, queues.take { $0.2.take() },
                queues.take { $0.3.take() },
                queues.take { $0.4.take() }, queues.take { $0.5.take() })
        }
        return combining(
            Combination<Values>(
                (ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue()), count: 6, endsEarly: false),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.add($1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.add($1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.add($1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.add($1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.add($1) }, select) },
                CombinedSource(f) { $1.combine($0, F.Element.self, { $0.5.add($1) }, select) },
            ])
    }

    /// As for two sequences, of seven.
    @inlinable @inline(__always)
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G,
        resultSelector:
            @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element) throws -> Element
    ) -> Observable<Element> {
        typealias Values = (
            ZipQueue<A.Element>, ZipQueue<B.Element>, ZipQueue<C.Element>, ZipQueue<D.Element>, ZipQueue<E.Element>,
            ZipQueue<F.Element>, ZipQueue<G.Element>
        )
        func select(_ queues: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                queues.take { $0.0.take() }, queues.take { $0.1.take() }, queues.take { $0.2.take() },
                queues.take { $0.3.take() },
                queues.take { $0.4.take() }, queues.take { $0.5.take() }, queues.take { $0.6.take() })
        }
        return combining(
            Combination<Values>(
                (ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue()), count: 7,
                endsEarly: false),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.add($1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.add($1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.add($1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.add($1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.add($1) }, select) },
                CombinedSource(f) { $1.combine($0, F.Element.self, { $0.5.add($1) }, select) },
                CombinedSource(g) { $1.combine($0, G.Element.self, { $0.6.add($1) }, select) },
            ])
    }

    /// As for two sequences, of eight.
    @inlinable @inline(__always)
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType, H: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H,
        resultSelector:
            @escaping (A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element) throws ->
            Element
    ) -> Observable<Element> {
        typealias Values = (
            ZipQueue<A.Element>, ZipQueue<B.Element>, ZipQueue<C.Element>, ZipQueue<D.Element>, ZipQueue<E.Element>,
            ZipQueue<F.Element>, ZipQueue<G.Element>, ZipQueue<H.Element>
        )
        func select(_ queues: StatefulCoordinator<Combination<Values>>) throws -> Element {
            try resultSelector(
                queues.take { $0.0.take() }, queues.take { $0.1.take() }, queues.take { $0.2.take() },
                queues.take { $0.3.take() },
                queues.take { $0.4.take() }, queues.take { $0.5.take() }, queues.take { $0.6.take() },
                queues.take { $0.7.take() })
        }
        return combining(
            Combination<Values>(
                (ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue(), ZipQueue()),
                count: 8,
                endsEarly: false),
            [
                CombinedSource(a) { $1.combine($0, A.Element.self, { $0.0.add($1) }, select) },
                CombinedSource(b) { $1.combine($0, B.Element.self, { $0.1.add($1) }, select) },
                CombinedSource(c) { $1.combine($0, C.Element.self, { $0.2.add($1) }, select) },
                CombinedSource(d) { $1.combine($0, D.Element.self, { $0.3.add($1) }, select) },
                CombinedSource(e) { $1.combine($0, E.Element.self, { $0.4.add($1) }, select) },
                CombinedSource(f) { $1.combine($0, F.Element.self, { $0.5.add($1) }, select) },
                CombinedSource(g) { $1.combine($0, G.Element.self, { $0.6.add($1) }, select) },
                CombinedSource(h) { $1.combine($0, H.Element.self, { $0.7.add($1) }, select) },
            ])
    }
}

extension ObservableType where Element == Any {
    /// The first elements of two sequences as a tuple, then the second ones, and so on.
    @inlinable
    public static func zip<A: ObservableType, B: ObservableType>(
        _ a: A, _ b: B
    ) -> Observable<(A.Element, B.Element)> {
        Observable<(A.Element, B.Element)>.zip(a, b) { ($0, $1) }
    }

    /// As for two sequences, of three.
    @inlinable
    public static func zip<A: ObservableType, B: ObservableType, C: ObservableType>(
        _ a: A, _ b: B, _ c: C
    ) -> Observable<(A.Element, B.Element, C.Element)> {
        Observable<(A.Element, B.Element, C.Element)>.zip(a, b, c) { ($0, $1, $2) }
    }

    /// As for two sequences, of four.
    @inlinable
    public static func zip<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
        _ a: A, _ b: B, _ c: C, _ d: D
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element)>.zip(a, b, c, d) { ($0, $1, $2, $3) }
    }

    /// As for two sequences, of five.
    @inlinable
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element)>.zip(a, b, c, d, e) { ($0, $1, $2, $3, $4) }
    }

    /// As for two sequences, of six.
    @inlinable
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType, F: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element)>.zip(a, b, c, d, e, f) {
            ($0, $1, $2, $3, $4, $5)
        }
    }

    /// As for two sequences, of seven.
    @inlinable
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element)>.zip(
            a, b, c, d, e, f, g
        ) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// As for two sequences, of eight.
    @inlinable
    public static func zip<
        A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType, E: ObservableType,
        F: ObservableType, G: ObservableType, H: ObservableType
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    ) -> Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)> {
        Observable<(A.Element, B.Element, C.Element, D.Element, E.Element, F.Element, G.Element, H.Element)>.zip(
            a, b, c, d, e, f, g, h
        ) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }
}
