/// A sequence that cannot fail: values, then completion or nothing more.
///
///     let name = request.map(\.name).asInfallible(onErrorJustReturn: "nobody")
///     _ = name.subscribe(onNext: { print($0) })  // Ada
///
/// There is no `onError` to write, and the closures of `map`, `filter`, `scan`, `flatMap` and their like cannot throw.
/// It is a wrapper around an observable: its operators cost what those of `Observable` cost, and nothing is added per
/// event, operator or subscription.
///
/// It has no `observe(on:)`, `subscribe(on:)`, `delay`, `skip` by count, `retry` and `catch`, as users of the trait
/// know it: the first four can be had through `asObservable()`, and the last two have nothing to do.
///
/// The promise is broken where an inner `Observable` in `flatMap` fails, or where a closure throws that may: a function
/// of `do`, a predicate, a comparer, a factory, a result selector. The error then goes to `Hooks.defaultErrorHandler`,
/// and the sequence ends without a further event.
public struct Infallible<Element>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// - Parameter source: keeps the promise not to fail.
    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }
}

/// Something that can be seen as a sequence that cannot fail.
public protocol InfallibleType<Element>: ObservableConvertibleType {}

extension Infallible: InfallibleType {
    /// The sequence without its promise.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension InfallibleType {
    /// The sequence as an `Infallible`.
    ///
    ///     let same = Infallible.just(1).asInfallible()
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(raw: asObservable()) }
}

/// What a sequence that cannot fail can say.
///
///     let event = InfallibleEvent.next(1)
///     print(event.event.element ?? 0)  // 1
public enum InfallibleEvent<Element> {
    /// A value.
    case next(Element)
    /// The sequence has completed. Nothing follows.
    case completed
}

extension InfallibleEvent: Sendable where Element: Sendable {}

extension InfallibleEvent: EventConvertible {
    /// The same as an event of an observable.
    @inlinable
    public var event: Event<Element> {
        switch self {
        case .next(let element): .next(element)
        case .completed: .completed
        }
    }
}
