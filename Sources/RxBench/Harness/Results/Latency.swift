/// How often one duration was recorded; durations that agree in three significant digits share a bucket.
package struct LatencyBucket: Codable, Sendable, Equatable {
    /// The highest duration of the bucket, in nanoseconds.
    package let nanoseconds: UInt64
    /// How often it was recorded.
    package let count: UInt64

    /// A bucket.
    package init(nanoseconds: UInt64, count: UInt64) {
        self.nanoseconds = nanoseconds
        self.count = count
    }
}

/// Recorded durations, of one process or of several put together.
package struct LatencyDistribution: Sendable, Equatable {
    /// Distinct durations, ascending.
    package let buckets: [LatencyBucket]
    /// How many durations there are.
    package let count: UInt64

    /// The metrics that reports show, with their probabilities.
    package static let reported: [(name: String, probability: Double)] = [
        ("latencyP50", 0.5), ("latencyP90", 0.9), ("latencyP99", 0.99), ("latencyP999", 0.999), ("latencyMaximum", 1),
    ]

    /// Puts `buckets` in order and adds up equal durations. O(*n* log *n*).
    package init(_ buckets: [LatencyBucket]) {
        var counts: [UInt64: UInt64] = [:]
        for bucket in buckets {
            counts[bucket.nanoseconds] = (counts[bucket.nanoseconds] ?? 0).saturatingSum(bucket.count)
        }
        self.buckets = counts.map { LatencyBucket(nanoseconds: $0.key, count: $0.value) }.sorted {
            $0.nanoseconds < $1.nanoseconds
        }
        count = buckets.reduce(0) { $0.saturatingSum($1.count) }
    }

    /// The smallest duration that at least the share `probability` does not exceed, or `nil` when nothing was recorded.
    package func quantile(_ probability: Double) -> UInt64? {
        let wanted = max(1, UInt64(exactly: (probability * Double(count)).rounded(.up)) ?? count)
        var seen: UInt64 = 0
        for bucket in buckets {
            seen = seen.saturatingSum(bucket.count)
            if seen >= wanted { return bucket.nanoseconds }
        }
        return nil
    }
}

extension UInt64 {
    /// The sum, or the greatest number where it would be more: counts come from files that anybody can write.
    package func saturatingSum(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
