import Synchronization

/// The turns that a recursion or a periodic timer has asked a scheduler for and that have not begun.
// @unchecked: its state is a `CompositeDisposable`.
final class PendingActions: DisposeBase, Cancelable, @unchecked Sendable {
    private let pending = CompositeDisposable()
    /// The turn that asks for no place among them.
    private let turn: (any Disposable)?

    init(besides turn: (any Disposable)? = nil) {
        self.turn = turn
        super.init()
    }

    var isDisposed: Bool { pending.isDisposed }
    var _isFinished: Bool { pending._isFinished }

    /// Keeps a place. Never finished, so that the set does not forget it.
    private struct Placeholder: Disposable {
        func dispose() {}
    }

    /// Asks for a turn, which stays disposable until `begin` is called with its key.
    func add(_ ask: (CompositeDisposable.DisposeKey) -> any Disposable) {
        // The turn may run before `ask` has returned, hence a place that can be emptied before it is filled.
        guard let key = pending.insert(Placeholder()) else { return }
        pending.replace(for: key, with: ask(key))
    }

    /// A turn begins.
    func begin(_ key: CompositeDisposable.DisposeKey) { pending.remove(for: key) }

    func dispose() {
        pending.dispose()
        turn?.dispose()
    }
}

/// A function that asks for its own next turn.
// @unchecked: the waiting states are guarded; the action's thread-safety is its author's promise.
final class Recursion<State>: @unchecked Sendable {
    let pending: PendingActions
    private let scheduler: any ImmediateSchedulerType
    fileprivate let action: (State, @escaping (State) -> Void) -> Void
    private let isSerial: Bool
    /// On the current thread, the turn that is used again and again; kept by `pending`.
    private let turn: Unmanaged<RecursionTurn<State>>?
    /// Kept, as a closure that is formed in generic code is an allocation even if it captures nothing but `State`
    /// itself.
    private let takeTurn: (Turn) -> any Disposable = { take($0) }
    /// A queue that gives its elements away: one that it kept would be let go of under the lock.
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
        // A serial scheduler keeps the stack flat itself, and its turns must queue among the others there. The main one
        // runs a request inline only while no turn of its own runs: asked now, it grants the next turn of the main
        // queue.
        if isSerial { return schedule(state) }
        // A scheduler that runs the action inside `schedule` asks again from in there; the loop turns that into another
        // round.
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

/// The turn of a recursion on the current thread, in the trampoline's queue or free to go there again: a recursion that
/// asks for one turn at a time allocates nothing for it.
///
/// ```text
/// free ──wait()──▶ busy, being filled ──▶ waiting ──run()──▶ busy, being emptied ──▶ free
/// ```
///
/// `disposed` comes on top of each. Set while it waits it takes the state away; set while it is busy, the one that is
/// at it does. A disposed turn is never free again.
// @unchecked: `state` and `recursion` are touched by the one that has set `busy`, or `disposed` while it waited.
private final class RecursionTurn<State>: TrampolineAction, Disposable, @unchecked Sendable {
    private enum Step {
        static var free: UInt8 { 0 }
        static var disposed: UInt8 { 1 }
        static var busy: UInt8 { 2 }
        static var waiting: UInt8 { 4 }
    }

    private let step = Atomic<UInt8>(0)
    /// Room for the state, and not an `Optional`: code that is not specialised asks the runtime for that type each
    /// time.
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    /// Only while it waits, and with a reference, so that who keeps the handle of a recursion does not keep its action.
    @exclusivity(unchecked) private var recursion: Unmanaged<Recursion<State>>?

    deinit { state.deallocate() }

    /// Queues the turn, or takes it at once if nothing else runs on this thread.
    ///
    /// - Returns: `false` if it waits already, so that another is needed.
    func wait(with state: State, for recursion: Recursion<State>) -> Bool {
        // Acquiring: comes after the turn before, which may have been another thread's.
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
        // Acquiring: sees the state. If this fails, the one who has disposed of it has emptied it.
        guard
            step.compareExchange(
                expected: Step.waiting, desired: Step.busy, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged, let recursion
        else { return }
        let state = self.state.move()
        self.recursion = nil
        // Releasing: whoever fills it next comes after this. Before the action, which asks for the next turn.
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
