#if TRACE_RESOURCES
import CPlatform

/// Counts what schedulers that keep real time have before them, so that who waits for them knows how long.
///
/// Once per piece of work, which takes two allocations anyway; a timer's ticks are not counted.
enum Pending {
    /// A scheduler has taken a piece of work, to do it later.
    @inline(__always) static func workAccepted() {
        rx_count(UInt32(rx_pending_work), 1)
        rx_count(UInt32(rx_accepted_work), 1)
    }

    /// The work has been done, or will not be.
    @inline(__always) static func workOver() { rx_count(UInt32(rx_pending_work), -1) }

    /// A timer has begun to run, until it is disposed.
    @inline(__always) static func timerStarted() {
        rx_count(UInt32(rx_pending_timers), 1)
        rx_count(UInt32(rx_accepted_work), 1)
    }

    @inline(__always) static func timerStopped() { rx_count(UInt32(rx_pending_timers), -1) }
}
#endif
