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
// @unchecked: the work is touched only by the one that sets the first of `begun` and `disposed`, and `result` only by
// the one that sets the later one of `finished` and `disposed`.
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
    @exclusivity(unchecked) private final var result: (any Disposable)?
    /// The address of the item behind it in a `SerialLane`, where it belongs to.
    @exclusivity(unchecked) final var next: UInt = 0

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
        // By its type, which is a comparison and no cast.
        let result = perform()
        guard type(of: result) != NopDisposable.self else {
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
            countAsOver()
            cancel()
        } else if before == State.begun | State.finished {
            let result = self.result
            self.result = nil
            result?.dispose()
        }
    }

    /// Does the work and lets go of it. Called once at most, and not together with `cancel()`.
    func perform() -> any Disposable { fatalError("A scheduled item overrides perform().") }

    /// Lets go of the work, which will not be done.
    func cancel() { fatalError("A scheduled item overrides cancel().") }
}

/// Work that is a function of a state: both are kept in the item, which is the only allocation if the state takes no
/// more than three words.
///
/// Not generic: to make an object of a generic class, or an `Optional` of a generic parameter, code that is not
/// specialised asks the runtime for its type, which takes longer than an allocation. The state keeps its type in the
/// existential, and the function's is that of the state.
// @unchecked: as its superclass.
final class StatefulItem: ScheduledItem, @unchecked Sendable {
    @exclusivity(unchecked) private var state: Any?
    @exclusivity(unchecked) private var action: ErasedAction?

    // Not specialised, nor is its counterpart: a state whose type is an existential itself is kept as one of that type.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    init<State>(_ state: State, action: @escaping (State) -> any Disposable) {
        // Both are two words, a function and its context, and the same kind of function for each generic parameter. It
        // is not called before `StatefulAction` has its type back.
        self.action = unsafeBitCast(StatefulAction(run: action), to: ErasedAction.self)
        self.state = state
        super.init()
    }

    override func perform() -> any Disposable {
        var state: Any?
        swap(&state, &self.state)
        let action = self.action.unsafelyUnwrapped
        self.action = nil
        func run<State>(_ state: State) -> any Disposable { StatefulItem.run(action, state) }
        return _openExistential(state.unsafelyUnwrapped, do: run)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private static func run<State>(_ action: ErasedAction, _ state: State) -> any Disposable {
        unsafeBitCast(action, to: StatefulAction<State>.self).run(state)
    }

    override func cancel() {
        state = nil
        action = nil
    }
}

/// A function in a struct, here and below: one that is itself a generic argument is wrapped in another.
private struct StatefulAction<State> {
    let run: (State) -> any Disposable
}

/// A function whose parameter's type is not known.
private struct ErasedAction {
    let code: () -> Void
}

/// Work that waits for a timer.
///
/// The timer knows the item weakly and the item keeps itself until it runs or is disposed: libdispatch
/// releases the handler of a cancelled timer later, on its queue, and the item should not wait for that.
// @unchecked: as its superclass; `timer` and `me` are written before the timer is started.
final class TimedItem: ScheduledItem, @unchecked Sendable {
    private var work: (() -> any Disposable)?
    private var timer: (any DispatchSourceTimer)?
    private var me: TimedItem?

    init(_ work: @escaping () -> any Disposable) {
        self.work = work
        super.init()
    }

    func start(
        on queue: DispatchQueue, behind lane: SerialLane?, after dueTime: RxTimeInterval, leeway: DispatchTimeInterval
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + dueTime, leeway: leeway)
        self.timer = timer
        me = self
        countAsPending(after: dueTime)
        // Last: what is written before a handler is set happens before it runs, for ThreadSanitizer too, which does not
        // see that of `resume()`.
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            if let lane, lane.isBehind { lane.push(self) } else { run() }
        }
        timer.resume()
    }

    override func perform() -> any Disposable {
        let work = self.work
        cancel()
        return work?() ?? Disposables.create()
    }

    override func cancel() {
        work = nil
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
    /// Whether a tick waits in the lane. Touched on the queue only.
    private var waitsInLane = false
    #if TRACE_RESOURCES
        /// The tag that it leaves the counts of timers by; 0 until it has started.
        private var pendingTag: UInt32 = 0
    #endif

    init(_ tick: @escaping () -> Void) {
        self.tick = tick
        super.init()
    }

    func start(
        on queue: DispatchQueue, behind lane: SerialLane?, after span: RxTimeInterval, period: RxTimeInterval,
        leeway: DispatchTimeInterval
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + span, repeating: period, leeway: leeway)
        self.timer = timer
        me = self
        #if TRACE_RESOURCES
            pendingTag = Pending.timer(ObjectIdentifier(self), after: span.seconds)
        #endif
        // Last: as that of `TimedItem`.
        timer.setEventHandler { [weak self] in self?.tick(behind: lane) }
        timer.resume()
    }

    /// A tick takes its turn behind the pieces that were scheduled before it; ticks that come meanwhile are joined to
    /// it.
    private func tick(behind lane: SerialLane?) {
        guard let lane, lane.isBehind else { return run() }
        if waitsInLane { return }
        waitsInLane = true
        lane.push(
            StatefulItem(self) { item in
                item.waitsInLane = false
                item.run()
                return Disposables.create()
            })
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
