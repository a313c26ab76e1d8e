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
    /// Correct.
    case acceptable
    /// Correct, and worth knowing how often it happens.
    case interesting
    /// A defect: seen once, the run ends with exit code 1.
    case forbidden
}

/// How often one outcome was seen.
public struct RaceOutcome: Codable, Sendable, Equatable {
    /// The observation, in a few words: `lost update`.
    public let label: String
    /// How it is graded.
    public let expectation: Expectation
    /// How many rounds ended with it.
    public var count: UInt64

    /// An outcome with its count.
    public init(label: String, expectation: Expectation, count: UInt64) {
        self.label = label
        self.expectation = expectation
        self.count = count
    }
}

/// Counts the graded outcomes of a workload's rounds.
///
/// Not thread-safe: record on one thread, after the threads that raced have been joined or have met at a barrier.
public final class OutcomeRecorder {
    private var counts: [Key: UInt64] = [:]

    private struct Key: Hashable {
        let label: String
        let expectation: Expectation
    }

    /// An empty recorder, to try a workload's iteration in a test.
    public init() {}

    /// Adds `count` rounds that ended with the outcome `label`.
    public func record(_ label: String, _ expectation: Expectation, count: UInt64 = 1) {
        counts[Key(label: label, expectation: expectation), default: 0] += count
    }

    /// Everything recorded, forbidden outcomes first, then by label.
    public var outcomes: [RaceOutcome] {
        counts.map { RaceOutcome(label: $0.key.label, expectation: $0.key.expectation, count: $0.value) }.inReportOrder
    }
}

extension [RaceOutcome] {
    /// Forbidden outcomes first, then interesting ones, then by label.
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

    /// Both lists with the counts of equal outcomes added up.
    func merged(with other: [RaceOutcome]) -> [RaceOutcome] {
        let recorder = OutcomeRecorder()
        for outcome in self + other { recorder.record(outcome.label, outcome.expectation, count: outcome.count) }
        return recorder.outcomes
    }
}

/// Collects the durations that a workload measures itself, in an HDR histogram of three significant digits.
///
/// Not thread-safe: record on one thread, or after the threads that measured have been joined.
public final class LatencyRecorder {
    /// An hour: longer durations are counted as one.
    static let ceilingNanoseconds: UInt64 = 3_600_000_000_000
    /// So many durations wait to be put into the histogram: it has tens of thousands of counters, and a comparison
    /// reads what a few iterations have recorded, again and again.
    static let mostWaiting = 16_384

    private var histogram = Histogram<UInt64>(
        highestTrackableValue: LatencyRecorder.ceilingNanoseconds, numberOfSignificantValueDigits: .three)
    private var waiting: [UInt64] = []

    /// An empty recorder, to try a workload's iteration in a test.
    public init() { waiting.reserveCapacity(Self.mostWaiting) }

    /// Records one duration. O(1) amortised, no allocation.
    public func record(nanoseconds: UInt64) {
        if waiting.count == Self.mostWaiting { putIntoHistogram() }
        waiting.append(min(nanoseconds, Self.ceilingNanoseconds))
    }

    /// How many durations were recorded.
    public var count: UInt64 { histogram.totalCount + UInt64(waiting.count) }

    /// Forgets everything recorded so far; the runner does this after warm-up.
    func reset() {
        waiting.removeAll(keepingCapacity: true)
        if histogram.totalCount > 0 { histogram.reset() }
    }

    /// Distinct values with their counts, ascending.
    var buckets: [LatencyBucket] {
        putIntoHistogram()
        return histogram.recordedValues().map { LatencyBucket(nanoseconds: $0.value, count: $0.count) }
    }

    /// Returns what was recorded, as ``buckets`` or more precisely, and forgets it.
    ///
    /// - Complexity: O(*n* log *n*) for so few durations that none had to be put into the histogram.
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
