import Dispatch
import struct Foundation.Date
import struct Foundation.TimeInterval
import Synchronization

/// A span of time.
public typealias RxTimeInterval = DispatchTimeInterval

/// A point in time.
public typealias RxTime = Date

/// A scheduler with a clock. It can also run work later and periodically.
public protocol SchedulerType: ImmediateSchedulerType {
    /// The current time of the scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` after `dueTime` has passed.
    ///
    /// - Returns: a disposable. If it is disposed before the action starts, the action never runs.
    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` has passed and then every `period`. Each call receives the state that the
    /// previous call returned.
    ///
    /// - Returns: a disposable that ends the series.
    func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable

    /// The time with which operators measure spans. If the scheduler has a clock that cannot be set, this is its time;
    /// otherwise it is `now`. An implementation detail that may change.
    var _spanClock: RxTime { get }

    /// Does the same as `scheduleRelative`, for a timer that may be restarted, if the scheduler has such timers. An
    /// implementation detail that may change.
    func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable
}

extension SchedulerType {
    /// The same as `now`.
    public var _spanClock: RxTime { now }

    /// Calls `scheduleRelative`.
    public func _scheduleRestartable<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping (StateType) -> any Disposable
    ) -> any Disposable { scheduleRelative(state, dueTime: dueTime, action: action) }

    /// Runs `action` periodically, and schedules each tick when the previous tick starts.
    ///
    /// For schedulers without their own periodic timers. Ticks that pass while the action runs are counted and run one
    /// by one afterwards. So actions neither overlap nor accumulate on the stack.
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping (StateType) -> StateType
    ) -> any Disposable {
        let series = PeriodicSeries(on: self, state: state, period: period, action: action)
        series.scheduleTick(after: startAfter)
        return series.pending
    }
}

/// A periodic timer that uses a series of single timers.
// @unchecked: only one action at a time accesses `state`: the action that incremented `due` from 0, and its successors.
private final class PeriodicSeries<State>: PeriodicActions, @unchecked Sendable {
    let pending = PendingActions()
    private let scheduler: any SchedulerType
    private let period: RxTimeInterval
    private let action: (State) -> State
    private var state: State
    /// The number of ticks that have passed and whose action has not ended.
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
            // Acquiring and releasing, here and below: an action sees the state that the previous action left.
            guard due.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        }
        if pending.isDisposed { return }
        state = action(state)
        if due.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0 {
            scheduleTurn(.action, of: self, on: scheduler, after: .nanoseconds(0))
        }
    }
}

/// A periodic series without the type of its state. A closure formed in generic code would need an allocation for each
/// turn.
private protocol PeriodicActions: AnyObject {
    var pending: PendingActions { get }
    func run(_ turn: PeriodicStep)
}

private enum PeriodicStep {
    /// The clock has reached a tick.
    case tick
    /// The action runs again, for a tick that passed while it ran.
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
    /// The span in seconds, or infinity for `never`.
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

/// A type that runs work as soon as it can, on a thread of its choice.
public protocol ImmediateSchedulerType {
    /// Runs `action` with `state` as soon as possible.
    ///
    /// - Parameters:
    ///   - state: passed to `action`.
    ///   - action: the work. The disposable that it returns is disposed together with the result of this call.
    /// - Returns: a disposable. If it is disposed before the action starts, the action never runs.
    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `action`, and runs it again for each state that it requests.
    ///
    ///     _ = CurrentThreadScheduler.instance.scheduleRecursive(3) { n, recurse in
    ///         print(n)  // 3, 2, 1
    ///         if n > 1 { recurse(n - 1) }
    ///     }
    ///
    /// The stack does not grow with the number of turns, even on schedulers that run work inside `schedule`.
    ///
    /// - Parameters:
    ///   - state: passed to `action`.
    ///   - action: receives the state and a function that requests another turn. It may call the function immediately
    ///     or later, once or several times.
    /// - Returns: a disposable that ends the recursion after the running turn.
    public func scheduleRecursive<State>(
        _ state: State, action: @escaping (_ state: State, _ recurse: @escaping (State) -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion(on: self, action: action)
        recursion.request(state)
        return recursion.pending
    }
}

/// Returns whether a scheduler runs its actions one after another, in the order in which they were scheduled, and never
/// inside `schedule` while another action runs.
@usableFromInline
package func isSerial(_ scheduler: any ImmediateSchedulerType) -> Bool {
    // Compares the type first, which needs no cast: the class has no subclasses.
    type(of: scheduler) == CurrentThreadScheduler.self || scheduler is SerialDispatchQueueScheduler
}
