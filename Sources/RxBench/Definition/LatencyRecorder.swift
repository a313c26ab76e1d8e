/// Collects durations that a workload measures itself, with three significant digits.
///
/// This class is not thread-safe. Record on one thread, or after the measuring threads have been joined.
public final class LatencyRecorder {
    /// The longest recorded duration, which is one hour. Longer durations are counted as one hour.
    static let ceilingNanoseconds: UInt64 = 3_600_000_000_000
    /// The number of durations that are buffered before they are added to the histogram. The histogram has tens of
    /// thousands of counters, and a comparison often reads the durations of only a few iterations.
    static let mostWaiting = 16_384

    private var histogram = LatencyHistogram(to: LatencyRecorder.ceilingNanoseconds)
    private var waiting: [UInt64] = []

    /// Creates an empty recorder, with which a test can run a workload's iteration.
    public init() { waiting.reserveCapacity(Self.mostWaiting) }

    /// Records a duration. O(1) amortised, without allocations.
    public func record(nanoseconds: UInt64) {
        if waiting.count == Self.mostWaiting { putIntoHistogram() }
        waiting.append(min(nanoseconds, Self.ceilingNanoseconds))
    }

    /// The number of recorded durations.
    public var count: UInt64 { histogram.total + UInt64(waiting.count) }

    /// Removes all recorded durations. The runner calls this after warm-up.
    package func reset() {
        waiting.removeAll(keepingCapacity: true)
        if histogram.total > 0 { histogram.reset() }
    }

    /// The distinct values in ascending order, with their counts.
    package var buckets: [LatencyBucket] {
        putIntoHistogram()
        return histogram.buckets
    }

    /// Returns the recorded durations and removes them. They are as precise as ``buckets`` or more precise.
    ///
    /// - Complexity: O(*n* log *n*) if there are so few durations that none was added to the histogram.
    package func take() -> [LatencyBucket] {
        defer { reset() }
        guard histogram.total == 0 else { return buckets }
        var taken: [LatencyBucket] = []
        for nanoseconds in waiting.sorted() {
            let count = taken.last?.nanoseconds == nanoseconds ? taken.removeLast().count : 0
            taken.append(LatencyBucket(nanoseconds: nanoseconds, count: count + 1))
        }
        return taken
    }

    private func putIntoHistogram() {
        for nanoseconds in waiting { histogram.add(nanoseconds) }
        waiting.removeAll(keepingCapacity: true)
    }
}

/// The number of times that a duration was recorded. Durations that agree in three significant digits share a bucket.
package struct LatencyBucket: Codable, Sendable, Equatable {
    /// The longest duration of the bucket, in nanoseconds.
    package let nanoseconds: UInt64
    /// The number of times that the duration was recorded.
    package let count: UInt64

    /// Creates a bucket.
    package init(nanoseconds: UInt64, count: UInt64) {
        self.nanoseconds = nanoseconds
        self.count = count
    }
}

/// Counts of durations in buckets. Durations that agree in three significant digits share a bucket, as in the
/// [HDR histogram](http://hdrhistogram.org).
///
/// The first 2,048 buckets are one nanosecond wide. From there, each power of two has 1,024 buckets, which are twice as
/// wide as the buckets of the previous power.
struct LatencyHistogram {
    private var counts: [UInt64]
    /// The number of durations.
    private(set) var total: UInt64 = 0

    /// Allocates the counts for durations up to `ceiling`.
    init(to ceiling: UInt64) { counts = Array(repeating: 0, count: Self.index(of: ceiling) + 1) }

    /// Adds a duration of at most the histogram's ceiling. O(1), without allocations.
    mutating func add(_ nanoseconds: UInt64) {
        counts[Self.index(of: nanoseconds)] += 1
        total += 1
    }

    /// Sets all counts to 0.
    mutating func reset() {
        for index in counts.indices { counts[index] = 0 }
        total = 0
    }

    /// The buckets with durations, in ascending order.
    var buckets: [LatencyBucket] {
        counts.indices.lazy.filter { counts[$0] > 0 }.map {
            LatencyBucket(nanoseconds: Self.longest(at: $0), count: counts[$0])
        }
    }

    /// Returns the index of the bucket of a duration.
    static func index(of nanoseconds: UInt64) -> Int {
        // The duration without its last `shift` bits is less than 2,048.
        let shift = max(0, 53 - nanoseconds.leadingZeroBitCount)
        return shift << 10 + Int(nanoseconds >> shift)
    }

    /// Returns the longest duration of the bucket at `index`.
    static func longest(at index: Int) -> UInt64 {
        let shift = max(0, index >> 10 - 1)
        return UInt64(index - shift << 10 + 1) << shift - 1
    }
}
