import Synchronization

/// The turns that a recursion or a periodic timer has requested from a scheduler and that have not started.
// @unchecked: its state is a `CompositeDisposable`.
final class PendingActions: DisposeBase, Cancelable, @unchecked Sendable {
    private let pending = CompositeDisposable()
    /// The turn that needs no place among the pending turns.
    private let turn: (any Disposable)?

    init(besides turn: (any Disposable)? = nil) {
        self.turn = turn
        super.init()
    }

    var isDisposed: Bool { pending.isDisposed }
    var _isFinished: Bool { pending._isFinished }

    /// Reserves a place. It is never finished, so that the set does not forget it.
    private struct Placeholder: Disposable {
        func dispose() {}
    }

    /// Requests a turn, which can be disposed until `begin` is called with its key.
    func add(_ ask: (CompositeDisposable.DisposeKey) -> any Disposable) {
        // The turn may run before `ask` has returned. So the place can be emptied before it is filled.
        guard let key = pending.insert(Placeholder()) else { return }
        pending.replace(for: key, with: ask(key))
    }

    /// Removes a turn that starts.
    func begin(_ key: CompositeDisposable.DisposeKey) { pending.remove(for: key) }

    func dispose() {
        pending.dispose()
        turn?.dispose()
    }
}

/// A function that requests its own next turn.
// @unchecked: the waiting states are guarded. The author of the action guarantees that it is thread-safe.
final class Recursion<State>: @unchecked Sendable {
    let pending: PendingActions
    private let scheduler: any ImmediateSchedulerType
    fileprivate let action: (State, @escaping (State) -> Void) -> Void
    private let isSerial: Bool
    /// On the current thread, the turn that is reused. Owned by `pending`.
    private let turn: Unmanaged<RecursionTurn<State>>?
    /// Stored, because a closure that is formed in generic code makes an allocation even if it captures only `State`
    /// itself.
    private let takeTurn: (Turn) -> any Disposable = { take($0) }
    /// The queue moves its elements out: an element that it kept would be released under the lock.
    private let waiting = Guarded(RingBuffer<State>())
    private let loop = DrainLoop()

    init(on scheduler: any ImmediateSchedulerType, action: @escaping (State, @escaping (State) -> Void) -> Void) {
        self.scheduler = scheduler
        self.action = action
        isSerial = Rx.isSerial(scheduler)
        let turn = type(of: scheduler) == CurrentThreadScheduler.self ? RecursionTurn<State>() : nil
        self.turn = turn.map(Unmanaged.passUnretained)
        pending = PendingActions(besides: turn)
    }

    func request(_ state: State) {
        if let turn, turn._withUnsafeGuaranteedRef({ $0.wait(with: state, for: self) }) { return }
        // A serial scheduler does not deepen the stack, and its turns must queue among its other work. The main
        // scheduler runs a request inline only while none of its turns runs: at this point, it runs the request in the
        // next turn of the main queue.
        if isSerial { return schedule(state) }
        // A scheduler that runs the action inside `schedule` requests again from there. The loop turns that into
        // another round.
        waiting.withLock { $0.append(state) }
        loop.request {
            if let next = waiting.withLock({ $0.popFirst() }) { schedule(next) }
        }
    }

    private func schedule(_ state: State) {
        pending.add { scheduler.schedule(Turn(recursion: self, key: $0, state: state), action: takeTurn) }
    }

    private struct Turn {
        let recursion: Recursion
        let key: CompositeDisposable.DisposeKey
        let state: State
    }

    private static func take(_ turn: Turn) -> any Disposable {
        turn.recursion.pending.begin(turn.key)
        turn.recursion.action(turn.state, turn.recursion.request)
        return Disposables.create()
    }
}

/// The turn of a recursion on the current thread. It is either in the trampoline's queue or free to be queued again, so
/// a recursion that requests one turn at a time makes no further allocation.
///
/// ```text
/// free ──wait()──▶ busy, being filled ──▶ waiting ──run()──▶ busy, being emptied ──▶ free
/// ```
///
/// `disposed` can be added to each state. If it is set while the turn waits, the disposer releases the state. If it is
/// set while the turn is busy, the thread that uses the turn releases the state. A disposed turn never becomes free
/// again.
// @unchecked: `state` and `recursion` are accessed only by the thread that has set `busy`, or that has set `disposed`
// while the turn waited.
private final class RecursionTurn<State>: TrampolineAction, Disposable, @unchecked Sendable {
    private enum Step {
        static var free: UInt8 { 0 }
        static var disposed: UInt8 { 1 }
        static var busy: UInt8 { 2 }
        static var waiting: UInt8 { 4 }
    }

    private let step = Atomic<UInt8>(0)
    /// Storage for the state, not an `Optional`: unspecialised code requests that type from the runtime each time.
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    /// Set only while the turn waits, and retained, so that code that keeps the handle of a recursion does not keep its
    /// action.
    @exclusivity(unchecked) private var recursion: Unmanaged<Recursion<State>>?

    deinit { state.deallocate() }

    /// Queues the turn, or runs it immediately if no other work runs on this thread.
    ///
    /// - Returns: `false` if the turn already waits, so that another one is needed.
    func wait(with state: State, for recursion: Recursion<State>) -> Bool {
        // Acquiring: the previous turn, possibly on another thread, happens before this one.
        let claim = step.compareExchange(
            expected: Step.free, desired: Step.busy, successOrdering: .acquiring, failureOrdering: .relaxed)
        guard claim.exchanged else { return claim.original & Step.disposed != 0 }
        self.state.initialize(to: state)
        self.recursion = .passRetained(recursion)
        // Releasing: a disposal on another thread sees the state.
        if step.bitwiseXor(Step.busy | Step.waiting, ordering: .acquiringAndReleasing).oldValue & Step.disposed != 0 {
            empty()
        } else if Trampoline.isActive {
            Trampoline.push(self)
        } else {
            Trampoline.enter { run() }
        }
        return true
    }

    override func run() {
        // Acquiring: sees the state. If this fails, the thread that disposed the turn has emptied it.
        guard
            step.compareExchange(
                expected: Step.waiting, desired: Step.busy, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged, let recursion
        else { return }
        let state = self.state.move()
        self.recursion = nil
        // Releasing: happens before the next thread fills the turn. Done before the action, which requests the
        // next turn.
        step.bitwiseAnd(~Step.busy, ordering: .releasing)
        recursion._withUnsafeGuaranteedRef { $0.action(state, $0.request) }
        recursion.release()
    }

    func dispose() {
        // Acquiring: sees the state.
        if step.bitwiseOr(Step.disposed, ordering: .acquiringAndReleasing).oldValue == Step.waiting { empty() }
    }

    private func empty() {
        let emptied = recursion
        recursion = nil
        state.deinitialize(count: 1)
        emptied?.release()
    }
}
