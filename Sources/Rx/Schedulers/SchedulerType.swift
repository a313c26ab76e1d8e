import Dispatch
import struct Foundation.Date
import struct Foundation.TimeInterval
import Synchronization

/// A span of time.
public typealias RxTimeInterval = DispatchTimeInterval

/// A point in time.
public typealias RxTime = Date

/// A scheduler that has a clock: it can also run work later and periodically.
public protocol SchedulerType: ImmediateSchedulerType {
    /// The time of the scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` once `dueTime` has passed.
    ///
    /// - Returns: disposing it before the action has begun means that it never runs.
    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` once `startAfter` has passed and then every `period`, each time with the state that it returned
    /// last.
    ///
    /// - Returns: disposing it ends the series.
    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable

    /// The time by which operators measure spans. Carries no promise: that of a clock that nobody can set, where the
    /// scheduler has one, else `now`.
    var _spanClock: RxTime { get }

    /// As `scheduleRelative`, for a timer that may be restarted, if the scheduler has such timers. Carries no promise.
    func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable
}

extension SchedulerType {
    /// `now`.
    public var _spanClock: RxTime { now }

    /// Calls `scheduleRelative`.
    public func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { scheduleRelative(state, dueTime: dueTime, action: action) }

    /// Runs `action` periodically by asking for each next tick when one begins.
    ///
    /// For schedulers without timers of their own. Ticks that pass while the action runs are counted and made
    /// up one by one, so actions neither overlap nor pile up on the stack.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        let series = PeriodicSeries(on: self, state: state, period: period, action: action)
        series.scheduleTick(after: startAfter)
        return series.pending
    }
}

/// A periodic timer made of single ones.
// @unchecked: `state` is touched by one action at a time: the one that took `due` from 0, and its successors.
private final class PeriodicSeries<State>: PeriodicActions, @unchecked Sendable {
    let pending = PendingActions()
    private let scheduler: any SchedulerType
    private let period: RxTimeInterval
    private let action: (State) -> State
    private var state: State
    /// Ticks that have passed and whose action has not ended.
    private let due = Atomic<Int>(0)

    init(on scheduler: any SchedulerType, state: State, period: RxTimeInterval, action: @escaping (State) -> State) {
        self.scheduler = scheduler
        self.state = state
        self.period = period
        self.action = action
    }

    func scheduleTick(after span: RxTimeInterval) { scheduleTurn(.tick, of: self, on: scheduler, after: span) }

    func run(_ turn: PeriodicStep) {
        if turn == .tick {
            scheduleTick(after: period)
            // Acquiring and releasing, here and below: an action sees the state that the one before it left.
            guard due.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        }
        if pending.isDisposed { return }
        state = action(state)
        if due.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0 {
            scheduleTurn(.action, of: self, on: scheduler, after: .nanoseconds(0))
        }
    }
}

/// A periodic series as its actions see it: without its state's type, as a closure formed in generic code would be an
/// allocation for each turn.
private protocol PeriodicActions: AnyObject {
    var pending: PendingActions { get }
    func run(_ turn: PeriodicStep)
}

private enum PeriodicStep {
    /// The clock has come to a tick.
    case tick
    /// The action runs once more, for a tick that passed while it ran.
    case action
}

private func scheduleTurn(
    _ turn: PeriodicStep, of series: any PeriodicActions, on scheduler: any SchedulerType, after span: RxTimeInterval
) {
    series.pending.add { key in
        scheduler.scheduleRelative((series: series, key: key, turn: turn), dueTime: span) {
            $0.series.pending.begin($0.key)
            $0.series.run($0.turn)
            return Disposables.create()
        }
    }
}

extension DispatchTimeInterval {
    /// The span in seconds; infinite for `never`.
    package var seconds: TimeInterval {
        switch self {
        case .seconds(let count): TimeInterval(count)
        case .milliseconds(let count): TimeInterval(count) / 1e3
        case .microseconds(let count): TimeInterval(count) / 1e6
        case .nanoseconds(let count): TimeInterval(count) / 1e9
        case .never: .infinity
        @unknown default: .infinity
        }
    }

    /// Whether the span is zero or negative.
    var isOver: Bool {
        switch self {
        case .seconds(let count), .milliseconds(let count), .microseconds(let count), .nanoseconds(let count):
            count <= 0
        case .never: false
        @unknown default: false
        }
    }
}

/// Something that runs work, on a thread and at a moment of its choosing, as soon as it can.
public protocol ImmediateSchedulerType {
    /// Runs `action` with `state` as soon as possible.
    ///
    /// - Parameters:
    ///   - state: handed to `action`.
    ///   - action: the work; what it returns is disposed together with the result of this call.
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
    /// - Parameters:
    ///   - state: handed to `action`.
    ///   - action: receives the state and the function to call for another turn: at once or later, once or several
    ///     times.
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
