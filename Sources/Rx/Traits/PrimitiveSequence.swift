/// A sequence with a promise about its events, named by `Trait`: `Single`, for example, gives one value or fails.
///
/// Subscribe to it as to an observable, or turn it back into one with `asObservable()`. Its operators are those of
/// `Observable` that keep the promise, at the same cost.
public struct PrimitiveSequence<Trait, Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// - Parameter source: keeps the promise of `Trait`.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }
}

/// Something that is a primitive sequence, so that extensions can tell traits apart.
public protocol PrimitiveSequenceType<Trait, Element> {
    /// The promise about its events.
    associatedtype Trait
    associatedtype Element

    /// The sequence.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequenceType {
    /// The sequence without its promise, for operators.
    @inlinable @inline(__always)
    var source: Observable<Element> { primitiveSequence.source }
}

extension PrimitiveSequence: PrimitiveSequenceType {
    /// This sequence.
    @inlinable
    public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }
}

extension PrimitiveSequence: ObservableConvertibleType {
    /// The sequence without its promise.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}
