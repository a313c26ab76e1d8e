import Dispatch
import Synchronization

/// Work that a timer repeats until it is disposed.
///
/// ```text
/// idle ──the timer fires──▶ running ──the tick returns──▶ idle
///   │                          │
/// dispose()                 dispose()
///   ▼                          ▼
/// disposed ◀──the tick returns── running, disposed       `tick` is released on the way to `disposed`
/// ```
///
/// The item waits for the next tick after the previous tick has returned, so that ticks do not overlap. Ticks that pass
/// in the meantime are combined into one, which follows immediately.
// @unchecked: the timer, which does not overlap with itself, accesses `tick` while `running` is set. The disposer
// accesses it while `running` is not set. Only the caller that sets `disposed` accesses `me`. `place` is guarded by the
// lock of `timers`.
final class PeriodicItem: DisposeBase, Cancelable, @unchecked Sendable {
    private enum State {
        static let idle: UInt8 = 0
        static let disposed: UInt8 = 1
        static let running: UInt8 = 2
    }

    private let state = Atomic<UInt8>(State.idle)
    private var tick: (() -> Void)?
    private let timers: TimerQueue
    private var me: PeriodicItem?
    @exclusivity(unchecked) private var place = DeadlineHeap.nowhere
    /// The due time of the next tick or of the running tick. Accessed by the timer.
    private var deadline: UInt64
    private let period: UInt64
    #if TRACE_RESOURCES
        /// The tag that removes this item from the counts of timers, or 0 before it has started.
        private var pendingTag: UInt32 = 0
    #endif

    init(
        in timers: TimerQueue, after span: RxTimeInterval, period: RxTimeInterval, _ tick: @escaping () -> Void
    ) {
        self.tick = tick
        self.timers = timers
        let nanoseconds = (period.seconds * 1e9).rounded()
        // At least one nanosecond, so that there is a next tick.
        self.period = nanoseconds < 0x1p63 ? UInt64(max(1, nanoseconds)) : TimerQueue.never
        deadline = TimerQueue.deadline(after: span)
        super.init()
        me = self
        #if TRACE_RESOURCES
            pendingTag = Pending.timer(ObjectIdentifier(self), after: span.seconds)
        #endif
        wait()
    }

    private func wait() { timers.add(self, place: placePointer, deadline: deadline) { isDisposed } }

    /// The address of a stored property of an object, which is stable.
    private var placePointer: UnsafeMutablePointer<Int> { withUnsafeMutablePointer(to: &place) { $0 } }

    var isDisposed: Bool { state.load(ordering: .relaxed) & State.disposed != 0 }
    var _isFinished: Bool { isDisposed }

    /// Creates a piece of work that runs the tick, for a lane.
    func makeTurn() -> ScheduledItem {
        ScheduledItem(self) { item in
            item.run()
            return Disposables.create()
        }
    }

    /// Runs the tick that is due, and waits for the next one.
    func run() {
        guard state.bitwiseOr(State.running, ordering: .acquiringAndReleasing).oldValue & State.disposed == 0 else {
            return
        }
        deadline = latestDeadline()
        tick?()
        // Ticks that passed while the action ran are combined into one that is due.
        deadline = max(latestDeadline(), deadline <= .max - period ? deadline + period : TimerQueue.never)
        // Releasing and acquiring: either this thread sees the disposal and releases the tick, or the disposer sees
        // that the tick has ended.
        if state.bitwiseAnd(~State.running, ordering: .acquiringAndReleasing).oldValue & State.disposed != 0 {
            tick = nil
        } else {
            wait()
        }
    }

    /// Returns the deadline of the last tick that has passed.
    private func latestDeadline() -> UInt64 {
        let now = TimerQueue.now
        return now > deadline ? now - (now - deadline) % period : deadline
    }

    func dispose() {
        let before = state.bitwiseOr(State.disposed, ordering: .acquiringAndReleasing).oldValue
        guard before & State.disposed == 0 else { return }
        if before & State.running == 0 { tick = nil }
        #if TRACE_RESOURCES
            Resources.gone(pendingTag)
        #endif
        timers.remove(place: placePointer)
        me = nil
    }
}
