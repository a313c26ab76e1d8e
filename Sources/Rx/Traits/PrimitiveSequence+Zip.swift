// Thin declarations over `Observable.zip`, one per number of sequences, for `Single` and `Maybe` alike:
// Documentation/Decisions/0004-arity.md says why not a single one.

/// A promise that allows for one value: `zip` combines sequences of the same one.
public protocol ValueTrait {}

extension SingleTrait: ValueTrait {}

extension MaybeTrait: ValueTrait {}

extension PrimitiveSequenceType where Trait: ValueTrait {
    /// What `resultSelector` makes of the values of two sequences, once both have one.
    ///
    ///     _ = Single.zip(Single.just("Ada"), Single.just(36)) { name, age in "\(name), \(age)" }
    ///         .subscribe(onSuccess: { print($0) })  // Ada, 36
    ///
    /// The first error, or what `resultSelector` throws, ends everything. Where a `Maybe` has no value the result has
    /// none, and completes when all sequences have. `resultSelector` is called on the thread that delivers the last
    /// value. One allocation per sequence and subscription.
    @inlinable @inline(__always)
    public static func zip<A, B>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>,
        resultSelector: @escaping (A, B) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .zip(a.source, b.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of three.
    @inlinable @inline(__always)
    public static func zip<A, B, C>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        resultSelector: @escaping (A, B, C) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .zip(a.source, b.source, c.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of four.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>,
        resultSelector: @escaping (A, B, C, D) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .zip(a.source, b.source, c.source, d.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of five.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>,
        resultSelector: @escaping (A, B, C, D, E) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .zip(a.source, b.source, c.source, d.source, e.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of six.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E, F>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>,
        resultSelector: @escaping (A, B, C, D, E, F) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(a.source, b.source, c.source, d.source, e.source, f.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of seven.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E, F, G>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>,
        _ g: PrimitiveSequence<Trait, G>,
        resultSelector: @escaping (A, B, C, D, E, F, G) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                a.source, b.source, c.source, d.source, e.source, f.source, g.source, resultSelector: resultSelector))
    }

    /// As for two sequences, of eight.
    @inlinable @inline(__always)
    public static func zip<A, B, C, D, E, F, G, H>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>,
        _ g: PrimitiveSequence<Trait, G>, _ h: PrimitiveSequence<Trait, H>,
        resultSelector: @escaping (A, B, C, D, E, F, G, H) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                a.source, b.source, c.source, d.source, e.source, f.source, g.source, h.source,
                resultSelector: resultSelector))
    }
}

extension PrimitiveSequenceType where Trait: ValueTrait, Element == Any {
    /// The values of two sequences as a tuple, once both have one.
    @inlinable
    public static func zip<A, B>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>
    ) -> PrimitiveSequence<Trait, (A, B)> {
        PrimitiveSequence<Trait, (A, B)>.zip(a, b) { ($0, $1) }
    }

    /// As for two sequences, of three.
    @inlinable
    public static func zip<A, B, C>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>
    ) -> PrimitiveSequence<Trait, (A, B, C)> {
        PrimitiveSequence<Trait, (A, B, C)>.zip(a, b, c) { ($0, $1, $2) }
    }

    /// As for two sequences, of four.
    @inlinable
    public static func zip<A, B, C, D>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>
    ) -> PrimitiveSequence<Trait, (A, B, C, D)> {
        PrimitiveSequence<Trait, (A, B, C, D)>.zip(a, b, c, d) { ($0, $1, $2, $3) }
    }

    /// As for two sequences, of five.
    @inlinable
    public static func zip<A, B, C, D, E>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>
    ) -> PrimitiveSequence<Trait, (A, B, C, D, E)> {
        PrimitiveSequence<Trait, (A, B, C, D, E)>.zip(a, b, c, d, e) { ($0, $1, $2, $3, $4) }
    }

    /// As for two sequences, of six.
    @inlinable
    public static func zip<A, B, C, D, E, F>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>
    ) -> PrimitiveSequence<Trait, (A, B, C, D, E, F)> {
        PrimitiveSequence<Trait, (A, B, C, D, E, F)>.zip(a, b, c, d, e, f) { ($0, $1, $2, $3, $4, $5) }
    }

    /// As for two sequences, of seven.
    @inlinable
    public static func zip<A, B, C, D, E, F, G>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>,
        _ g: PrimitiveSequence<Trait, G>
    ) -> PrimitiveSequence<Trait, (A, B, C, D, E, F, G)> {
        PrimitiveSequence<Trait, (A, B, C, D, E, F, G)>.zip(a, b, c, d, e, f, g) { ($0, $1, $2, $3, $4, $5, $6) }
    }

    /// As for two sequences, of eight.
    @inlinable
    public static func zip<A, B, C, D, E, F, G, H>(
        _ a: PrimitiveSequence<Trait, A>, _ b: PrimitiveSequence<Trait, B>, _ c: PrimitiveSequence<Trait, C>,
        _ d: PrimitiveSequence<Trait, D>, _ e: PrimitiveSequence<Trait, E>, _ f: PrimitiveSequence<Trait, F>,
        _ g: PrimitiveSequence<Trait, G>, _ h: PrimitiveSequence<Trait, H>
    ) -> PrimitiveSequence<Trait, (A, B, C, D, E, F, G, H)> {
        PrimitiveSequence<Trait, (A, B, C, D, E, F, G, H)>.zip(a, b, c, d, e, f, g, h) {
            ($0, $1, $2, $3, $4, $5, $6, $7)
        }
    }
}
