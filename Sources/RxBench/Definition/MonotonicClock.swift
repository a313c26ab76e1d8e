#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A monotonic clock, which never goes backwards.
public enum MonotonicClock {
    /// The number of nanoseconds since an arbitrary start. The clock can be read on any thread.
    @inline(__always)
    public static var nanoseconds: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// Returns the time of another system clock in nanoseconds.
    @inline(__always)
    package static func nanoseconds(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
