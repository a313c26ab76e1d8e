import Synchronization

/// A receiver of events, and the kernel's unit of work.
///
/// Sinks form a chain from the source down to the subscriber. A series of operators that needs no
/// decision about time or about other sources is a *segment*; the sink at its downstream end is the
/// segment's *token*. The token's flags are the only atomic of the segment: operators read it relaxed,
/// ending it is one read-modify-write, and the winner disposes what lies upstream.
///
/// ```text
/// source → [map → filter → subscriber]            one segment, the subscriber is its token
/// source → [map → merge's input] merge → [take → subscriber]
/// ```
///
/// Why it looks like this. A call through the vtable of a generic class runs unspecialised code (value witnesses,
/// temporaries, reabstraction), which takes more than three times as long. So a sink is not generic; each operator
/// forms one closure, `next`, where the caller's types are concrete, and the sink calls that with the address of the
/// value. The end of a sequence is an ordinary virtual call: it happens once.
@usableFromInline
class Sink: Disposable, @unchecked Sendable {
    // @unchecked: `flags` decide which thread disposes, and events come one at a time; a coordinator's state has a
    // lock.

    /// Delivers the value at the address to the sink, whose segment has not ended. The callee may change the value; the
    /// caller destroys it.
    // The address comes first, so that a user's closure can stand here as it is: see `Subscriber.next(calling:)`.
    @usableFromInline typealias Next = (UnsafeMutableRawPointer, Sink) -> Void

    /// The state of a segment: bits in its token's `flags`, which two sides set independently of each other.
    ///
    /// ```text
    /// events     open ──claimEnd()──▶ ending ──stop()──▶ stopped           a source that is sure of its end,
    ///              └──────────────────stop()────────────────▲              and dispose(), go straight there
    ///
    /// upstream   none ──connect(_:)──▶ connected ──takeUpstream()──▶ connected, released    disposed by the taker
    ///              │ ◀──disconnect()──────┘
    ///              └──takeUpstream()──▶ released ──connect(_:)──▶ connected, released       disposed by the connecter
    /// ```
    ///
    /// A bit is set by one read-modify-write, whose old value says which caller was first. An end goes: `ending`,
    /// `stopped`, the observer is told, `released`.
    @usableFromInline
    enum SegmentState {
        /// Ended or disposed: nothing is delivered any more.
        @inlinable static var stopped: UInt8 { 1 }
        /// `upstream` is set.
        @inlinable static var connected: UInt8 { 2 }
        /// A stop event was accepted at the source; later ones are refused.
        @inlinable static var ending: UInt8 { 4 }
        /// Its feed was let go of, or will be as soon as it connects.
        @inlinable static var released: UInt8 { 8 }
        /// Stopped, and the token has a way of its own to release what feeds it after an end.
        @inlinable static var releasesItself: UInt8 { 16 }
        /// Either of these: a source that may send after its end is refused.
        @inlinable static var refusing: UInt8 { ending | stopped }
    }

    @usableFromInline final let next: Next
    /// The downstream end of this segment: itself for a token. Unowned, because `down` keeps it alive.
    @exclusivity(unchecked) @usableFromInline final var token: Unmanaged<Sink>
    @usableFromInline final let flags = Atomic<UInt8>(0)

    /// A sink within the segment of `down`.
    @inlinable
    init(next: @escaping Next, segmentOf down: Sink) {
        self.next = next
        token = down.token
    }

    /// For a token: see `TokenSink`.
    @inlinable
    init(next: @escaping Next, token: Unmanaged<Sink>) {
        self.next = next
        self.token = token
    }

    #if TRACE_RESOURCES
        /// The tag that it leaves the counts by, once its maker has said what it is counted as: see
        /// `Resources.swift`.
        // Beside the flags, where it takes no room of its own.
        @exclusivity(unchecked) @usableFromInline final var tag: UInt32 = 0

        deinit { Resources.gone(tag) }
    #endif

    // MARK: Events

    /// Delivers a value, unless the segment has ended. The callee may change it.
    // Inlined, so that the closure's context is borrowed from `self`: a call through the field itself retains it.
    @inlinable @inline(__always)
    final func emit<Element>(_ element: inout Element) {
        if isStopped { return }
        // Unprotected: the address goes no further than the callee, and the public form adds a stack canary.
        _withUnprotectedUnsafeMutablePointer(to: &element) { next(UnsafeMutableRawPointer($0), self) }
    }

    /// Delivers the value at an address, unless the segment has ended: for code to which the type does not matter.
    @inlinable @inline(__always)
    final func emit(at address: UnsafeMutableRawPointer) {
        if isStopped { return }
        next(address, self)
    }

    /// Delivers a value unless the segment has ended or a stop event was accepted: for sources that cannot rule out
    /// values after it, such as one that sends from inside its own end.
    @inlinable @inline(__always)
    final func emitBeforeEnd<Element>(_ element: inout Element) {
        if token._withUnsafeGuaranteedRef({ $0.flags.load(ordering: .relaxed) }) & SegmentState.refusing != 0 { return }
        _withUnprotectedUnsafeMutablePointer(to: &element) { next(UnsafeMutableRawPointer($0), self) }
    }

    /// Whether this segment has ended. Asked before each delivery and end.
    @inlinable @inline(__always)
    final var isStopped: Bool {
        token._withUnsafeGuaranteedRef { $0.flags.load(ordering: .relaxed) & SegmentState.stopped != 0 }
    }

    /// Ends the sequence, with an error or completed, and then lets go of what feeds the segment. Called by what
    /// decides on the end: a source, a coordinator or an operator within the segment. Callers ask `isStopped` first.
    @usableFromInline
    final func end(_ error: (any Error)?) {
        receiveEnd(error)
        letGo()
    }

    /// Takes the end of the sequence. Operators within a segment pass it on; the segment's token tells its observer and
    /// leaves the source to the caller.
    @usableFromInline
    func receiveEnd(_ error: (any Error)?) { fatalError("A sink overrides receiveEnd(_:).") }

    /// As `end`, for an operator that has more to do before the source is released: where nothing stands between it and
    /// the segment's end, the source stays until `letGo()` is called.
    @usableFromInline
    final func tell(_ error: (any Error)?) {
        if token.toOpaque() == Unmanaged.passUnretained(self).toOpaque() { receiveEnd(error) } else { end(error) }
    }

    /// Lets go of what feeds the segment, if that has ended.
    @usableFromInline
    final func letGo() {
        token._withUnsafeGuaranteedRef {
            let flags = $0.flags.load(ordering: .relaxed)
            if flags & SegmentState.stopped == 0 { return }
            if flags & SegmentState.releasesItself == 0 { $0.releaseUpstream() } else { $0.releaseAfterEnd() }
        }
    }

    /// Releases what feeds the segment, whose end was reported: for tokens that release it themselves.
    @usableFromInline
    func releaseAfterEnd() { fatalError("A sink that releases itself overrides releaseAfterEnd().") }

    /// Ends unless a stop event was accepted before: for sources that cannot rule out two of them, also on two threads.
    @usableFromInline
    final func endOnce(_ error: (any Error)?) {
        guard claimEnd() else { return }
        // The two lines of `end(_:)`, not a call of it: many chained operators may end inside one another, and a frame
        // for each would take twice the stack. `Coordinator.finish(_:)` repeats them for the same reason.
        receiveEnd(error)
        letGo()
    }

    /// Returns `true` for the one caller that may send the stop event, and what belongs right before it.
    @usableFromInline
    func claimEnd() -> Bool {
        let before = token._withUnsafeGuaranteedRef {
            $0.flags.bitwiseOr(SegmentState.ending, ordering: .relaxed).oldValue
        }
        return before & SegmentState.refusing == 0
    }

    /// Where the flags of this segment lie, for the loop of fused operators.
    @inline(__always)
    final var flagsAddress: UnsafePointer<UInt8> {
        token._withUnsafeGuaranteedRef { token in
            withUnsafePointer(to: token.flags) { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
        }
    }

    // MARK: The segment's life (tokens only)

    /// Stops the segment. Returns `true` for the one caller that did it.
    @usableFromInline
    final func stop() -> Bool {
        // Acquiring and releasing: what was done before the segment stopped is seen by a thread that finds it stopped.
        flags.bitwiseOr(SegmentState.stopped, ordering: .acquiringAndReleasing).oldValue & SegmentState.stopped == 0
    }

    /// As `stop()`, for a token that overrides `releaseAfterEnd()`.
    // A flag, and set here: a virtual call for each end takes 20 instructions, to set it for each new token more.
    @usableFromInline
    final func stopReleasingItself() -> Bool {
        // As in `stop()`.
        let flags = flags.bitwiseOr(
            SegmentState.stopped | SegmentState.releasesItself, ordering: .acquiringAndReleasing)
        return flags.oldValue & SegmentState.stopped == 0
    }

    /// Disposes what feeds the segment, which was stopped: once, by the first caller. What connects later is disposed
    /// at once.
    // Not by `disposeUpstream()`: one frame less for each of many chained operators that end inside one another.
    @usableFromInline
    final func releaseUpstream() { if claimsUpstream() { upstreamPlace.pointee.take()?.dispose() } }

    /// As `releaseUpstream()`, but leaves the disposal to the caller.
    final func takeUpstream() -> (any Disposable)? { claimsUpstream() ? upstreamPlace.pointee.take() : nil }

    /// Whether what feeds the segment was released.
    final var isReleased: Bool { flags.load(ordering: .relaxed) & SegmentState.released != 0 }

    /// Whether something feeds the segment that it can release, or did.
    final var isConnected: Bool { flags.load(ordering: .relaxed) & SegmentState.connected != 0 }

    /// Lets go of what feeds the segment. Returns `true` for the first caller, if there is something.
    private final func claimsUpstream() -> Bool {
        // Acquiring: sees the upstream that was connected. Releasing: a later connect sees that it comes too late.
        let before = flags.bitwiseOr(SegmentState.released, ordering: .acquiringAndReleasing).oldValue
        return before & SegmentState.released == 0 && before & SegmentState.connected != 0
    }

    /// Sets what feeds this sink's segment: once, by the source or coordinator at its upstream end. Disposed at once if
    /// the segment has ended and let go already.
    @inlinable @inline(__always)
    final func connect(_ subscription: consuming any Disposable) {
        assert(upstreamPlace.pointee == nil, "A segment is connected once.")
        upstreamPlace.initialize(to: subscription)
        finishConnecting()
    }

    /// Has the segment fed by what lies at `upstreamPlace`, or disposes that.
    @usableFromInline
    final func finishConnecting() { if !markConnected() { disposeUpstream() } }

    /// Where what feeds this sink's segment lies: to be initialized before `markConnected()`.
    // By address: an existential argument is unpacked and packed again, with a copy, and one that is swapped leaves an
    // optional behind that is destroyed by way of its type.
    @usableFromInline
    final var upstreamPlace: UnsafeMutablePointer<(any Disposable)?> {
        token._withUnsafeGuaranteedRef { token in
            withUnsafeMutablePointer(to: &token.known(as: TokenSink.self).upstream) { $0 }
        }
    }

    /// Has the segment fed by what lies at `upstreamPlace`. Returns `false` if it has ended and let go already: then
    /// that is the caller's to dispose.
    final func markConnected() -> Bool {
        token._withUnsafeGuaranteedRef { token in
            // Releasing: a later release of the segment sees `upstream`. Acquiring: sees that it was released already.
            let before = token.flags.bitwiseOr(SegmentState.connected, ordering: .acquiringAndReleasing).oldValue
            return before & SegmentState.released == 0
        }
    }

    /// Disposes what lies at `upstreamPlace`, which nobody else takes.
    private final func disposeUpstream() { upstreamPlace.pointee.take()?.dispose() }

    /// Sets what a function of the user's has returned for disposal, unless there is nothing to dispose.
    @inlinable
    final func connect(returned subscription: any Disposable) {
        if !(subscription is NopDisposable) { connect(subscription) }
    }

    /// Lets go of what feeds this sink's segment, which stays open: for a source that is over without an end.
    @usableFromInline
    final func disconnect() {
        token._withUnsafeGuaranteedRef { token in
            // Acquiring: sees the upstream. A later release finds nothing; an earlier one has disposed it.
            let before = token.flags.bitwiseAnd(~SegmentState.connected, ordering: .acquiringAndReleasing).oldValue
            guard before & SegmentState.connected != 0, before & SegmentState.released == 0 else { return }
            token.disposeUpstream()
        }
    }

    /// Ends the segment without an event; one whose end is under way lets go of what feeds it now.
    @usableFromInline
    func dispose() {
        let isFirst = stop()
        releaseUpstream()
        if isFirst { didDispose() }
    }

    /// For those sinks that users see as disposables.
    @usableFromInline var _isFinished: Bool { false }

    /// Called once after `dispose()` has ended the segment.
    @usableFromInline func didDispose() {}
}

/// A sink that is the token of a segment of its own.
@usableFromInline
class TokenSink: Sink, @unchecked Sendable {
    // @unchecked: as every sink.
    /// The subscription that feeds this segment.
    // Not in every sink: operators within a segment have none, and are smaller without the room for one.
    @exclusivity(unchecked) fileprivate final var upstream: (any Disposable)?

    @inlinable
    init(token next: @escaping Next) {
        super.init(next: next, token: unsafeBitCast(0, to: Unmanaged<Sink>.self))
        token = Unmanaged.passUnretained(self)
    }
}
