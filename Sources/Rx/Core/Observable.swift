/// The part of every observable that does not depend on its elements.
///
/// This is an implementation detail, and its API may change. It is public only because `Observable` is.
public class ObservableBase {
    /// Whether the sequence is one value followed by completion. If so, a coordinator can take the value without
    /// subscribing.
    @usableFromInline var isScalar: Bool { false }

    /// Whether the sequence consists only of completion. If so, a coordinator need not subscribe.
    @usableFromInline var isEmpty: Bool { false }

    /// The number of consecutive fusible operators that end here, and whether one of their closures captures something.
    @usableFromInline var fusible: (count: Int, capture: Bool) { (0, false) }
    /// Adds the last of those operators to `stages`, if there is one. Returns the observable that feeds it.
    @usableFromInline func addStage(to stages: inout FusedStages) -> Unmanaged<ObservableBase>? { nil }

    /// Delivers the value of a scalar sequence without its completion.
    @usableFromInline func emitScalar(to sink: Sink) { fatalError("A scalar observable overrides emitScalar(to:).") }

    /// Delivers the whole sequence to a coordinator, as an inner sequence whose elements go downstream unchanged.
    /// Returns `false` if the sequence has to be subscribed to instead.
    ///
    /// - Parameter forward: the `next` of an input, for elements that cannot be delivered immediately.
    @usableFromInline func emitInline(into coordinator: Coordinator, through forward: @escaping Sink.Next) -> Bool {
        false
    }

    /// Returns a walk over the sources if this sequence is a concatenation, so that a concatenation at the end of
    /// another one continues it instead of nesting in it.
    @usableFromInline func makeSourceWalk() -> SourceWalk? { nil }

    #if TRACE_RESOURCES
        /// The type under which this observable is counted.
        @exclusivity(unchecked) @usableFromInline final var resourceType: UInt32 = 0
        /// The tag that removes this observable from the counts.
        @exclusivity(unchecked) @usableFromInline final var tag: UInt32 = 0

        @inlinable package init() {
            resourceType = Resources.type(of: ObjectIdentifier(self), .observable, named: nil)
            tag = Resources.made(resourceType, at: ObjectIdentifier(self))
        }

        /// Creates an observable that reports of tracing builds call by the operator's name.
        @inlinable package init(named name: StaticString, of source: @autoclosure () -> ObservableBase?) {
            resourceType = Resources.type(
                of: ObjectIdentifier(self), .observable, named: name, source: source().map { ObjectIdentifier($0) })
            tag = Resources.made(resourceType, at: ObjectIdentifier(self))
        }

        deinit { Resources.gone(tag) }

        /// The type of this observable's elements.
        package class var elementType: Any.Type { Never.self }
    #else
        @inlinable package init() {}
        @inlinable @inline(__always) package init(
            named name: StaticString, of source: @autoclosure () -> ObservableBase?
        ) {}

        // Here and below: inlined into the deinitialisers of subclasses. A chain has one subclass for each operator.
        @inlinable @inline(__always) deinit {}
    #endif

    /// Starts to feed `sink`. The upstream end of a segment calls `sink.connect` with the disposable that stops it.
    /// Called inside the trampoline.
    @usableFromInline
    func attach(_ sink: consuming Sink) { fatalError("An observable overrides attach(_:).") }

    /// Feeds `sink`. Enters the trampoline of this thread if no outer call has entered it.
    @inlinable
    final func subscribe(sink: consuming Sink) {
        // Managed manually, because a closure cannot consume a value that it captures.
        let sink = Unmanaged.passRetained(consume sink)
        Trampoline.enter { attach(sink.takeRetainedValue()) }
    }
}

/// A sequence of values over time that ends with completion, with an error, or never.
///
/// A sequence does nothing until an observer subscribes. Each subscription runs the sequence again, unless an operator
/// shares it.
///
///     let sum = Observable.range(start: 1, count: 4).reduce(0, accumulator: +)
///     _ = sum.subscribe(onNext: { print($0) })  // 10
///
/// You can build, subscribe to and dispose sequences on any thread. The events of one subscription do not overlap.
public class Observable<Element>: ObservableBase, ObservableType, @unchecked Sendable {
    // @unchecked: sources and operators are immutable; subjects and connections guard their mutable state.

    @inlinable
    package override init() { super.init() }

    @inlinable @inline(__always)
    package override init(named name: StaticString, of source: @autoclosure () -> ObservableBase?) {
        super.init(named: name, of: source())
    }

    @inlinable @inline(__always) deinit {}

    #if TRACE_RESOURCES
        package override class var elementType: Any.Type { Element.self }
    #endif

    /// Returns the sequence itself.
    ///
    /// - Complexity: No allocation.
    @inlinable
    public final func asObservable() -> Observable<Element> { self }
}

/// Another name for `Observable`, for code that uses another module's type of that name.
public typealias RxObservable = Observable
