// Thin declarations over `Observable.combineLatest`, one per number of sequences: Documentation/Decisions/0004-arity.md
// says why not a single one.

extension SharedSequence {
    /// What `resultSelector` makes of the latest elements of two sequences, whenever one of them has a new one. It is
    /// shared as they are.
    ///
    ///     let name = BehaviorRelay(value: "Ada"), password = BehaviorRelay(value: "secret")
    ///     let isValid = Driver.combineLatest(name.asDriver(), password.asDriver()) { !$0.isEmpty && $1.count > 7 }
    ///
    /// Begins once each has had an element, completes when all have or when one can never have an element for the
    /// others to meet.
    ///
    /// - Parameter resultSelector: called once for a result, however many subscribers there are. What it throws ends
    ///   the sequence, which has no other way to fail: it is better not to.
    @inlinable @inline(__always)
    public static func combineLatest<A, B>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        resultSelector: @escaping (A, B) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(.combineLatest(a.asObservable(), b.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of three.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        resultSelector: @escaping (A, B, C) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            .combineLatest(a.asObservable(), b.asObservable(), c.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of four.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        resultSelector: @escaping (A, B, C, D) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of five.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>,
        resultSelector: @escaping (A, B, C, D, E) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                resultSelector: resultSelector))
    }

    /// As for two sequences, of six.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E, F>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>,
        _ f: some SharedSequenceConvertibleType<SharingStrategy, F>,
        resultSelector: @escaping (A, B, C, D, E, F) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                f.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of seven.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E, F, G>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>,
        _ f: some SharedSequenceConvertibleType<SharingStrategy, F>,
        _ g: some SharedSequenceConvertibleType<SharingStrategy, G>,
        resultSelector: @escaping (A, B, C, D, E, F, G) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                f.asObservable(), g.asObservable(), resultSelector: resultSelector))
    }

    /// As for two sequences, of eight.
    @inlinable @inline(__always)
    public static func combineLatest<A, B, C, D, E, F, G, H>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>,
        _ f: some SharedSequenceConvertibleType<SharingStrategy, F>,
        _ g: some SharedSequenceConvertibleType<SharingStrategy, G>,
        _ h: some SharedSequenceConvertibleType<SharingStrategy, H>,
        resultSelector: @escaping (A, B, C, D, E, F, G, H) throws -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            .combineLatest(
                a.asObservable(), b.asObservable(), c.asObservable(), d.asObservable(), e.asObservable(),
                f.asObservable(), g.asObservable(), h.asObservable(), resultSelector: resultSelector))
    }
}

extension SharedSequence where Element == Any {
    /// The latest elements of two sequences as a tuple, whenever one of them has a new one.
    @inlinable
    public static func combineLatest<A, B>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>
    ) -> SharedSequence<SharingStrategy, (A, B)> {
        SharedSequence<SharingStrategy, (A, B)>.combineLatest(a, b) { ($0, $1) }
    }

    /// As for two sequences, of three.
    @inlinable
    public static func combineLatest<A, B, C>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>
    ) -> SharedSequence<SharingStrategy, (A, B, C)> {
        SharedSequence<SharingStrategy, (A, B, C)>.combineLatest(a, b, c) { ($0, $1, $2) }
    }

    /// As for two sequences, of four.
    @inlinable
    public static func combineLatest<A, B, C, D>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>
    ) -> SharedSequence<SharingStrategy, (A, B, C, D)> {
        SharedSequence<SharingStrategy, (A, B, C, D)>.combineLatest(a, b, c, d) { ($0, $1, $2, $3) }
    }

    /// As for two sequences, of five.
    @inlinable
    public static func combineLatest<A, B, C, D, E>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>
    ) -> SharedSequence<SharingStrategy, (A, B, C, D, E)> {
        SharedSequence<SharingStrategy, (A, B, C, D, E)>.combineLatest(a, b, c, d, e) { ($0, $1, $2, $3, $4) }
    }

    /// As for two sequences, of six.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>,
        _ f: some SharedSequenceConvertibleType<SharingStrategy, F>
    ) -> SharedSequence<SharingStrategy, (A, B, C, D, E, F)> {
        SharedSequence<SharingStrategy, (A, B, C, D, E, F)>.combineLatest(a, b, c, d, e, f) { ($0, $1, $2, $3, $4, $5) }
    }

    /// As for two sequences, of seven.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F, G>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>,
        _ f: some SharedSequenceConvertibleType<SharingStrategy, F>,
        _ g: some SharedSequenceConvertibleType<SharingStrategy, G>
    ) -> SharedSequence<SharingStrategy, (A, B, C, D, E, F, G)> {
        SharedSequence<SharingStrategy, (A, B, C, D, E, F, G)>.combineLatest(a, b, c, d, e, f, g) {
            ($0, $1, $2, $3, $4, $5, $6)
        }
    }

    /// As for two sequences, of eight.
    @inlinable
    public static func combineLatest<A, B, C, D, E, F, G, H>(
        _ a: some SharedSequenceConvertibleType<SharingStrategy, A>,
        _ b: some SharedSequenceConvertibleType<SharingStrategy, B>,
        _ c: some SharedSequenceConvertibleType<SharingStrategy, C>,
        _ d: some SharedSequenceConvertibleType<SharingStrategy, D>,
        _ e: some SharedSequenceConvertibleType<SharingStrategy, E>,
        _ f: some SharedSequenceConvertibleType<SharingStrategy, F>,
        _ g: some SharedSequenceConvertibleType<SharingStrategy, G>,
        _ h: some SharedSequenceConvertibleType<SharingStrategy, H>
    ) -> SharedSequence<SharingStrategy, (A, B, C, D, E, F, G, H)> {
        SharedSequence<SharingStrategy, (A, B, C, D, E, F, G, H)>.combineLatest(a, b, c, d, e, f, g, h) {
            ($0, $1, $2, $3, $4, $5, $6, $7)
        }
    }
}
