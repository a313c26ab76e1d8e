/// Divides the time of a run among its processes, and corrects itself as processes turn out slower or faster than
/// thought.
struct TimeBudget {
    /// Fewer benchmarks get no more than this each: longer processes add iterations, not processes, and only the latter
    /// narrow the interval.
    static let longestSliceNanoseconds = 250_000_000.0
    /// Enough for calibration and a few batches.
    static let shortestSliceNanoseconds = 8_000_000.0

    private var deadline: UInt64
    /// What a process costs beyond its slice: its start, set-up and calibration. Begins as a guess, then follows what
    /// was seen.
    private(set) var overheadNanoseconds = 40_000_000.0
    private var isFirst = true

    init(now: UInt64, totalSeconds: Double) {
        deadline = now + UInt64(totalSeconds * 1e9)
    }

    /// How long the next of `remaining` processes may measure.
    func slice(now: UInt64, remaining: Int) -> UInt64 {
        let left = deadline > now ? Double(deadline - now) : 0
        let share = left / Double(max(remaining, 1)) - overheadNanoseconds
        return UInt64(min(max(share, Self.shortestSliceNanoseconds), Self.longestSliceNanoseconds))
    }

    /// Ends later by `nanoseconds`, which went to something else.
    mutating func extend(nanoseconds: UInt64) { deadline += nanoseconds }

    /// Learns from a process that took `nanoseconds` in all.
    mutating func record(_ nanoseconds: UInt64, slice: UInt64) {
        let overhead = max(0, Double(nanoseconds) - Double(slice))
        overheadNanoseconds = isFirst ? overhead : overheadNanoseconds * 0.9 + overhead * 0.1
        isFirst = false
    }
}
