import Histogram

/// Collects the durations that a workload measures itself, in an HDR histogram of three significant digits.
///
/// Not thread-safe: record on one thread, or after the threads that measured have been joined.
public final class LatencyRecorder {
    /// An hour: longer durations are counted as one.
    static let ceilingNanoseconds: UInt64 = 3_600_000_000_000

    private(set) var histogram = Histogram<UInt64>(
        highestTrackableValue: LatencyRecorder.ceilingNanoseconds, numberOfSignificantValueDigits: .three)

    /// An empty recorder, to try a workload's iteration in a test.
    public init() {}

    /// Records one duration. O(1), no allocation.
    public func record(nanoseconds: UInt64) {
        histogram.record(min(nanoseconds, Self.ceilingNanoseconds))
    }

    /// How many durations were recorded.
    public var count: UInt64 { histogram.totalCount }

    /// Forgets everything recorded so far; the runner does this after warm-up.
    func reset() { histogram.reset() }

    /// Distinct values with their counts, ascending.
    var buckets: [LatencyBucket] {
        histogram.recordedValues().map { LatencyBucket(nanoseconds: $0.value, count: $0.count) }
    }
}
