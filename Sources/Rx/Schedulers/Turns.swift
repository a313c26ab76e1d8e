/// The turns that a recursion or a periodic timer has asked a scheduler for and that have not begun.
// @unchecked: its state is a `CompositeDisposable`.
final class PendingActions: DisposeBase, Cancelable, @unchecked Sendable {
    private let pending = CompositeDisposable()

    var isDisposed: Bool { pending.isDisposed }
    var _isFinished: Bool { pending._isFinished }

    /// Keeps a place. Never finished, so that the set does not forget it.
    private struct Place: Disposable {
        func dispose() {}
    }

    /// Asks for a turn, which stays disposable until `begin` is called with its key.
    func add(_ ask: (CompositeDisposable.DisposeKey) -> any Disposable) {
        // The turn may run before `ask` has returned, hence a place that can be emptied before it is filled.
        guard let key = pending.insert(Place()) else { return }
        pending.replace(for: key, with: ask(key))
    }

    /// A turn begins.
    func begin(_ key: CompositeDisposable.DisposeKey) { pending.remove(for: key) }

    func dispose() { pending.dispose() }
}

/// A function that asks for its own next turn.
// @unchecked: the waiting states are guarded; the action's thread-safety is its author's promise.
final class Recursion<State>: @unchecked Sendable {
    let turns = PendingActions()
    private let scheduler: any ImmediateSchedulerType
    private let action: (State, @escaping (State) -> Void) -> Void
    private let isSerial: Bool
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
    }

    func request(_ state: State) {
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
        turns.add { scheduler.schedule(Turn(recursion: self, key: $0, state: state), action: takeTurn) }
    }

    private struct Turn {
        let recursion: Recursion
        let key: CompositeDisposable.DisposeKey
        let state: State
    }

    private static func take(_ turn: Turn) -> any Disposable {
        turn.recursion.turns.begin(turn.key)
        turn.recursion.action(turn.state, turn.recursion.request)
        return Disposables.create()
    }
}
