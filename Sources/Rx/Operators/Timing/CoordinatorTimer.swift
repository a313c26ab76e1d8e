import Dispatch

import struct Foundation.Date

/// The one timer that a coordinator waits for. A newer one replaces it, in whatever order threads arrive here.
@usableFromInline
struct CoordinatorTimer: ~Copyable, Sendable {
    // Not private: see `Guarded`.
    struct State {
        var number = Int.min
        var running: (any Disposable)?
        var isDisposed = false
    }

    private let state = Guarded(State())

    @usableFromInline init() {}

    /// Keeps `timer` and disposes the one before; disposes `timer` itself if a newer one is kept already.
    @usableFromInline
    func keep(_ timer: any Disposable, number: Int) {
        let outdated = state.withLock { state -> (any Disposable)? in
            if state.isDisposed || number < state.number { return timer }
            let outdated = state.running
            state.running = timer
            state.number = number
            return outdated
        }
        outdated?.dispose()
    }

    /// Ends the timer, and those that come later.
    @usableFromInline
    func dispose() {
        let running = state.withLock { state -> (any Disposable)? in
            defer { state.running = nil }
            state.isDisposed = true
            return state.running
        }
        running?.dispose()
    }
}

/// The state of a coordinator that waits for one timer at a time.
@usableFromInline
struct Timed<Value>: ~Copyable {
    /// The timer that counts; an older one that fires all the same is recognised by its number.
    @usableFromInline var number = 0
    @usableFromInline var value: Value
    /// With a lock of its own, and not first: ThreadSanitizer takes a change of anything in here, under `serial`, for
    /// one of what comes first.
    @usableFromInline let timer = CoordinatorTimer()

    @inlinable
    init(_ value: Value) { self.value = value }
}

/// A timer that fires: for which coordinator, and what it calls.
@usableFromInline
struct TimerFiring<State: ~Copyable> {
    @usableFromInline let coordinator: StatefulCoordinator<State>
    @usableFromInline let number: Int
    @usableFromInline let fire: (StatefulCoordinator<State>, Int) -> Void

    @inlinable
    init(
        coordinator: StatefulCoordinator<State>, number: Int, fire: @escaping (StatefulCoordinator<State>, Int) -> Void
    ) {
        self.coordinator = coordinator
        self.number = number
        self.fire = fire
    }
}

extension StatefulCoordinator where State: ~Copyable {
    /// Starts timer `number` in place of the one before. Not to be called while `serial` is held.
    @inlinable
    func startTimer<Value>(
        _ number: Int, after dueTime: RxTimeInterval, on scheduler: any SchedulerType,
        _ fire: @escaping (StatefulCoordinator, Int) -> Void
    ) where State == Timed<Value> {
        // Not captured but passed, in a structure and not in a tuple: each would be an allocation more.
        let turn = TimerFiring(coordinator: self, number: number, fire: fire)
        let timer = scheduler.scheduleRelative(turn, dueTime: dueTime) { turn in
            turn.fire(turn.coordinator, turn.number)
            return Disposables.create()
        }
        state.timer.keep(timer, number: number)
    }

    /// For `onClose`.
    @inlinable
    static func endTimer<Value>(_ coordinator: StatefulCoordinator) where State == Timed<Value> {
        coordinator.state.timer.dispose()
    }
}

extension DispatchTimeInterval {
    /// Returns what is left of this span at `now` if it began at `start`; negative once it is over.
    ///
    /// Never more than the span itself, even if the clock was set back meanwhile.
    @usableFromInline
    func remainder(from start: Date, at now: Date) -> Double { seconds - max(0, now.timeIntervalSince(start)) }

    /// For how long another timer has to run that was to run for this span from `start` on; `nil` if it is over.
    ///
    /// A span of zero, too, takes a turn of the scheduler: it is not over at the moment at which it began.
    @usableFromInline
    func rest(from start: Date, at now: Date) -> DispatchTimeInterval? {
        let rest = remainder(from: start, at: now)
        return rest >= .dateResolution || now == start ? .rounded(seconds: rest) : nil
    }

    /// A span of so many seconds. What a `Date` cannot resolve counts as nothing, and more than nanoseconds can say,
    /// 292 years, as endless.
    @usableFromInline
    static func rounded(seconds: Double) -> DispatchTimeInterval {
        Int(exactly: max(0, seconds * 1e9).rounded()).map { .nanoseconds($0) } ?? .never
    }
}

extension Double {
    /// Dates of this century are 0.12 µs apart: less than this much is no time at all.
    @usableFromInline static var dateResolution: Double { 1e-6 }
}
