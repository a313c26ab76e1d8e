import Synchronization

/// Where segments meet: an operator that decides about time or about several sources.
///
/// A coordinator stands at the upstream end of one segment, `down`, and is fed by one or more others. Each of
/// those has a token of its own, so that ending one input does not end the others. The coordinator itself is
/// the sink of its *primary* source, if it has one; each further source feeds an `Input`.
///
/// ```text
/// primary source ──▶ Coordinator ──▶ down ──▶ … ──▶ subscriber
///  second source ──▶ Input ──┘
/// ```
///
/// The subscriber's token keeps the coordinator, and the coordinator keeps what is downstream: until the end, or until
/// somebody disposes. It cannot be the sources that keep it: a coordinator may hold what only its disposal gives back
/// (a timer, the resource of `using`), and a source may be one that keeps nobody (`never`). So a subscription through a
/// coordinator outlives sources that are dropped without an end.
///
/// Two locks, never held together by us:
/// - `serial` serialises what goes downstream and guards the operator's state. It is held while `down`
///   receives a value, because the grammar of one observer demands that; never while we subscribe,
///   dispose or end.
/// - `membership` guards the list of inputs. Nothing runs under it.
@usableFromInline
class Coordinator: TokenSink, @unchecked Sendable {
    // @unchecked: as every sink.
    /// Never cleared, so that an event in flight stays safe when anything is disposed meanwhile.
    @usableFromInline final let down: Sink
    @usableFromInline final let serial = HomeLock()
    /// Under `serial`: a stop event was chosen; nothing goes downstream any more.
    @exclusivity(unchecked) @usableFromInline final var isFinished = false
    /// The sources that have not completed: the primary one, and those that `sourceOpened()` adds.
    private final let openSources = Atomic<Int>(1)

    /// For coordinators that subscribe to one source after the other: see `DrainLoop`.
    @usableFromInline final let drain = DrainLoop()

    private let membership = OwnerLock()
    @exclusivity(unchecked) private final var phase = Phase.open
    /// The inputs that are listed, each with a reference; the newest comes first. Empty when this goes, as each of them
    /// keeps it.
    // By hand: the compiler retains each of them several times on the way.
    @exclusivity(unchecked) private final var firstInput: Unmanaged<Input>?

    /// How far the life of a coordinator has come, under `membership`.
    ///
    /// ```text
    /// open ──the primary source ends──▶ releasing ──it is released──▶ open
    ///   │                                  │
    /// dispose()                         dispose()
    ///   ▼                                  ▼
    /// closed: didClose()                closed, releasing ──it is released──▶ closed: didClose()
    /// ```
    ///
    /// So `didClose()` is called once, and never while the primary source is being released on another thread.
    private struct Phase {
        var isReleasing: Bool
        var isClosed: Bool

        static var open: Phase { Phase(isReleasing: false, isClosed: false) }
    }

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

    /// Passes a value on without the lock: where at most one source is alive at any moment, so that nothing has to be
    /// serialised.
    @inlinable @inline(__always)
    final func forwardUncontended<Element>(_ element: inout Element) { down.emit(&element) }

    /// Ends the sequence, and then releases every source. The first call wins.
    @usableFromInline
    final func finish(_ error: (any Error)?) {
        // Outside the lock: its holder has delivered, and nobody will after us.
        guard claimFinish() else { return }
        // As `Sink.end`, without its frame: see `endOnce`.
        down.receiveEnd(error)
        down.letGo()
    }

    /// As `finish`, for an operator that has more to do before the sources are released: see `Sink.tell`.
    @usableFromInline
    final func finishTelling(_ error: (any Error)?) {
        if claimFinish() { down.tell(error) }
    }

    private final func claimFinish() -> Bool {
        serial.withLock {
            defer { isFinished = true }
            return !isFinished
        }
    }

    /// Ends the sequence with an error.
    @inlinable @inline(never)
    final func fail(_ error: any Error) { finish(error) }

    /// Completes the sequence.
    @inlinable @inline(never)
    final func complete() { finish(nil) }

    /// One more source has to complete before the coordinator does.
    @usableFromInline
    final func sourceOpened() { openSources.wrappingAdd(1, ordering: .relaxed) }

    /// A source has completed; the last one completes the coordinator.
    @usableFromInline
    final func sourceClosed() {
        // Acquiring and releasing: the last one to close comes after everything the others did.
        if openSources.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { complete() }
    }

    /// The usual consequence of a source's end: an error ends the coordinator, completion counts.
    @usableFromInline
    final func sourceEnded(_ error: (any Error)?) {
        if let error { finish(error) } else { sourceClosed() }
    }

    // MARK: The primary source

    /// Called once with its end.
    @usableFromInline func primaryEnded(_ error: (any Error)?) { sourceEnded(error) }

    /// Reports the end. What has ended the primary source releases it after that, with `letGo()`.
    @usableFromInline
    final override func receiveEnd(_ error: (any Error)?) {
        if stopReleasingItself() { primaryEnded(error) }
    }

    @usableFromInline
    final override func releaseAfterEnd() {
        if !isReleased { releasePrimary() }
    }

    /// Releases the primary source, which has ended, unless that was done.
    final func releasePrimary() {
        let isClosed = membership.withLock {
            phase.isReleasing = !phase.isClosed
            return phase.isClosed
        }
        // The one that has closed the coordinator has released the source, or does so now.
        if isClosed { return }
        releaseUpstream()
        let closes = membership.withLock {
            phase.isReleasing = false
            return phase.isClosed
        }
        if closes { didClose() }
    }

    /// Ends the subscription to the primary source alone. Its end has no consequences any more.
    @usableFromInline
    final func disposePrimary() {
        _ = stopReleasingItself()
        releaseUpstream()
    }

    // MARK: Inputs

    /// Subscribes to one more source, unless the coordinator was disposed.
    @usableFromInline
    final func subscribe(_ source: ObservableBase, through input: consuming Input) {
        if admit(input) { source.subscribe(sink: consume input) }
    }

    /// Lists an input, so that it ends with the coordinator, unless that was disposed.
    @usableFromInline
    final func admit(_ input: Input) -> Bool {
        membership.lock()
        defer { membership.unlock() }
        if phase.isClosed { return false }
        let admitted = Unmanaged.passRetained(input)
        input.nextInput = firstInput
        firstInput?._withUnsafeGuaranteedRef { $0.previousInput = admitted }
        firstInput = admitted
        input.isListed = true
        return true
    }

    /// Forgets an input that has ended.
    fileprivate func dismiss(_ input: Input) {
        let wasListed = membership.withLock {
            guard input.isListed else { return false }
            input.isListed = false
            let (previous, following) = (input.previousInput, input.nextInput)
            following?._withUnsafeGuaranteedRef { $0.previousInput = previous }
            if let previous {
                previous._withUnsafeGuaranteedRef { $0.nextInput = following }
            } else {
                firstInput = following
            }
            input.nextInput = nil
            input.previousInput = nil
            return true
        }
        if wasListed { Unmanaged.passUnretained(input).release() }
    }

    /// Called once the downstream segment has ended or is disposed: ends the primary source, then every input.
    @usableFromInline
    final override func dispose() {
        _ = stopReleasingItself()
        let before = membership.withLock {
            defer { phase.isClosed = true }
            return phase
        }
        if before.isClosed { return }
        releaseUpstream()
        disposeInputs()
        if !before.isReleasing { didClose() }
    }

    /// Ends every input there is, or all but one, and nothing else, in the order in which they were subscribed,
    /// `Input.last` at the end. Their ends have no consequences any more.
    @usableFromInline
    final func disposeInputs(except kept: Input? = nil) {
        // Taken off the list in one step: from then on nobody but us follows the chain, whichever of them ends
        // meanwhile.
        let (listed, last) = membership.withLock { () -> (Unmanaged<Input>?, Unmanaged<Input>?) in
            var chain: Unmanaged<Input>?
            var last: Unmanaged<Input>?
            var listed = firstInput
            firstInput = nil
            while let current = listed {
                current._withUnsafeGuaranteedRef { input in
                    listed = input.nextInput
                    input.previousInput = nil
                    input.isListed = input === kept
                    if input === kept {
                        input.nextInput = nil
                        firstInput = current
                    } else if input.index == Input.last {
                        input.nextInput = nil
                        last = current
                    } else {
                        input.nextInput = chain
                        chain = current
                    }
                }
            }
            return (chain, last)
        }
        var chain = listed
        while let current = chain {
            current._withUnsafeGuaranteedRef { input in
                chain = input.nextInput
                input.nextInput = nil
                input.dispose()
            }
            current.release()
        }
        last?._withUnsafeGuaranteedRef { $0.dispose() }
        last?.release()
    }

    /// Called once, when the coordinator is disposed and its primary source is done with: for timers and what else the
    /// operator holds.
    @usableFromInline func didClose() {}
}

/// A coordinator with state of its own for each subscription. The state is guarded by `serial`.
///
/// It may be noncopyable, such as one that has a timer.
@usableFromInline
final class StatefulCoordinator<State: ~Copyable>: Coordinator, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline typealias End = (StatefulCoordinator<State>, (any Error)?) -> Void
    @usableFromInline typealias Close = (StatefulCoordinator<State>) -> Void

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

/// A sink that feeds a coordinator.
// A class of its own: see `EndingSink`.
@usableFromInline
class FeedingSink: TokenSink, @unchecked Sendable {
    // @unchecked: as every sink.
    /// Never cleared: as `Coordinator.down`.
    @usableFromInline final let coordinator: Coordinator

    @inlinable
    init(next: @escaping Next, coordinator: Coordinator) {
        self.coordinator = coordinator
        super.init(token: next)
    }
}

/// The sink of one further source of a coordinator.
@usableFromInline
final class Input: FeedingSink, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline typealias End = (Input, (any Error)?) -> Void

    /// Which of the coordinator's sources this is, where they are numbered.
    @usableFromInline let index: Int
    @usableFromInline let onEnd: End?

    // The coordinator's list of inputs, under its `membership`.
    @exclusivity(unchecked) fileprivate var nextInput: Unmanaged<Input>?
    @exclusivity(unchecked) fileprivate var previousInput: Unmanaged<Input>?
    @exclusivity(unchecked) fileprivate var isListed = false
    /// Whether the source stays after its end, until the coordinator releases it. Set by `onEnd`.
    @exclusivity(unchecked) final var isHeld = false

    /// The index of an input that is to be disposed after all others.
    @usableFromInline static var last: Int { -1 }

    /// - Parameters:
    ///   - next: what happens to an element of the source.
    ///   - onEnd: what its end leads to; afterwards the source is released, if `onEnd` has not done so with
    ///     `releaseUpstream()`, and the input forgotten. Without it, an error ends the coordinator, and completion
    ///     counts (`sourceEnded`).
    @inlinable
    init(next: @escaping Next, coordinator: Coordinator, index: Int = 0, onEnd: End? = nil) {
        self.index = index
        self.onEnd = onEnd
        super.init(next: next, coordinator: coordinator)
        countAsInput(of: coordinator)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stopReleasingItself() else { return }
        if let onEnd { onEnd(self, error) } else { coordinator.sourceEnded(error) }
    }

    @usableFromInline
    override func releaseAfterEnd() { if !isHeld { release() } }

    /// Forgets the input, which has ended, and releases its source.
    final func release() {
        coordinator.dismiss(self)
        releaseUpstream()
    }

    /// The `onEnd` of one of several sources at the same time: one that has completed is released before that counts,
    /// as in RxSwift.
    @usableFromInline
    static func mergedSourceEnded(_ input: Input, _ error: (any Error)?) {
        if error == nil { input.releaseUpstream() }
        input.coordinator.sourceEnded(error)
    }

    @usableFromInline
    override func didDispose() { coordinator.dismiss(self) }
}
