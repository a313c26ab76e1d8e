/// Something that runs work, on a thread and at a moment of its choosing, as soon as it can.
public protocol ImmediateSchedulerType {
    /// Runs `action` with `state` as soon as possible.
    ///
    /// - Parameter action: the work; what it returns is disposed together with the result of this call.
    /// - Returns: disposing it before the action has begun means that it never runs.
    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `action`, and again for each state that it asks for.
    ///
    ///     _ = CurrentThreadScheduler.instance.scheduleRecursive(3) { n, recurse in
    ///         print(n)  // 3, 2, 1
    ///         if n > 1 { recurse(n - 1) }
    ///     }
    ///
    /// The stack does not grow with the number of turns, on schedulers that run work inside `schedule` either.
    ///
    /// - Parameter action: receives the state and the function to call for another turn: at once or later, once or
    ///   several times.
    /// - Returns: disposing it ends the recursion after the turn that is running.
    public func scheduleRecursive<State>(
        _ state: State, action: @escaping (_ state: State, _ recurse: @escaping (State) -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion(on: self, action: action)
        recursion.request(state)
        return recursion.pending
    }
}

/// Whether a scheduler runs its actions one after another, in the order in which they were scheduled, and never inside
/// `schedule` while another runs.
@usableFromInline
package func isSerial(_ scheduler: any ImmediateSchedulerType) -> Bool {
    // By its type first, which is a comparison and no cast: it can have no subclass.
    type(of: scheduler) == CurrentThreadScheduler.self || scheduler is SerialDispatchQueueScheduler
}

/// The turns that a recursion or a periodic timer has asked a scheduler for and that have not begun.
// @unchecked: its state is a `CompositeDisposable`.
final class PendingActions: DisposeBase, Cancelable, @unchecked Sendable {
    private let pending = CompositeDisposable()

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

    func dispose() { pending.dispose() }
}

/// A function that asks for its own next turn.
// @unchecked: the waiting states are guarded; the action's thread-safety is its author's promise.
final class Recursion<State>: @unchecked Sendable {
    let pending = PendingActions()
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
