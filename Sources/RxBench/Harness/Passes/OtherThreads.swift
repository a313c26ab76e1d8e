#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether threads beside the calling one work while it does something.
///
/// The process's processor time less the thread's own. Both stand still while others have the processor, so that load
/// plays no part.
struct OtherThreads {
    /// What reading two clocks one after the other may come to.
    private static let tolerance: Int64 = 20_000
    private let own, all: Int64

    /// Begins to watch.
    init() {
        (own, all) = Self.times
    }

    /// Whether others have had more than 20 µs and a hundredth of this thread's time since.
    var haveWorked: Bool {
        let now = Self.times
        let ownTime = now.own - own
        return now.all - all - ownTime > max(Self.tolerance, ownTime / 100)
    }

    private static var times: (own: Int64, all: Int64) {
        func nanoseconds(_ clock: clockid_t) -> Int64 { Int64(MonotonicClock.nanoseconds(of: clock)) }
        return (nanoseconds(CLOCK_THREAD_CPUTIME_ID), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
    }
}
