/// One operator within a segment, for one subscription: it looks at an event and passes it, or something made of it,
/// on.
@usableFromInline
class OperatorSink: Sink, @unchecked Sendable {
    // @unchecked: as every sink.
    /// Never cleared, so that an event in flight stays safe when anything is disposed meanwhile.
    @usableFromInline final let down: Sink

    @inlinable init(next: @escaping Next, down: Sink) {
        self.down = down
        super.init(next: next, segmentOf: down)
    }

    /// Passes a value on.
    @inlinable @inline(__always)
    final func forward<Element>(_ element: inout Element) { down.emit(&element) }

    /// Ends the sequence with an error, from inside the operator.
    @inlinable @inline(never)
    final func fail(_ error: any Error) { down.end(error) }

    /// Completes the sequence, from inside the operator.
    @inlinable @inline(never)
    final func complete() { down.end(nil) }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) { down.receiveEnd(error) }
}

/// A sink with state of its own for each subscription, and, where the operator asks for it, its own way to end.
@usableFromInline
final class StatefulOperatorSink<State>: OperatorSink, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline typealias End = (StatefulOperatorSink<State>, (any Error)?) -> Void

    // Unchecked: the events of one subscription do not overlap, and a checked access is a call of the runtime.
    @exclusivity(unchecked) @usableFromInline var state: State
    @usableFromInline let onEnd: End?

    @inlinable
    init(next: @escaping Next, down: Sink, state: State, onEnd: End?) {
        self.state = state
        self.onEnd = onEnd
        super.init(next: next, down: down)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard let onEnd else { return down.receiveEnd(error) }
        // Once: `onEnd` may deliver values, whose receiver may make an operator upstream end again.
        // The sink's own flags are free for this, as only a token's say anything of the segment.
        if isStopped || flags.bitwiseOr(SegmentState.ending, ordering: .relaxed).oldValue != 0 { return }
        onEnd(self, error)
    }
}
