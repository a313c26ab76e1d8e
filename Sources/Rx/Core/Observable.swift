/// The part of every observable that does not depend on its elements.
///
/// Carries no promise: it is public only because `Observable` is.
public class ObservableBase {
    /// Whether the sequence is one value followed by completion, so that a coordinator can take the value without
    /// subscribing.
    @usableFromInline var isScalar: Bool { false }

    /// Whether the sequence is completion and nothing else, so that a coordinator need not subscribe.
    @usableFromInline var isEmpty: Bool { false }

    /// How many operators that can be fused end here, and whether a closure of theirs captures something.
    @usableFromInline var fusible: (count: Int, capture: Bool) { (0, false) }
    /// Adds the last of those operators to `stages`, if there is one; returns what feeds it.
    @usableFromInline func addStage(to stages: inout FusedStages) -> Unmanaged<ObservableBase>? { nil }

    /// Delivers the value of a scalar sequence without its completion.
    @usableFromInline func emitScalar(to sink: Sink) { fatalError("A scalar observable overrides emitScalar(to:).") }

    /// Delivers the whole sequence to a coordinator, as an inner sequence whose elements go downstream as they are, if
    /// it is one that need not be subscribed to for that; else returns `false`.
    ///
    /// - Parameter forward: the `next` of an input, for what cannot be delivered at once.
    @usableFromInline func pour(into coordinator: Coordinator, through forward: @escaping Sink.Next) -> Bool { false }

    /// If the sequence is other sequences one after the other: a walk over them, so that a concatenation at the end of
    /// another one continues it in place of nesting in it.
    @usableFromInline func makeSourceWalk() -> SourceWalk? { nil }

    #if TRACE_RESOURCES
        /// The type that it is counted as.
        @exclusivity(unchecked) @usableFromInline final var resourceType: UInt32 = 0
        /// The tag that it leaves the counts by.
        @exclusivity(unchecked) @usableFromInline final var tag: UInt32 = 0

        @inlinable package init() {
            resourceType = Resources.type(of: ObjectIdentifier(self), .observable, named: nil)
            tag = Resources.made(resourceType, at: ObjectIdentifier(self))
        }

        /// An observable that a report of a build that traces calls by the operator's name.
        @inlinable package init(named name: StaticString, of source: @autoclosure () -> ObservableBase?) {
            resourceType = Resources.type(
                of: ObjectIdentifier(self), .observable, named: name, source: source().map { ObjectIdentifier($0) })
            tag = Resources.made(resourceType, at: ObjectIdentifier(self))
        }

        deinit { Resources.gone(tag) }

        /// The type of its elements.
        package class var elementType: Any.Type { Never.self }
    #else
        @inlinable package init() {}
        @inlinable @inline(__always) package init(
            named name: StaticString, of source: @autoclosure () -> ObservableBase?
        ) {}

        // Here and below: inlined in those of subclasses, of which there is one for each operator in a chain.
        @inlinable @inline(__always) deinit {}
    #endif

    /// Starts feeding `sink`. The upstream end of a segment calls `sink.connect` with what stops it.
    /// Called inside the trampoline.
    @usableFromInline
    func attach(_ sink: consuming Sink) { fatalError("An observable overrides attach(_:).") }

    /// Feeds `sink`, entering the trampoline of this thread if no outer call has.
    @inlinable
    final func subscribe(sink: consuming Sink) {
        // By hand, as a closure cannot hand on what it captures.
        let sink = Unmanaged.passRetained(consume sink)
        Trampoline.enter { attach(sink.takeRetainedValue()) }
    }
}

/// A sequence of values over time that ends with completion, with an error, or never.
///
/// Nothing happens until somebody subscribes; each subscription runs the sequence anew unless an
/// operator shares it.
///
///     let sum = Observable.range(start: 1, count: 4).reduce(0, accumulator: +)
///     _ = sum.subscribe(onNext: { print($0) })  // 10
///
/// Sequences may be built, subscribed and disposed on any thread. The events of one subscription do
/// not overlap.
public class Observable<Element>: ObservableBase, ObservableType, @unchecked Sendable {
    // @unchecked: sources and operators are immutable; subjects and connections guard what they change.

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

    /// The sequence itself.
    ///
    /// - Complexity: No allocation.
    @inlinable
    public final func asObservable() -> Observable<Element> { self }
}

/// `Observable`, for code in which another module has a type of that name.
public typealias RxObservable = Observable
