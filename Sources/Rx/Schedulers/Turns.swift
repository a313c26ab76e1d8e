/// The turns that a recursion or a periodic timer has asked a scheduler for and that have not begun.
// @unchecked: its state is a `CompositeDisposable`.
final class Turns: DisposeBase, Cancelable, @unchecked Sendable {
    private let pending = CompositeDisposable()

    var isDisposed: Bool { pending.isDisposed }

    /// Asks for a turn, which stays disposable until it calls `begin`.
    func add(_ ask: (_ begin: @escaping () -> Void) -> any Disposable) {
        // The turn may run before `ask` has returned, hence a place that can be emptied before it is filled.
        let turn = SingleAssignmentDisposable()
        guard let key = pending.insert(turn) else { return }
        turn.setDisposable(ask { [pending] in pending.remove(for: key) })
    }

    override func dispose() { pending.dispose() }
}

/// A function that asks for its own next turn.
// @unchecked: the waiting states are guarded; the action's thread-safety is its author's promise.
final class Recursion<State>: @unchecked Sendable {
    let turns = Turns()
    private let scheduler: any ImmediateSchedulerType
    private let action: (State, @escaping (State) -> Void) -> Void
    private let isTrampolined: Bool
    private let waiting = Guarded(Waiting())
    private let loop = DrainLoop()

    private struct Waiting {
        var states: [State] = []
        var first = 0

        mutating func take() -> State {
            defer {
                first += 1
                if first == states.count {
                    states.removeAll(keepingCapacity: true)
                    first = 0
                }
            }
            return states[first]
        }
    }

    init(on scheduler: any ImmediateSchedulerType, action: @escaping (State, @escaping (State) -> Void) -> Void) {
        self.scheduler = scheduler
        self.action = action
        isTrampolined = scheduler is CurrentThreadScheduler
    }

    func request(_ state: State) {
        // The trampoline keeps the stack flat itself, and its turns must queue among the others of the thread.
        if isTrampolined { return schedule(state) }
        // A scheduler that runs the action inside `schedule` asks again from in there; the loop turns that into another round.
        waiting.withLock { $0.states.append(state) }
        loop.request { schedule(waiting.withLock { $0.take() }) }
    }

    private func schedule(_ state: State) {
        turns.add { begin in
            scheduler.schedule(state) { state in
                begin()
                self.action(state, self.request)
                return Disposables.create()
            }
        }
    }
}
