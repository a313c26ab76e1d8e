import CRx
import Dispatch

import struct Foundation.Date

/// Runs work on the thread that schedules it, one piece after another.
///
/// The first piece on a thread runs immediately. Work that is scheduled during that time waits until the piece has
/// ended, in first-in, first-out order. So recursion becomes a loop, and sequences that produce synchronously take
/// turns. The outermost `subscribe` on a thread counts as the first piece.
public final class CurrentThreadScheduler: ImmediateSchedulerType, Sendable {
    /// The scheduler of the calling thread.
    public static let instance = CurrentThreadScheduler()

    /// Whether work scheduled now would run immediately, because no other piece is running on this thread.
    public static var isScheduleRequired: Bool { !Trampoline.isActive }

    private init() {}

    /// Runs `action` now, or after the pieces that already wait on this thread.
    public func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        if Trampoline.isActive {
            let turn = TrampolineItem(ScheduledItem(state, action: action))
            Trampoline.push(turn)
            return turn.item
        }
        return Trampoline.enter { action(state) }
    }

    /// Runs `body` with a separate queue on this thread. For code that waits for a sequence inside another sequence's
    /// callback.
    package static func withSeparateQueue<Result>(_ body: () throws -> Result) rethrows -> Result {
        let trampoline = rx_trampoline_current()
        let outer = trampoline.pointee
        trampoline.pointee = rx_trampoline(head: nil, tail: nil, active: false)
        defer { trampoline.pointee = outer }
        return try body()
    }
}

/// A scheduled item in the queue of the current thread.
private final class TrampolineItem: TrampolineAction {
    let item: ScheduledItem

    init(_ item: ScheduledItem) {
        self.item = item
        super.init()
    }

    override func run() { item.run() }
}
