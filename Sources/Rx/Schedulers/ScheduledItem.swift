import Dispatch
import Synchronization

/// A piece of work that a scheduler has accepted: it runs once, unless it is disposed before.
///
/// ```text
/// waiting ──run()──▶ begun ──the work returns──▶ begun, finished ──dispose()──▶ all three: its result is disposed
///    │                 │
/// dispose()         dispose()
///    ▼                 ▼
/// disposed         begun, disposed ──the work returns──▶ all three: its result is disposed
/// ```
///
/// Disposing it while it waits releases the work at once, wherever the scheduler still keeps the item.
// @unchecked: `work` is touched only by the one that sets the first of `begun` and `disposed`, and `result` only by the
// one that sets the later one of `finished` and `disposed`.
class ScheduledItem: DisposeBase, Cancelable, @unchecked Sendable {
    private enum State {
        static let waiting: UInt8 = 0
        static let disposed: UInt8 = 1
        static let begun: UInt8 = 2
        static let finished: UInt8 = 4
    }

    private final let state = Atomic<UInt8>(State.waiting)
    /// It has run, and left nothing to dispose. Apart from the state, as this is a plain store.
    private final let isOver = Atomic<Bool>(false)
    private final var work: (() -> any Disposable)?
    private final var result: (any Disposable)?

    init(_ work: @escaping () -> any Disposable) {
        self.work = work
        super.init()
    }

    // MARK: Pending work

    #if TRACE_RESOURCES
        /// The tag that it leaves the counts of pending work by; touched as `work` is.
        @exclusivity(unchecked) private final var pendingTag: UInt32 = 0
    #endif

    /// A scheduler that keeps real time has taken it: until the work has ended, or it is disposed before, it is counted
    /// as pending.
    @inline(__always)
    final func countAsPending(after span: RxTimeInterval = .nanoseconds(0)) {
        #if TRACE_RESOURCES
            pendingTag = Pending.work(ObjectIdentifier(self), after: span.seconds)
        #endif
    }

    @inline(__always)
    private final func countAsOver() {
        #if TRACE_RESOURCES
            Resources.gone(pendingTag)
            pendingTag = 0
        #endif
    }

    final var isDisposed: Bool { state.load(ordering: .relaxed) & State.disposed != 0 }

    final var _isFinished: Bool { isOver.load(ordering: .relaxed) || isDisposed }

    /// Runs the work, unless the item was disposed or has run.
    final func run() {
        let before = state.bitwiseOr(State.begun, ordering: .acquiringAndReleasing).oldValue
        guard before == 0 else { return }
        let work = self.work
        self.work = nil
        willLeaveSchedule(cancelled: false)
        // Bound and cast in one condition: what is kept in a variable first is copied for the cast.
        guard let result = work?(), !(result is NopDisposable) else {
            countAsOver()
            return isOver.store(true, ordering: .relaxed)
        }
        countAsOver()
        self.result = result
        // Releasing: a later disposal sees `result`. Acquiring: sees that it was disposed already.
        let stateBefore = state.bitwiseOr(State.finished, ordering: .acquiringAndReleasing).oldValue
        if stateBefore & State.disposed != 0 {
            self.result = nil
            result.dispose()
        }
    }

    final func dispose() {
        let before = state.bitwiseOr(State.disposed, ordering: .acquiringAndReleasing).oldValue
        if before == State.waiting {
            work = nil
            countAsOver()
            willLeaveSchedule(cancelled: true)
        } else if before == State.begun | State.finished {
            let result = self.result
            self.result = nil
            result?.dispose()
        }
    }

    /// Called once: before the work runs, or when it is certain that it will not.
    func willLeaveSchedule(cancelled: Bool) {}
}

/// Work that waits for a timer.
///
/// The timer knows the item weakly and the item keeps itself until it runs or is disposed: libdispatch
/// releases the handler of a cancelled timer later, on its queue, and the item should not wait for that.
// @unchecked: as its superclass; `timer` and `me` are written before the timer is started.
final class TimedItem: ScheduledItem, @unchecked Sendable {
    private var timer: (any DispatchSourceTimer)?
    private var me: TimedItem?

    func start(on queue: DispatchQueue, after dueTime: RxTimeInterval, leeway: DispatchTimeInterval) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + dueTime, leeway: leeway)
        self.timer = timer
        me = self
        countAsPending(after: dueTime)
        // Last: what is written before a handler is set happens before it runs, for ThreadSanitizer too, which does not
        // see that of `resume()`.
        timer.setEventHandler { [weak self] in self?.run() }
        timer.resume()
    }

    override func willLeaveSchedule(cancelled: Bool) {
        timer?.cancel()
        timer = nil
        me = nil
    }
}

/// Work that a timer repeats until it is disposed.
///
/// ```text
/// idle ──the timer fires──▶ running ──the tick returns──▶ idle
///   │                          │
/// dispose()                 dispose()
///   ▼                          ▼
/// disposed ◀──the tick returns── running, disposed       the tick is let go of on the way to `disposed`
/// ```
// @unchecked: `tick` is touched by the timer's handler, which does not overlap with itself, while `running` is set, and
// by the disposer while it is not; `timer` and `me` by the one caller that sets `disposed`.
final class PeriodicItem: DisposeBase, Cancelable, @unchecked Sendable {
    private enum State {
        static let idle: UInt8 = 0
        static let disposed: UInt8 = 1
        static let running: UInt8 = 2
    }

    private let state = Atomic<UInt8>(State.idle)
    private var tick: (() -> Void)?
    private var timer: (any DispatchSourceTimer)?
    private var me: PeriodicItem?
    #if TRACE_RESOURCES
        /// The tag that it leaves the counts of timers by; 0 until it has started.
        private var pendingTag: UInt32 = 0
    #endif

    init(_ tick: @escaping () -> Void) {
        self.tick = tick
        super.init()
    }

    func start(
        on queue: DispatchQueue, after span: RxTimeInterval, period: RxTimeInterval, leeway: DispatchTimeInterval
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + span, repeating: period, leeway: leeway)
        self.timer = timer
        me = self
        #if TRACE_RESOURCES
            pendingTag = Pending.timer(ObjectIdentifier(self), after: span.seconds)
        #endif
        // Last: as that of `TimedItem`.
        timer.setEventHandler { [weak self] in self?.run() }
        timer.resume()
    }

    var isDisposed: Bool { state.load(ordering: .relaxed) & State.disposed != 0 }
    var _isFinished: Bool { isDisposed }

    private func run() {
        guard state.bitwiseOr(State.running, ordering: .acquiringAndReleasing).oldValue & State.disposed == 0 else {
            return
        }
        tick?()
        // Releasing and acquiring: either this sees the disposal and lets go of the tick, or the disposer sees that it
        // has ended.
        if state.bitwiseAnd(~State.running, ordering: .acquiringAndReleasing).oldValue & State.disposed != 0 {
            tick = nil
        }
    }

    func dispose() {
        let before = state.bitwiseOr(State.disposed, ordering: .acquiringAndReleasing).oldValue
        guard before & State.disposed == 0 else { return }
        if before & State.running == 0 { tick = nil }
        #if TRACE_RESOURCES
            Resources.gone(pendingTag)
        #endif
        timer?.cancel()
        timer = nil
        me = nil
    }
}
