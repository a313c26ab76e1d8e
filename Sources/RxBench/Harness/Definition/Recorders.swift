import Histogram
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The grade that the author of a race gives an outcome.
public enum Expectation: String, Codable, Sendable, CaseIterable {
    /// A correct outcome.
    case acceptable
    /// A correct outcome whose frequency is worth knowing.
    case interesting
    /// A defect. If it occurs once, the run ends with exit code 1.
    case forbidden
}

/// The number of times that an outcome occurred.
public struct RaceOutcome: Codable, Sendable, Equatable {
    /// A short description of the observed result, such as `lost update`.
    public let label: String
    /// The grade of the outcome.
    public let expectation: Expectation
    /// The number of rounds that ended with the outcome.
    public var count: UInt64

    /// Creates an outcome with the given count.
    public init(label: String, expectation: Expectation, count: UInt64) {
        self.label = label
        self.expectation = expectation
        self.count = count
    }
}

/// Counts the graded outcomes of a workload's rounds.
///
/// This class is not thread-safe. Record on one thread, after the racing threads have been joined or have met at a
/// barrier.
public final class OutcomeRecorder {
    private var counts: [Key: UInt64] = [:]

    private struct Key: Hashable {
        let label: String
        let expectation: Expectation
    }

    /// Creates an empty recorder, with which a test can run a workload's iteration.
    public init() {}

    /// Adds `count` rounds that ended with the outcome `label`.
    public func record(_ label: String, _ expectation: Expectation, count: UInt64 = 1) {
        counts[Key(label: label, expectation: expectation), default: 0] += count
    }

    /// All recorded outcomes. Forbidden outcomes come first, and outcomes of the same rank are sorted by label.
    public var outcomes: [RaceOutcome] {
        counts.map { RaceOutcome(label: $0.key.label, expectation: $0.key.expectation, count: $0.value) }.inReportOrder
    }
}

extension [RaceOutcome] {
    /// The outcomes in the order of reports: forbidden outcomes, then interesting ones, then the others. Outcomes of
    /// the same rank are sorted by label.
    var inReportOrder: [RaceOutcome] {
        func rank(_ outcome: RaceOutcome) -> Int {
            switch outcome.expectation {
            case .forbidden: 0
            case .interesting: 1
            case .acceptable: 2
            }
        }
        return sorted { (rank($0), $0.label) < (rank($1), $1.label) }
    }

    /// Returns the outcomes of both lists. The counts of equal outcomes are added.
    func merged(with other: [RaceOutcome]) -> [RaceOutcome] {
        let recorder = OutcomeRecorder()
        for outcome in self + other { recorder.record(outcome.label, outcome.expectation, count: outcome.count) }
        return recorder.outcomes
    }
}

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

/// A monotonic clock, which never goes backwards.
public enum MonotonicClock {
    /// The number of nanoseconds since an arbitrary start. The clock can be read on any thread.
    @inline(__always)
    public static var nanoseconds: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// Returns the time of another system clock in nanoseconds.
    @inline(__always)
    static func nanoseconds(of clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
