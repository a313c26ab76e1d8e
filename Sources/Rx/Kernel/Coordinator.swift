import Synchronization

/// The point where segments meet: an operator that makes a decision about time or about several sources.
///
/// A coordinator is at the upstream end of one segment, `down`, and one or more other segments feed it. Each of those
/// segments has a separate token, so that ending one input does not end the others. The coordinator itself is the sink
/// of its *primary* source, if it has one. Each further source feeds an `Input`.
///
/// ```text
/// primary source ──▶ Coordinator ──▶ down ──▶ … ──▶ subscriber
///  second source ──▶ Input ──┘
/// ```
///
/// The subscriber's token keeps the coordinator alive, and the coordinator keeps the downstream sinks alive, until the
/// sequence ends or is disposed. The sources cannot keep the coordinator alive: a coordinator may hold something that
/// only its disposal releases (a timer, the resource of `using`), and a source may not retain its observers (`never`).
/// So a subscription through a coordinator outlives sources that are dropped without an end.
///
/// There are two locks, which our code never holds at the same time:
/// - `serial` serialises the events that go downstream, and guards the operator's state. It is held while `down`
///   receives a value, because the grammar of one observer requires that. It is never held while we subscribe, dispose
///   or end.
/// - `membership` guards the list of inputs. No other code runs under it.
@usableFromInline
class Coordinator: TokenSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    /// Never cleared, so that an event in flight stays safe when a subscription is disposed at the same time.
    @usableFromInline final let down: Sink
    @usableFromInline final let serial = BiasedLock()
    /// Whether a stop event was chosen, so that no further events go downstream. Guarded by `serial`.
    @exclusivity(unchecked) @usableFromInline final var isFinished = false
    /// The number of sources that have not completed: the primary source, and the sources that `openSource()` adds.
    private final let openSources = Atomic<Int>(1)

    /// For coordinators that subscribe to one source after another: see `DrainLoop`.
    @usableFromInline final let drain = DrainLoop()

    private let membership = OwnerLock()
    @exclusivity(unchecked) private final var phase = Phase.open
    /// The head of the list of inputs, newest first. The list owns a reference to each input. The list is empty when
    /// the coordinator is deallocated, because each input keeps the coordinator alive.
    // Managed manually: the compiler would retain each input several times during traversal.
    @exclusivity(unchecked) private final var firstInput: Unmanaged<Input>?

    /// The phases of a coordinator's lifetime, guarded by `membership`.
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

    /// - Parameter next: handles an element of the primary source.
    @inlinable
    init(next: @escaping Next, down: Sink) {
        self.down = down
        super.init(token: next)
    }

    // MARK: For operators: send

    /// Sends a value downstream, unless the sequence has ended. Takes the lock.
    @inlinable @inline(__always)
    final func send<Element>(_ element: inout Element) {
        serial.lock()
        sendLocked(&element)
        serial.unlock()
    }

    /// Does the same as `send`, for a caller that holds the lock.
    @inlinable @inline(__always)
    final func sendLocked<Element>(_ element: inout Element) {
        if !isFinished { down.emit(&element) }
    }

    /// Does the same as `send`, without the lock, where no other source can send or finish at the same time: at most
    /// one source is active, or the caller holds the lock and has checked `isFinished`.
    @inlinable @inline(__always)
    final func sendUncontended<Element>(_ element: inout Element) { down.emit(&element) }

    // MARK: For operators: finish

    /// Ends the sequence, by completing it or with an error, and then releases every source. Only the first call has an
    /// effect. The caller does not hold the lock.
    @usableFromInline
    final func finish(_ error: (any Error)?) {
        // Outside the lock: its previous holder has delivered its event, and no thread delivers after us.
        guard claimFinish() else { return }
        // Does the same as `Sink.emitEnd` without its frame: see `emitEndOnce`.
        down.receiveEnd(error)
        down.releaseUpstreamIfEnded()
    }

    // Separate from the form above, and not inlined: most operators have several calls, and completion takes fewer
    // instructions if the error is known to be `nil`.

    /// Completes the sequence.
    @inlinable @inline(never)
    final func finish() { finish(nil) }

    /// Ends the sequence with an error.
    @inlinable @inline(never)
    final func finish(_ error: any Error) { finish(Optional(error)) }

    /// Adds one source that has to complete before the sequence completes. The primary source is already counted.
    @usableFromInline
    final func openSource() { openSources.wrappingAdd(1, ordering: .relaxed) }

    /// Counts one completed source. The last one finishes the sequence.
    @usableFromInline
    final func finishSource() {
        // Acquiring and releasing: everything the other sources did happens before the last one completes.
        if openSources.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { finish() }
    }

    /// Handles the end of a source in the default way: an error finishes the sequence, and completion counts as one
    /// completed source.
    @usableFromInline
    final func finishSource(_ error: (any Error)?) {
        // The optional is passed on. The form for an error that is known would be one more frame for each chained
        // operator that ends inside another.
        if error != nil { finish(error) } else { finishSource() }
    }

    // MARK: For operators: subscribe

    /// Subscribes `input` to one more source, unless the coordinator was disposed.
    @usableFromInline
    final func subscribe(to source: ObservableBase, through input: consuming Input) {
        if admitInput(input) { source.subscribe(sink: consume input) }
    }

    /// Subscribes to `other` and passes each of its elements to `next`. Its completion has no effect. Its error
    /// finishes the sequence.
    @inlinable @inline(__always)
    final func subscribe(to other: ObservableBase, _ next: @escaping Next) {
        subscribe(
            to: other,
            through: Input(next: next, coordinator: self) { input, error in
                if let error { input.coordinator.finish(error) }
            })
    }

    /// Subscribes to the primary source. For an operator that decides itself when to subscribe to it: see
    /// `Observable.coordinate`.
    @inlinable @inline(__always)
    final func subscribe(toPrimary source: ObservableBase) { source.attach(self) }

    // MARK: For operators: release

    /// Releases the primary source, which has ended, unless it was already released.
    final func releasePrimary() {
        let isClosed = membership.withLock {
            phase.isReleasing = !phase.isClosed
            return phase.isClosed
        }
        // The thread that closed the coordinator has released the source, or releases it now.
        if isClosed { return }
        releaseUpstream()
        let closes = membership.withLock {
            phase.isReleasing = false
            return phase.isClosed
        }
        if closes { didClose() }
    }

    /// Ends only the subscription to the primary source. Its end then has no effect.
    @usableFromInline
    final func disposePrimary() {
        _ = stopReleasingItself()
        releaseUpstream()
    }

    /// Ends every input except `kept`, in the order in which they were subscribed, with `Input.last` at the end. Their
    /// ends then have no effect. Does nothing else.
    @usableFromInline
    final func disposeInputs(except kept: Input? = nil) {
        // The inputs are taken off the list in one step. After that, no other thread follows the chain, even if one of
        // the inputs ends at the same time.
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

    /// Disposes every source but leaves the sequence open. It delivers nothing more, and does not end.
    @usableFromInline
    final func disposeSources() { down.disconnectUpstream() }

    // MARK: Kernel-internal

    /// Does the same as `finish`, for an operator that has more work to do before the sources are released: see
    /// `Sink.deliverEnd`.
    @usableFromInline
    final func deliverFinish(_ error: (any Error)?) {
        if claimFinish() { down.deliverEnd(error) }
    }

    private final func claimFinish() -> Bool {
        serial.withLock {
            defer { isFinished = true }
            return !isFinished
        }
    }

    /// Called once with the end of the primary source.
    @usableFromInline func primaryEnded(_ error: (any Error)?) { finishSource(error) }

    /// Reports the end. The sink that ended the primary source releases it afterwards, with `releaseUpstreamIfEnded()`.
    @usableFromInline
    final override func receiveEnd(_ error: (any Error)?) {
        if stopReleasingItself() { primaryEnded(error) }
    }

    @usableFromInline
    final override func releaseAfterEnd() {
        if !isUpstreamReleased { releasePrimary() }
    }

    /// Adds an input to the list, so that it ends with the coordinator. Returns `false` if the coordinator was
    /// disposed.
    @usableFromInline
    final func admitInput(_ input: Input) -> Bool {
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

    /// Removes an input that has ended from the list.
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

    /// Called once, when the downstream segment has ended or is disposed. Ends the primary source and then every input.
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

    /// Called once, when the coordinator is disposed and its primary source is released. Releases timers and the
    /// operator's other resources.
    @usableFromInline func didClose() {}
}

/// A coordinator with separate state for each subscription. The state is guarded by `serial`.
///
/// The state may be noncopyable, for example state that contains a timer.
@usableFromInline
final class StatefulCoordinator<State: ~Copyable>: Coordinator, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
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
        if let onEnd { onEnd(self, error) } else { finishSource(error) }
    }

    @usableFromInline
    override func didClose() { onClose?(self) }
}

/// A sink that feeds a coordinator.
// A separate class: see `EndingSink`.
@usableFromInline
class FeedingSink: TokenSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    /// Never cleared, for the same reason as `Coordinator.down`.
    @usableFromInline final let coordinator: Coordinator

    @inlinable
    init(next: @escaping Next, coordinator: Coordinator) {
        self.coordinator = coordinator
        super.init(token: next)
    }
}

/// The sink of one additional source of a coordinator.
@usableFromInline
final class Input: FeedingSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    @usableFromInline typealias End = (Input, (any Error)?) -> Void

    /// The index of the source, for coordinators that number their sources.
    @usableFromInline let index: Int
    @usableFromInline let onEnd: End?

    // The links of the coordinator's list of inputs, guarded by its `membership`.
    @exclusivity(unchecked) fileprivate var nextInput: Unmanaged<Input>?
    @exclusivity(unchecked) fileprivate var previousInput: Unmanaged<Input>?
    @exclusivity(unchecked) fileprivate var isListed = false
    /// Whether the source is kept after its end until the coordinator releases it. Set by `onEnd`.
    @exclusivity(unchecked) final var isHeld = false

    /// The index of an input that is disposed after all others.
    @usableFromInline static var last: Int { -1 }

    /// - Parameters:
    ///   - next: handles an element of the source.
    ///   - onEnd: handles the end of the source. Afterwards the source is released, if `onEnd` has not already released
    ///     it with `release()`, and the input is removed from the list. Without `onEnd`, an error ends the
    ///     coordinator, and completion counts as one completed source (`finishSource`).
    @inlinable
    init(next: @escaping Next, coordinator: Coordinator, index: Int = 0, onEnd: End? = nil) {
        self.index = index
        self.onEnd = onEnd
        super.init(next: next, coordinator: coordinator)
        countAsInput(of: coordinator)
    }

    // MARK: For operators: release

    /// Releases the source, which has ended. For an `onEnd` that does something else only after that. To release a
    /// source that still runs, call `dispose()`.
    @inlinable @inline(__always)
    func release() { releaseUpstream() }

    /// The `onEnd` of one of several concurrent sources. A source that has completed is released before its completion
    /// is counted, as in RxSwift.
    @usableFromInline
    static func finishMergedSource(_ input: Input, _ error: (any Error)?) {
        if error == nil { input.release() }
        input.coordinator.finishSource(error)
    }

    // MARK: Kernel-internal

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stopReleasingItself() else { return }
        if let onEnd { onEnd(self, error) } else { coordinator.finishSource(error) }
    }

    @usableFromInline
    override func releaseAfterEnd() { if !isHeld { dismissAndRelease() } }

    /// Removes the input, which has ended, from the list and releases its source.
    func dismissAndRelease() {
        coordinator.dismiss(self)
        releaseUpstream()
    }

    @usableFromInline
    override func didDispose() { coordinator.dismiss(self) }
}
