import RxBenchStatistics

/// A fixed arithmetic loop, the same in every commit: when it moves, the machine has moved.
enum ControlLoop {
    private static let steps = 200_000

    /// Nanoseconds of one step, the median of a few runs. Takes about a millisecond.
    static func measure() -> Double {
        let runs = (0..<5).map { _ in
            let start = MonotonicClock.nanoseconds
            var value: UInt64 = 1
            for _ in 0..<steps { value = opaque(value &* 6_364_136_223_846_793_005 &+ 1) }
            blackHole(value)
            return Double(MonotonicClock.nanoseconds - start) / Double(steps)
        }
        return Quantiles.median(of: runs) ?? 0
    }
}
