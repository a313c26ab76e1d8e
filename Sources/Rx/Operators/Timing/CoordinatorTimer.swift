import Dispatch

import struct Foundation.Date

/// The timer that a coordinator waits for. A newer timer replaces it, regardless of the order in which threads arrive
/// here.
@usableFromInline
struct CoordinatorTimer: ~Copyable, Sendable {
    // Not private: see `Guarded`. Disposables are swapped and never optional, because an optional one is destroyed by
    // way of its type.
    struct State {
        var number = Int.min
        var running = Disposables.create()
        var isDisposed = false
    }

    private let state = Guarded(State())

    @usableFromInline init() {}

    /// Stores `timer` and disposes the previous timer. Disposes `timer` itself if a newer timer is already stored.
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

    /// Releases timer `number`, which is firing. Its scheduler may then use the item for the next timer.
    @usableFromInline
    func fired(_ number: Int) {
        var fired = Disposables.create()
        state.withLock { state in
            if state.number == number { swap(&fired, &state.running) }
        }
    }

    /// Disposes the timer, and every timer that is stored later.
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

    /// The number of the current timer. An older timer that still fires is recognised by its number.
    @usableFromInline var number = 0
    @usableFromInline var value: Value
    /// Timer `number`, if it can be restarted.
    @usableFromInline var restartable = RestartableTimer()
    // The following properties need no lock. They are not declared first, because ThreadSanitizer treats a change of
    // any property of this structure, under `serial`, as a change of the first property.
    @usableFromInline let dueTime: RxTimeInterval
    @usableFromInline let scheduler: any SchedulerType
    /// Called when a timer fires, with its number. Stored here, so that starting a timer allocates no closure.
    @usableFromInline let fire: Fire
    /// Has a separate lock.
    @usableFromInline let timer = CoordinatorTimer()

    @inlinable
    init(_ value: Value, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType, fire: @escaping Fire) {
        self.value = value
        self.dueTime = dueTime
        self.scheduler = scheduler
        self.fire = fire
    }

    /// The time by which the scheduler measures spans. Declared here, where the scheduler is borrowed: a caller would
    /// copy it.
    @inlinable var now: RxTime { scheduler._spanClock }

    /// Begins the span again, as if the timer were disposed and another one started. The caller holds `serial`.
    ///
    /// - Returns: the number of the timer that the caller must then start; `nil` if the waiting timer was restarted.
    @inlinable
    mutating func restart() -> Int? {
        if restartable.restart() { return nil }
        restartable = RestartableTimer()
        number += 1
        return number
    }

    /// Returns whether timer `number`, which has fired, is the current timer. The caller holds `serial`.
    @inlinable
    mutating func fired(_ number: Int) -> Bool {
        guard self.number == number else { return false }
        // Its scheduler may use the item again.
        restartable = RestartableTimer()
        return true
    }
}

/// A timer that can be restarted, or no timer.
// Noncopyable, so that a restart retains nothing.
@usableFromInline
struct RestartableTimer: ~Copyable {
    private let item: ScheduledItem?

    @usableFromInline init() { item = nil }

    /// - Parameter timer: the result of `_scheduleRestartable`.
    @usableFromInline
    init(_ timer: any Disposable) {
        // Compares types, because a cast takes some hundred instructions.
        func restartable<Timer: Disposable>(_ timer: Timer) -> ScheduledItem? {
            guard Timer.self == RestartableItem.self || Timer.self == RestartableTimedItem.self else { return nil }
            return withUnsafePointer(to: timer) { UnsafeRawPointer($0).load(as: ScheduledItem.self) }
        }
        item = restartable(timer)
    }

    /// Begins the wait again. Returns `false` if that is not possible.
    @usableFromInline
    func restart() -> Bool {
        guard let item else { return false }
        return item.restart()
    }
}

/// A coordinator and the number of one of its timers.
// Passed instead of captured, and a structure instead of a tuple: a capture or a tuple would be one more allocation.
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
    /// Starts timer `number`, which replaces the previous timer and fires after `span`. The caller must not hold
    /// `serial`.
    @_alwaysEmitIntoClient
    func startTimer<Value>(_ number: Int, after span: RxTimeInterval) where State == Timed<Value> {
        let timer = state.scheduler.scheduleRelative(NumberedTimer(self, number: number), dueTime: span) { timer in
            timer.coordinator.state.timer.fired(timer.number)
            timer.coordinator.state.fire(timer.coordinator, timer.number)
            return Disposables.create()
        }
        state.timer.keep(timer, number: number)
    }

    /// Does the same as `startTimer`, for a timer that can be restarted.
    @_alwaysEmitIntoClient
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

    /// Starts the timer of array or window `number`. Starts no timer if the span is `never`: then only the number of
    /// elements ends an array or a window.
    @_alwaysEmitIntoClient
    func startSpan<Value>(_ number: Int) where State == Timed<Value> {
        if case .never = state.dueTime { return }
        startTimer(number, after: state.dueTime)
    }

    /// Handles the timer of array or window `number`, which has fired. Unless the array or window was full before,
    /// `next` begins the following one, under `serial`, and returns its number.
    @_alwaysEmitIntoClient
    func spanEnded<Value>(_ number: Int, _ next: () -> Int) where State == Timed<Value> {
        let started = serial.withLock { state.number == number ? next() : nil }
        if let started, !down.isStopped { startSpan(started) }
    }

    /// Disposes the timer. Operators pass this method as `onClose`.
    @_alwaysEmitIntoClient
    static func endTimer<Value>(_ coordinator: StatefulCoordinator) where State == Timed<Value> {
        coordinator.state.timer.dispose()
    }
}

extension DispatchTimeInterval {
    /// Returns the seconds that are left of this span at `now` if it began at `start`. The result is negative when the
    /// span is over.
    ///
    /// The result is never more than the span itself, even if the clock was set back after `start`.
    @usableFromInline
    func remainder(from start: Date, at now: Date) -> Double { seconds - max(0, now.timeIntervalSince(start)) }

    /// Returns the duration of a new timer that ends this span, which began at `start`; `nil` if the span is over.
    ///
    /// Even a span of zero takes a turn of the scheduler: it is not over at the moment at which it began.
    @usableFromInline
    func rest(from start: Date, at now: Date) -> DispatchTimeInterval? {
        let rest = remainder(from: start, at: now)
        return rest >= .dateResolution || now == start ? .rounded(seconds: rest) : nil
    }

    /// Returns a span of `seconds`, rounded to nanoseconds. A negative number counts as zero. A span of more
    /// nanoseconds than an `Int` can hold, 292 years, is endless.
    @usableFromInline
    static func rounded(seconds: Double) -> DispatchTimeInterval {
        Int(exactly: max(0, seconds * 1e9).rounded()).map { .nanoseconds($0) } ?? .never
    }
}

extension Double {
    /// The shortest time that counts, in seconds: dates of this century are 0.12 µs apart.
    @usableFromInline static var dateResolution: Double { 1e-6 }
}
