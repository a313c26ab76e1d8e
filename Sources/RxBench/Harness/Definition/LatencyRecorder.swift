import Histogram

/// Collects durations that a workload measures itself, in an HDR histogram with three significant digits.
///
/// This class is not thread-safe. Record on one thread, or after the measuring threads have been joined.
public final class LatencyRecorder {
    /// The longest recorded duration, which is one hour. Longer durations are counted as one hour.
    static let ceilingNanoseconds: UInt64 = 3_600_000_000_000
    /// The number of durations that are buffered before they are added to the histogram. The histogram has tens of
    /// thousands of counters, and a comparison often reads the durations of only a few iterations.
    static let mostWaiting = 16_384

    private var histogram = Histogram<UInt64>(
        highestTrackableValue: LatencyRecorder.ceilingNanoseconds, numberOfSignificantValueDigits: .three)
    private var waiting: [UInt64] = []

    /// Creates an empty recorder, with which a test can run a workload's iteration.
    public init() { waiting.reserveCapacity(Self.mostWaiting) }

    /// Records a duration. O(1) amortised, without allocations.
    public func record(nanoseconds: UInt64) {
        if waiting.count == Self.mostWaiting { putIntoHistogram() }
        waiting.append(min(nanoseconds, Self.ceilingNanoseconds))
    }

    /// The number of recorded durations.
    public var count: UInt64 { histogram.totalCount + UInt64(waiting.count) }

    /// Removes all recorded durations. The runner calls this after warm-up.
    func reset() {
        waiting.removeAll(keepingCapacity: true)
        if histogram.totalCount > 0 { histogram.reset() }
    }

    /// The distinct values in ascending order, with their counts.
    var buckets: [LatencyBucket] {
        putIntoHistogram()
        return histogram.recordedValues().map { LatencyBucket(nanoseconds: $0.value, count: $0.count) }
    }

    /// Returns the recorded durations and removes them. They are as precise as ``buckets`` or more precise.
    ///
    /// - Complexity: O(*n* log *n*) if there are so few durations that none was added to the histogram.
    func take() -> [LatencyBucket] {
        defer { reset() }
        guard histogram.totalCount == 0 else { return buckets }
        return LatencyDistribution(waiting.map { LatencyBucket(nanoseconds: $0, count: 1) }).buckets
    }

    private func putIntoHistogram() {
        for nanoseconds in waiting { histogram.record(nanoseconds) }
        waiting.removeAll(keepingCapacity: true)
    }
}
