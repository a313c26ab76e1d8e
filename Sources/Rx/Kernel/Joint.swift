import Synchronization

/// Where segments meet: an operator that decides about time or about several sources.
///
/// A joint stands at the upstream end of one segment, `down`, and is fed by one or more others. Each of
/// those has a token of its own, so that ending one input does not end the others. The joint itself is
/// the sink of its *primary* source, if it has one; each further source feeds an `Input`.
///
/// ```text
/// primary source ──▶ Joint ──▶ down ──▶ … ──▶ subscriber
///  second source ──▶ Input ──┘
/// ```
///
/// The subscriber's token keeps the joint, and the joint keeps what is downstream: until the end, or until somebody disposes. It cannot be the
/// sources that keep it: a joint may hold what only its disposal gives back (a timer, the resource of `using`), and a source may
/// be one that keeps nobody (`never`). So a subscription through a joint outlives sources that are dropped without an end.
///
/// Two locks, never held together by us:
/// - `serial` serialises what goes downstream and guards the operator's state. It is held while `down`
///   receives a value, because the grammar of one observer demands that; never while we subscribe,
///   dispose or end.
/// - `membership` guards the list of inputs. Nothing runs under it.
@usableFromInline
class Joint: Sink, @unchecked Sendable {
    // @unchecked: as every sink.
    /// Never cleared, so that an event in flight stays safe whatever is disposed meanwhile.
    @usableFromInline final let down: Sink
    @usableFromInline final let serial = OwnerLock()
    /// Under `serial`: a stop event was chosen; nothing goes downstream any more.
    @exclusivity(unchecked) @usableFromInline final var isFinished = false
    /// The sources that have not completed: the primary one, and those that `sourceOpened()` adds.
    private final let openSources = Atomic<Int>(1)

    /// For joints that subscribe to one source after the other: see `DrainLoop`.
    @usableFromInline final let drain = DrainLoop()

    private let membership = OwnerLock()
    @exclusivity(unchecked) private final var isClosed = false
    /// The primary source has ended, and its end is under way downstream: `didClose()` waits until that is done and the source released.
    @exclusivity(unchecked) private final var isReportingEnd = false
    /// The joint was disposed meanwhile, so that `end` has to call `didClose()`.
    @exclusivity(unchecked) private final var isCloseOwed = false
    @exclusivity(unchecked) private final var firstInput: Input?

    /// - Parameter next: what happens to an element of the primary source.
    @inlinable
    init(next: @escaping Next, down: Sink) {
        self.down = down
        super.init(token: next)
    }

    // MARK: Downstream

    /// Passes a value on, unless a stop event has gone before it.
    @inlinable @inline(__always)
    final func forward<Element>(_ element: inout Element) {
        serial.lock()
        if !isFinished { down.emit(&element) }
        serial.unlock()
    }

    /// Passes a value on without the lock: where at most one source is alive at any moment, so that nothing has to be serialised.
    @inlinable @inline(__always)
    final func forwardUncontended<Element>(_ element: inout Element) { down.emit(&element) }

    /// Ends the sequence, and with it every input. The first call wins.
    @usableFromInline
    final func finish(_ error: (any Error)?) {
        let wins = serial.withLock {
            defer { isFinished = true }
            return !isFinished
        }
        // Outside the lock: whoever holds it has delivered, and nobody will after us.
        if wins { down.end(error) }
    }

    /// Ends the sequence with an error.
    @inlinable @inline(never)
    final func fail(_ error: any Error) { finish(error) }

    /// Completes the sequence.
    @inlinable @inline(never)
    final func complete() { finish(nil) }

    /// One more source has to complete before the joint does.
    @usableFromInline
    final func sourceOpened() { openSources.wrappingAdd(1, ordering: .relaxed) }

    /// A source has completed; the last one completes the joint.
    @usableFromInline
    final func sourceClosed() {
        // Acquiring and releasing: the last one to close comes after everything the others did.
        if openSources.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { complete() }
    }

    /// The usual consequence of a source's end: an error ends the joint, completion counts.
    @usableFromInline
    final func sourceEnded(_ error: (any Error)?) {
        if let error { fail(error) } else { sourceClosed() }
    }

    // MARK: The primary source

    /// What its end leads to.
    @usableFromInline func primaryEnded(_ error: (any Error)?) { sourceEnded(error) }

    /// A source that completes is released before its end has consequences, one that fails after it was reported: the order users of `using` and `do(onDispose:)` see.
    @usableFromInline
    final override func end(_ error: (any Error)?) {
        let claim = stop()
        guard claim.isWon else { return }
        membership.withLock { isReportingEnd = true }
        if error == nil { releaseUpstream(claim) }
        primaryEnded(error)
        if error != nil { releaseUpstream(claim) }
        let closes = membership.withLock {
            defer { isReportingEnd = false; isCloseOwed = false }
            return isCloseOwed
        }
        if closes { didClose() }
    }

    /// Ends the subscription to the primary source alone. Its end has no consequences any more.
    @usableFromInline
    final func disposePrimary() { releaseUpstream(stop()) }

    // MARK: Inputs

    /// Subscribes to one more source, unless the joint was disposed.
    @usableFromInline
    final func subscribe(_ source: ObservableBase, through input: Input) {
        if admit(input) { source.subscribe(sink: input) }
    }

    private func admit(_ input: Input) -> Bool {
        membership.withLock {
            if isClosed { return false }
            input.nextInput = firstInput
            firstInput?.previousInput = Unmanaged.passUnretained(input)
            firstInput = input
            input.isListed = true
            return true
        }
    }

    /// Forgets an input that has ended.
    fileprivate func dismiss(_ input: Input) {
        membership.withLock {
            guard input.isListed else { return }
            input.isListed = false
            let following = input.nextInput
            following?.previousInput = input.previousInput
            if let previous = input.previousInput {
                previous._withUnsafeGuaranteedRef { $0.nextInput = following }
            } else {
                firstInput = following
            }
            input.nextInput = nil
            input.previousInput = nil
        }
    }

    /// Called when the downstream segment ends or is disposed: ends the primary source and every input.
    @usableFromInline
    final override func dispose() {
        super.dispose()
        let closes = membership.withLock {
            defer { isClosed = true }
            if !isClosed, isReportingEnd { isCloseOwed = true }
            return !isClosed && !isReportingEnd
        }
        disposeInputs()
        if closes { didClose() }
    }

    /// Ends every input there is, or all but one, and nothing else, in the order in which they were subscribed. Their ends have no consequences any more.
    @usableFromInline
    final func disposeInputs(except kept: Input? = nil) {
        // Taken off the list in one step: from then on nobody but us follows the chain, whichever of them ends meanwhile.
        var chain = membership.withLock { () -> Input? in
            var chain: Input?
            var listed = firstInput
            firstInput = nil
            while let current = listed {
                listed = current.nextInput
                current.previousInput = nil
                current.nextInput = current === kept ? nil : chain
                if current === kept { firstInput = current } else { chain = current }
                current.isListed = current === kept
            }
            return chain
        }
        while let current = chain {
            chain = current.nextInput
            current.nextInput = nil
            current.dispose()
        }
    }

    /// Called once, when the joint is disposed and its primary source is done with: for timers and whatever else the operator holds.
    @usableFromInline func didClose() {}
}

/// A joint with state of its own for each subscription. The state is guarded by `serial`.
///
/// It may be noncopyable, such as one that has a timer.
@usableFromInline
final class StatefulJoint<State: ~Copyable>: Joint, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline typealias End = (StatefulJoint<State>, (any Error)?) -> Void
    @usableFromInline typealias Close = (StatefulJoint<State>) -> Void

    @exclusivity(unchecked) @usableFromInline var state: State
    @usableFromInline let onEnd: End?
    @usableFromInline let onClose: Close?

    @inlinable
    init(next: @escaping Next, down: Sink, state: consuming State, onEnd: End?, onClose: Close?) {
        self.state = state
        self.onEnd = onEnd
        self.onClose = onClose
        super.init(next: next, down: down)
    }

    @usableFromInline
    override func primaryEnded(_ error: (any Error)?) {
        if let onEnd { onEnd(self, error) } else { sourceEnded(error) }
    }

    @usableFromInline
    override func didClose() { onClose?(self) }
}

/// The sink of one further source of a joint.
@usableFromInline
final class Input: Sink, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline typealias End = (Input, (any Error)?) -> Void

    /// Never cleared: as `Joint.down`.
    @usableFromInline let joint: Joint
    /// Which of the joint's sources this is, where they are numbered.
    @usableFromInline let index: Int
    @usableFromInline let onEnd: End?

    // The joint's list of inputs, under its `membership`.
    @exclusivity(unchecked) fileprivate var nextInput: Input?
    @exclusivity(unchecked) fileprivate var previousInput: Unmanaged<Input>?
    @exclusivity(unchecked) fileprivate var isListed = false

    /// Set while the source's end is under way and the source not released. Only who ended the input touches it.
    @exclusivity(unchecked) private var claim: StopClaim?

    /// - Parameters:
    ///   - next: what happens to an element of the source.
    ///   - onEnd: what its end leads to; by then the joint has forgotten the input if it completed, and if it failed, forgets it afterwards or
    ///     when `leave()` is called. Without it, an error ends the joint and completion counts (`sourceEnded`).
    @inlinable
    init(next: @escaping Next, joint: Joint, index: Int = 0, onEnd: End? = nil) {
        self.joint = joint
        self.index = index
        self.onEnd = onEnd
        super.init(token: next)
        countAsInput(of: joint)
    }

    @usableFromInline
    override func end(_ error: (any Error)?) {
        let claim = stop()
        guard claim.isWon else { return }
        self.claim = claim
        if error == nil { leave() }
        if let onEnd { onEnd(self, error) } else { joint.sourceEnded(error) }
        leave()
    }

    /// For `onEnd`: releases the source, where its error is not reported but leads to another attempt, which is not to overlap with this one.
    @usableFromInline
    func leave() {
        guard let claim else { return }
        self.claim = nil
        joint.dismiss(self)
        releaseUpstream(claim)
    }

    @usableFromInline
    override func didDispose() { joint.dismiss(self) }
}
