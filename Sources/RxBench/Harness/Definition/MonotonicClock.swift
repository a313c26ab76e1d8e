#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The wall clock that never runs backwards.
public enum MonotonicClock {
    /// Nanoseconds since an arbitrary start. Callable from any thread.
    @inline(__always)
    public static var nanoseconds: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// The nanoseconds of another of the system's clocks.
    @inline(__always)
    static func nanoseconds(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
