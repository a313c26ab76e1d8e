import Synchronization

/// A receiver of events, and the kernel's unit of work.
///
/// Sinks form a chain from the source down to the subscriber. A series of operators that makes no decision about time
/// or about other sources is a *segment*. The sink at the downstream end of a segment is the segment's *token*. The
/// token's flags are the only atomic of the segment: operators read it with a relaxed load, ending the segment is one
/// read-modify-write, and the thread that wins it disposes the upstream subscription.
///
/// ```text
/// source → [map → filter → subscriber]            one segment, the subscriber is its token
/// source → [map → merge's input] merge → [take → subscriber]
/// ```
///
/// The reason for this design: a call through the vtable of a generic class runs unspecialised code (value witnesses,
/// temporaries, reabstraction), which takes more than three times as long. So a sink is not generic. Each operator
/// forms one closure, `next`, where the caller's types are concrete, and the sink calls that closure with the address
/// of the value. The end of a sequence is an ordinary virtual call, because it happens once.
@usableFromInline
class Sink: Disposable, @unchecked Sendable {
    // @unchecked: `flags` decide which thread disposes, and events come one at a time; a coordinator's state has a
    // lock.

    /// Delivers the value at the address to the sink, whose segment has not ended. The callee may change the value. The
    /// caller destroys it.
    // The address comes first so that a user's closure can be used here unchanged: see `Subscriber.next(calling:)`.
    @usableFromInline typealias Next = (UnsafeMutableRawPointer, Sink) -> Void

    /// The state of a segment: bits in its token's `flags`, which two sides set independently of each other.
    ///
    /// ```text
    /// events     open ──claimEnd()──▶ ending ──stopSegment()──▶ stopped           a source that is sure of its end,
    ///              └──────────────────stopSegment()────────────────▲              and dispose(), go straight there
    ///
    /// upstream   none ──connect(_:)──▶ connected ──takeUpstream()──▶ connected, released    disposed by the taker
    ///              │ ◀──disconnectUpstream()──────┘
    ///              └──takeUpstream()──▶ released ──connect(_:)──▶ connected, released       disposed by the connecter
    /// ```
    ///
    /// Each bit is set by one read-modify-write, whose old value shows which caller was first. The end of a sequence
    /// sets `ending` and then `stopped`, notifies the observer, and sets `released`.
    @usableFromInline
    enum SegmentState {
        /// The segment has ended or was disposed. It delivers no further events.
        @inlinable static var stopped: UInt8 { 1 }
        /// `upstream` is set.
        @inlinable static var connected: UInt8 { 2 }
        /// A stop event was accepted at the source; later ones are refused.
        @inlinable static var ending: UInt8 { 4 }
        /// The upstream subscription was released, or will be as soon as it connects.
        @inlinable static var released: UInt8 { 8 }
        /// The segment is stopped, and its token overrides how the upstream subscription is released after an end.
        @inlinable static var releasesItself: UInt8 { 16 }
        /// Either bit makes the segment refuse events from a source that may send after its end.
        @inlinable static var refusing: UInt8 { ending | stopped }
    }

    @usableFromInline final let next: Next
    /// The token at the downstream end of this segment. A token refers to itself. Unowned, because `down` keeps it
    /// alive.
    @exclusivity(unchecked) @usableFromInline final var token: Unmanaged<Sink>
    @usableFromInline final let flags = Atomic<UInt8>(0)

    /// Creates a sink within the segment of `down`.
    @inlinable
    init(next: @escaping Next, segmentOf down: Sink) {
        self.next = next
        token = down.token
    }

    /// Creates a token: see `TokenSink`.
    @inlinable
    init(next: @escaping Next, token: Unmanaged<Sink>) {
        self.next = next
        self.token = token
    }

    #if TRACE_RESOURCES
        /// The tag that removes this sink from the counts, after its creator has counted it. See `Resources.swift`.
        // Declared next to the flags, where it takes no additional space.
        @exclusivity(unchecked) @usableFromInline final var tag: UInt32 = 0

        deinit { Resources.gone(tag) }
    #endif

    // MARK: For operators and sources

    /// Whether this segment has ended. Checked before each delivery and each end.
    @inlinable @inline(__always)
    final var isStopped: Bool {
        token._withUnsafeGuaranteedRef { $0.flags.load(ordering: .relaxed) & SegmentState.stopped != 0 }
    }

    // MARK: For sources
    //
    // A source calls these functions of the sink that it feeds. An operator calls `send` and `finish` of its own sink.
    // The last three are for a source whose user sends the events.

    /// Delivers a value unless the segment has ended. The callee may change the value.
    // Inlined, so that the closure's context is borrowed from `self`: a call through the field itself retains it.
    @inlinable @inline(__always)
    final func emit<Element>(_ element: inout Element) {
        if isStopped { return }
        // Unprotected: the address does not escape the callee, and the public form adds a stack canary.
        _withUnprotectedUnsafeMutablePointer(to: &element) { next(UnsafeMutableRawPointer($0), self) }
    }

    /// Delivers the value at an address unless the segment has ended. For code that does not depend on the type.
    @inlinable @inline(__always)
    final func emit(at address: UnsafeMutableRawPointer) {
        if isStopped { return }
        next(address, self)
    }

    /// Delivers the end of the sequence, completion or an error, and then releases the source. The caller checks
    /// `isStopped` first.
    @usableFromInline
    final func emitEnd(_ error: (any Error)? = nil) {
        receiveEnd(error)
        releaseUpstreamIfEnded()
    }

    /// Stores the subscription that feeds this sink's segment. Called once, by the source or coordinator at the
    /// segment's upstream end. Disposes the subscription immediately if the segment has already ended and released its
    /// upstream.
    @inlinable @inline(__always)
    final func connect(_ subscription: consuming any Disposable) {
        assert(upstreamPlace.pointee == nil, "A segment is connected once.")
        upstreamPlace.initialize(to: subscription)
        finishConnecting()
    }

    /// Stores the disposable that the user's closure returned. Ignores no-op disposables.
    @inlinable
    final func connect(returned subscription: any Disposable) {
        if !(subscription is NopDisposable) { connect(subscription) }
    }

    /// Delivers a value unless the segment has ended or a stop event was accepted. For sources that may send a value
    /// after their stop event, such as a source that sends while it delivers its own end.
    @inlinable @inline(__always)
    final func emitBeforeEnd<Element>(_ element: inout Element) {
        if token._withUnsafeGuaranteedRef({ $0.flags.load(ordering: .relaxed) }) & SegmentState.refusing != 0 { return }
        _withUnprotectedUnsafeMutablePointer(to: &element) { next(UnsafeMutableRawPointer($0), self) }
    }

    /// Ends the sequence unless a stop event was accepted before. For sources that may send two stop events, even from
    /// two threads.
    @usableFromInline
    final func emitEndOnce(_ error: (any Error)?) {
        guard claimEnd() else { return }
        // This repeats the two lines of `emitEnd(_:)` instead of calling it. Many chained operators may end inside one
        // another, and an additional frame for each would double the stack use. `Coordinator.finish(_:)` repeats them
        // for the same reason.
        receiveEnd(error)
        releaseUpstreamIfEnded()
    }

    /// Returns `true` to a single caller, which may send the stop event and any value that immediately precedes it.
    @usableFromInline
    func claimEnd() -> Bool {
        let before = token._withUnsafeGuaranteedRef {
            $0.flags.bitwiseOr(SegmentState.ending, ordering: .relaxed).oldValue
        }
        return before & SegmentState.refusing == 0
    }

    // MARK: Kernel-internal
    //
    // `scripts/checks/kernel-calls` rejects a call from another folder, unless its file states the reason.

    /// Handles the end of the sequence. Operators within a segment pass it on. The segment's token notifies its
    /// observer, and the caller releases the source.
    @usableFromInline
    func receiveEnd(_ error: (any Error)?) { fatalError("A sink overrides receiveEnd(_:).") }

    /// Does the same as `emitEnd`, for an operator that has more work to do before the source is released. If this sink
    /// is itself the segment's token, the source is kept until `releaseUpstreamIfEnded()` is called.
    @usableFromInline
    final func deliverEnd(_ error: (any Error)?) {
        if token.toOpaque() == Unmanaged.passUnretained(self).toOpaque() { receiveEnd(error) } else { emitEnd(error) }
    }

    /// Releases the upstream subscription if the segment has ended.
    @usableFromInline
    final func releaseUpstreamIfEnded() {
        token._withUnsafeGuaranteedRef {
            let flags = $0.flags.load(ordering: .relaxed)
            if flags & SegmentState.stopped == 0 { return }
            if flags & SegmentState.releasesItself == 0 { $0.releaseUpstream() } else { $0.releaseAfterEnd() }
        }
    }

    /// Releases the upstream subscription after the end was reported. For tokens that set `releasesItself`.
    @usableFromInline
    func releaseAfterEnd() { fatalError("A sink that releases itself overrides releaseAfterEnd().") }

    // The lifetime of a segment, for its token.

    /// Stops the segment. Returns `true` only to the caller that stopped it.
    @usableFromInline
    final func stopSegment() -> Bool {
        // Acquiring and releasing: a thread that finds the segment stopped sees everything done before it stopped.
        flags.bitwiseOr(SegmentState.stopped, ordering: .acquiringAndReleasing).oldValue & SegmentState.stopped == 0
    }

    /// Does the same as `stopSegment()`, for a token that overrides `releaseAfterEnd()`.
    // A flag that is set here: a virtual call takes 20 instructions for each end, and setting the flag in each new
    // token takes more than setting it here.
    @usableFromInline
    final func stopReleasingItself() -> Bool {
        // As in `stopSegment()`.
        let flags = flags.bitwiseOr(
            SegmentState.stopped | SegmentState.releasesItself, ordering: .acquiringAndReleasing)
        return flags.oldValue & SegmentState.stopped == 0
    }

    /// Disposes the upstream subscription of a segment that was stopped. Only the first caller disposes it. A
    /// subscription that connects later is disposed immediately.
    // Does not call `disposeUpstream()`: this saves one frame for each of many chained operators that end inside one
    // another.
    @usableFromInline
    final func releaseUpstream() { if claimsUpstream() { upstreamPlace.pointee.take()?.dispose() } }

    /// Does the same as `releaseUpstream()`, but leaves the disposal to the caller.
    final func takeUpstream() -> (any Disposable)? { claimsUpstream() ? upstreamPlace.pointee.take() : nil }

    /// Whether the upstream subscription was released.
    final var isUpstreamReleased: Bool { flags.load(ordering: .relaxed) & SegmentState.released != 0 }

    /// Whether the segment has, or had, an upstream subscription to release.
    final var isUpstreamConnected: Bool { flags.load(ordering: .relaxed) & SegmentState.connected != 0 }

    /// Claims the release of the upstream subscription. Returns `true` for the first caller, if there is a
    /// subscription.
    private final func claimsUpstream() -> Bool {
        // Acquiring: sees the subscription that was connected. Releasing: a later `connect(_:)` sees that it is too
        // late.
        let before = flags.bitwiseOr(SegmentState.released, ordering: .acquiringAndReleasing).oldValue
        return before & SegmentState.released == 0 && before & SegmentState.connected != 0
    }

    /// Connects the subscription stored at `upstreamPlace`, or disposes it.
    @usableFromInline
    final func finishConnecting() { if !markConnected() { disposeUpstream() } }

    /// The address where this segment's upstream subscription is stored. Initialize it before calling
    /// `markConnected()`.
    // By address: an existential argument is unpacked and packed again, with a copy, and swapping one leaves an
    // optional that is destroyed through its type metadata.
    @usableFromInline
    final var upstreamPlace: UnsafeMutablePointer<(any Disposable)?> {
        token._withUnsafeGuaranteedRef { token in
            withUnsafeMutablePointer(to: &token.known(as: TokenSink.self).upstream) { $0 }
        }
    }

    /// Connects the subscription stored at `upstreamPlace`. Returns `false` if the segment has already ended and
    /// released its upstream. In that case the caller must dispose the subscription.
    final func markConnected() -> Bool {
        token._withUnsafeGuaranteedRef { token in
            // Releasing: a later release of the segment sees `upstream`. Acquiring: sees an earlier release.
            let before = token.flags.bitwiseOr(SegmentState.connected, ordering: .acquiringAndReleasing).oldValue
            return before & SegmentState.released == 0
        }
    }

    /// Disposes the subscription stored at `upstreamPlace`, which no other caller takes.
    private final func disposeUpstream() { upstreamPlace.pointee.take()?.dispose() }

    /// Releases the upstream subscription but leaves the segment open. For a source that is finished without ending the
    /// sequence.
    @usableFromInline
    final func disconnectUpstream() {
        token._withUnsafeGuaranteedRef { token in
            // Acquiring: sees the subscription. A later release finds nothing; an earlier release has disposed it.
            let before = token.flags.bitwiseAnd(~SegmentState.connected, ordering: .acquiringAndReleasing).oldValue
            guard before & SegmentState.connected != 0, before & SegmentState.released == 0 else { return }
            token.disposeUpstream()
        }
    }

    /// Ends the segment without an event. If the segment is already ending, its upstream subscription is released now.
    @usableFromInline
    func dispose() {
        let isFirst = stopSegment()
        releaseUpstream()
        if isFirst { didDispose() }
    }

    /// Called once, after `dispose()` has ended the segment.
    @usableFromInline func didDispose() {}

    /// The public completion state of sinks that users see as disposables.
    @usableFromInline var _isFinished: Bool { false }

    /// The address of this segment's flags, for the loop of fused operators.
    @inline(__always)
    final var flagsAddress: UnsafePointer<UInt8> {
        token._withUnsafeGuaranteedRef { token in
            withUnsafePointer(to: token.flags) { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
        }
    }
}

/// A sink that is the token of a separate segment.
@usableFromInline
class TokenSink: Sink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    /// The subscription that feeds this segment.
    // Not declared in `Sink`: operators within a segment have no subscription, and are smaller without space for one.
    @exclusivity(unchecked) fileprivate final var upstream: (any Disposable)?

    @inlinable
    init(token next: @escaping Next) {
        super.init(next: next, token: unsafeBitCast(0, to: Unmanaged<Sink>.self))
        token = Unmanaged.passUnretained(self)
    }
}
