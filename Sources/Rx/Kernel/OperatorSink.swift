/// One operator within a segment, for one subscription. It handles an event and passes on that event or a new one.
@usableFromInline
class OperatorSink: Sink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    /// Never cleared, so that an event in flight stays safe when a subscription is disposed at the same time.
    @usableFromInline final let down: Sink

    @inlinable init(next: @escaping Next, down: Sink) {
        self.down = down
        super.init(next: next, segmentOf: down)
    }

    // MARK: For operators

    /// Sends a value downstream. The receiver may change it.
    @inlinable @inline(__always)
    final func send<Element>(_ element: inout Element) { down.emit(&element) }

    /// Completes the sequence, and then releases the source.
    // Two forms, because the caller of a closure takes fewer instructions if it does not have to make an optional.
    @inlinable @inline(never)
    final func finish() { down.emitEnd(nil) }

    /// Ends the sequence with an error, and then releases the source.
    @inlinable @inline(never)
    final func finish(_ error: any Error) { down.emitEnd(error) }

    // MARK: Kernel-internal

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) { down.receiveEnd(error) }
}

/// A sink with separate state for each subscription and, if the operator provides one, a custom handler for the end.
@usableFromInline
final class StatefulOperatorSink<State>: OperatorSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    @usableFromInline typealias End = (StatefulOperatorSink<State>, (any Error)?) -> Void

    // Unchecked: the events of one subscription do not overlap, and a checked access calls the runtime.
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
        // Only once: `onEnd` may deliver values, whose receiver may make an upstream operator end again. The sink's own
        // flags are free for this, because only a token's flags describe the segment.
        if isStopped || flags.bitwiseOr(SegmentState.ending, ordering: .relaxed).oldValue != 0 { return }
        onEnd(self, error)
    }
}
