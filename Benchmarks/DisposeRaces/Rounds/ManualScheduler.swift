import Rx

import struct Foundation.Date

/// A scheduler whose turns run when an actor advances the clock. They run one after another on that actor's thread.
///
/// Any thread may schedule and dispose. Only one thread at a time may advance the clock.
// @unchecked: a lock guards its state.
final class ManualScheduler: SchedulerType, @unchecked Sendable {
    private struct Turn {
        let due: Double
        let item: SingleAssignmentDisposable
        let work: () -> any Disposable
    }

    private struct State {
        var now = 0.0
        var turns: [Turn] = []

        /// Removes the turn that is due first, no later than `time`. Of turns with the same due time, takes the oldest.
        mutating func takeTurn(until time: Double) -> Turn? {
            guard let due = turns.map(\.due).min(), due <= time else { return nil }
            now = max(now, due)
            return turns.firstIndex { $0.due == due }.map { turns.remove(at: $0) }
        }
    }

    private let state = Guarded(State())

    var now: RxTime { Date(timeIntervalSinceReferenceDate: state.withLock { $0.now }) }

    /// The number of scheduled turns that were not disposed.
    var waiting: Int { state.withLock { $0.turns }.filter { !$0.item.isDisposed }.count }

    func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        enqueue(after: 0) { action(state) }
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        enqueue(after: dueTime.seconds) { action(state) }
    }

    private func enqueue(after seconds: Double, _ work: @escaping () -> any Disposable) -> any Disposable {
        let item = SingleAssignmentDisposable()
        state.withLock { $0.turns.append(Turn(due: $0.now + seconds, item: item, work: work)) }
        return item
    }

    /// Runs the turns that are due within `seconds`, including turns that they schedule, and advances the clock.
    func advance(by seconds: Double = 0) {
        let end = state.withLock { $0.now } + seconds
        while let turn = state.withLock({ $0.takeTurn(until: end) }) {
            if !turn.item.isDisposed { turn.item.setDisposable(turn.work()) }
        }
        state.withLock { $0.now = end }
    }

    /// Runs turns that are due at any time. Stops after a limited number of advances: a periodic series has no end.
    func runOut() {
        for _ in 0..<10 where state.withLock({ !$0.turns.isEmpty }) { advance(by: 10) }
        let forgotten = state.withLock { state in
            defer { state.turns = [] }
            return state.turns
        }
        withExtendedLifetime(forgotten) {}
    }
}
