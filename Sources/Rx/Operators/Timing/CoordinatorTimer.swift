import Dispatch

import struct Foundation.Date

/// The one timer that a coordinator waits for. A newer one replaces it, in whatever order threads arrive here.
@usableFromInline
struct CoordinatorTimer: ~Copyable, Sendable {
    // Not private: see `Guarded`. Disposables are swapped, never optional: one is destroyed by way of its type.
    struct State {
        var number = Int.min
        var running = Disposables.create()
        var isDisposed = false
    }

    private let state = Guarded(State())

    @usableFromInline init() {}

    /// Keeps `timer` and disposes the one before; disposes `timer` itself if a newer one is kept already.
    @usableFromInline @inline(never)
    func keep(_ timer: any Disposable, number: Int) {
        var outdated = timer
        state.withLock { state in
            if state.isDisposed || number < state.number { return }
            swap(&outdated, &state.running)
            state.number = number
        }
        outdated.dispose()
    }

    /// Lets go of timer `number`, which fires: its scheduler may use the item for the next one.
    @usableFromInline
    func fired(_ number: Int) {
        var fired = Disposables.create()
        state.withLock { state in
            if state.number == number { swap(&fired, &state.running) }
        }
    }

    /// Ends the timer, and those that come later.
    @usableFromInline
    func dispose() {
        var running = Disposables.create()
        state.withLock { state in
            swap(&running, &state.running)
            state.isDisposed = true
        }
        running.dispose()
    }
}

/// The state of a coordinator that waits for one timer at a time.
@usableFromInline
struct Timed<Value>: ~Copyable {
    @usableFromInline typealias Fire = (StatefulCoordinator<Timed<Value>>, Int) -> Void

    /// The timer that counts; an older one that fires all the same is recognised by its number.
    @usableFromInline var number = 0
    @usableFromInline var value: Value
    /// Timer `number`, if it can be restarted.
    @usableFromInline var restartable = RestartableTimer()
    // What follows needs no lock. Not first: ThreadSanitizer takes a change of anything in here, under `serial`, for
    // one of what comes first.
    @usableFromInline let dueTime: RxTimeInterval
    @usableFromInline let scheduler: any SchedulerType
    /// Called when a timer fires, with its number. Kept here, so that starting one allocates no closure.
    @usableFromInline let fire: Fire
    /// With a lock of its own.
    @usableFromInline let timer = CoordinatorTimer()

    @inlinable
    init(_ value: Value, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType, fire: @escaping Fire) {
        self.value = value
        self.dueTime = dueTime
        self.scheduler = scheduler
        self.fire = fire
    }

    /// The time by which the scheduler measures spans. Here, where the scheduler is borrowed: a caller would copy it.
    @inlinable var now: RxTime { scheduler._spanClock }

    /// Begins the span again, as if the timer were disposed and another one started. Under `serial`.
    ///
    /// - Returns: the number of the timer to start after that, unless the one that waits was restarted.
    @inlinable
    mutating func restart() -> Int? {
        if restartable.restart() { return nil }
        restartable = RestartableTimer()
        number += 1
        return number
    }

    /// Whether timer `number`, which has fired, is the one that counts. Under `serial`.
    @inlinable
    mutating func fired(_ number: Int) -> Bool {
        guard self.number == number else { return false }
        // Its scheduler may use the item again.
        restartable = RestartableTimer()
        return true
    }
}

/// A timer that may be restarted, or none.
// Noncopyable, so that a restart retains nothing.
@usableFromInline
struct RestartableTimer: ~Copyable {
    private let item: ScheduledItem?

    @usableFromInline init() { item = nil }

    /// - Parameter timer: the result of `_scheduleRestartable`.
    @usableFromInline
    init(_ timer: any Disposable) {
        // By comparisons, as a cast takes some hundred instructions.
        func restartable<Timer: Disposable>(_ timer: Timer) -> ScheduledItem? {
            guard Timer.self == RestartableItem.self || Timer.self == RestartableTimedItem.self else { return nil }
            return withUnsafePointer(to: timer) { UnsafeRawPointer($0).load(as: ScheduledItem.self) }
        }
        item = restartable(timer)
    }

    /// Begins the wait again. `false` if that is not possible.
    @usableFromInline
    func restart() -> Bool {
        guard let item else { return false }
        return item.restart()
    }
}

/// A timer of a coordinator.
// Not captured but passed, in a structure and not in a tuple: each would be an allocation more.
@usableFromInline
struct NumberedTimer<Value> {
    @usableFromInline let coordinator: StatefulCoordinator<Timed<Value>>
    @usableFromInline let number: Int

    @inlinable
    init(_ coordinator: StatefulCoordinator<Timed<Value>>, number: Int) {
        self.coordinator = coordinator
        self.number = number
    }
}

extension StatefulCoordinator where State: ~Copyable {
    /// Starts timer `number` in place of the one before: it fires after `span`. Not to be called while `serial` is
    /// held.
    @inlinable
    func startTimer<Value>(_ number: Int, after span: RxTimeInterval) where State == Timed<Value> {
        let timer = state.scheduler.scheduleRelative(NumberedTimer(self, number: number), dueTime: span) { timer in
            timer.coordinator.state.timer.fired(timer.number)
            timer.coordinator.state.fire(timer.coordinator, timer.number)
            return Disposables.create()
        }
        state.timer.keep(timer, number: number)
    }

    /// As `startTimer`, for one that may be restarted.
    @inlinable
    func startRestartableTimer<Value>(_ number: Int) where State == Timed<Value> {
        let timer = state.scheduler._scheduleRestartable(
            NumberedTimer(self, number: number), dueTime: state.dueTime
        ) { timer in
            timer.coordinator.state.timer.fired(timer.number)
            timer.coordinator.state.fire(timer.coordinator, timer.number)
            return Disposables.create()
        }
        serial.withLock { if state.number == number { state.restartable = RestartableTimer(timer) } }
        state.timer.keep(timer, number: number)
    }

    /// Starts the timer of array or window `number`. Those of a number of elements need none that never fires.
    @inlinable
    func startSpan<Value>(_ number: Int) where State == Timed<Value> {
        if case .never = state.dueTime { return }
        startTimer(number, after: state.dueTime)
    }

    /// The timer of array or window `number` has fired: unless that was full before, `next` begins the one after it,
    /// under `serial`, and returns its number.
    @inlinable
    func spanEnded<Value>(_ number: Int, _ next: () -> Int) where State == Timed<Value> {
        let started = serial.withLock { state.number == number ? next() : nil }
        if let started, !down.isStopped { startSpan(started) }
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
