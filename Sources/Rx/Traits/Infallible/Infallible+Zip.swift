// Thin declarations over `Observable.zip`, one per number of sequences: Documentation/Decisions/0004-arity.md says why
// not a single one.

extension InfallibleType {
    /// What `resultSelector` makes of the first elements of two sequences, then of the second ones, and so on.
    ///
    ///     _ = Infallible.zip(Infallible.of("a", "b"), Infallible.of(1, 2)) { "\($0)\($1)" }
    ///         .subscribe(onNext: { print($0) })  // a1, b2
    ///
    /// Elements wait for their partners, in memory. Completes when all sequences have.
    ///
    /// - Parameter resultSelector: called one call at a time, while other sources wait. An error that it throws goes to
    ///   `Hooks.defaultErrorHandler` and ends the sequence without an event: it is better not to.
    @inlinable @inline(__always)
    public static func zip<A, B>(
        _ a: Infallible<A>, _ b: Infallible<B>,
        resultSelector: @escaping (A, B) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: .zip(a.source, b.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of three.
    @inlinable @inline(__always)
    public static func zip<A, B, C>(
        _ a: Infallible<A>, _ b: Infallible<B>, _ c: Infallible<C>,
        resultSelector: @escaping (A, B, C) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: .zip(a.source, b.source, c.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of four.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D>(
        _ a: Infallible<A>, _ b: Infallible<B>, _ c: Infallible<C>, _ d: Infallible<D>,
        resultSelector: @escaping (A, B, C, D) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: .zip(a.source, b.source, c.source, d.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of five.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E>(
        _ a: Infallible<A>, _ b: Infallible<B>, _ c: Infallible<C>, _ d: Infallible<D>, _ e: Infallible<E>,
        resultSelector: @escaping (A, B, C, D, E) throws -> Element
    ) -> Infallible<Element> {
        Infallible(raw: .zip(a.source, b.source, c.source, d.source, e.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of six.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E, F>(
        _ a: Infallible<A>, _ b: Infallible<B>, _ c: Infallible<C>, _ d: Infallible<D>, _ e: Infallible<E>,
        _ f: Infallible<F>,
        resultSelector: @escaping (A, B, C, D, E, F) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .zip(a.source, b.source, c.source, d.source, e.source, f.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of seven.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E, F, G>(
        _ a: Infallible<A>, _ b: Infallible<B>, _ c: Infallible<C>, _ d: Infallible<D>, _ e: Infallible<E>,
        _ f: Infallible<F>,
        _ g: Infallible<G>,
        resultSelector: @escaping (A, B, C, D, E, F, G) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .zip(
                a.source, b.source, c.source, d.source, e.source, f.source, g.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of eight.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E, F, G, H>(
        _ a: Infallible<A>, _ b: Infallible<B>, _ c: Infallible<C>, _ d: Infallible<D>, _ e: Infallible<E>,
        _ f: Infallible<F>,
        _ g: Infallible<G>, _ h: Infallible<H>,
        resultSelector: @escaping (A, B, C, D, E, F, G, H) throws -> Element
    ) -> Infallible<Element> {
        Infallible(
            raw: .zip(
                a.source, b.source, c.source, d.source, e.source, f.source, g.source, h.source,
                resultSelector: resultSelector))
    }
}
