// Thin declarations over `Observable.combineLatest`, one per number of sequences: Documentation/Decisions/0004-arity.md
// says why not a single one.

extension InfallibleType {
    /// What `resultSelector` makes of the latest elements of two sequences, whenever one of them has a new one.
    ///
    ///     _ = Infallible.combineLatest(Infallible.just(3), Infallible.just(4)) { width, height in width * height }
    ///         .subscribe(onNext: { print($0) })  // 12
    ///
    /// Begins once each has had an element, completes when all have or when one can never have an element for the
    /// others to meet.
    ///
    /// - Parameter resultSelector: called one call at a time, while other sources wait. An error that it throws goes to
    ///   `Hooks.defaultErrorHandler` and ends the sequence without an event: it is better not to.
    @inlinable @inline(__always)
    public static func combineLatest<A, B>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>,
        resultSelector: @escaping (A, B) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: .combineLatest(a.asObservable(), b.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of three.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        resultSelector: @escaping (A, B, C) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .combineLatest(a.asObservable(), b.asObservable(), c.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of four.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        resultSelector: @escaping (A, B, C, D) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of five.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>,
        resultSelector: @escaping (A, B, C, D, E) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                resultSelector: resultSelector))
    }

    /// As for two sequences, of six.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E, F>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>, _ f: some InfallibleType<F>,
        resultSelector: @escaping (A, B, C, D, E, F) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                f.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of seven.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E, F, G>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>, _ f: some InfallibleType<F>, _ g: some InfallibleType<G>,
        resultSelector: @escaping (A, B, C, D, E, F, G) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                f.asObservable(), g.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of eight.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E, F, G, H>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>, _ f: some InfallibleType<F>, _ g: some InfallibleType<G>,
        _ h: some InfallibleType<H>,
        resultSelector: @escaping (A, B, C, D, E, F, G, H) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                f.asObservable(), g.asObservable(), h.asObservable(), resultSelector: resultSelector))
    }
}

extension InfallibleType where Element == Any {
    /// The latest elements of two sequences as a tuple, whenever one of them has a new one.
    @inlinable
    public static func combineLatest<A, B>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>
    ) -> Infallible<(A, B)> {
        Infallible<(A, B)>.combineLatest(a, b) { ($0, $1) }
    }

    /// As for two sequences, of three.
    @inlinable
    public static func combineLatest<A, B, C>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>
    ) -> Infallible<(A, B, C)> {
        Infallible<(A, B, C)>.combineLatest(a, b, c) { ($0, $1, $2) }
    }

    /// As for two sequences, of four.
    @inlinable
    public static func combineLatest<A, B, C, D>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>
    ) -> Infallible<(A, B, C, D)> {
        Infallible<(A, B, C, D)>.combineLatest(a, b, c, d) { ($0, $1, $2, $3) }
    }

    /// As for two sequences, of five.
    @inlinable
    public static func combineLatest<A, B, C, D, E>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>
    ) -> Infallible<(A, B, C, D, E)> {
        Infallible<(A, B, C, D, E)>.combineLatest(a, b, c, d, e) { ($0, $1, $2, $3, $4) }
    }

    /// As for two sequences, of six.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>, _ f: some InfallibleType<F>
    ) -> Infallible<(A, B, C, D, E, F)> {
        Infallible<(A, B, C, D, E, F)>.combineLatest(a, b, c, d, e, f) { ($0, $1, $2, $3, $4, $5) }
    }

    /// As for two sequences, of seven.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F, G>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>, _ f: some InfallibleType<F>, _ g: some InfallibleType<G>
    ) -> Infallible<(A, B, C, D, E, F, G)> {
        Infallible<(A, B, C, D, E, F, G)>.combineLatest(a, b, c, d, e, f, g) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// As for two sequences, of eight.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F, G, H>(
        _ a: some InfallibleType<A>, _ b: some InfallibleType<B>, _ c: some InfallibleType<C>,
        _ d: some InfallibleType<D>,
        _ e: some InfallibleType<E>, _ f: some InfallibleType<F>, _ g: some InfallibleType<G>,
        _ h: some InfallibleType<H>
    ) -> Infallible<(A, B, C, D, E, F, G, H)> {
        Infallible<(A, B, C, D, E, F, G, H)>.combineLatest(a, b, c, d, e, f, g, h) { ($0, $1, $2, $3, $4, $5, $6, $7) }
    }
}
