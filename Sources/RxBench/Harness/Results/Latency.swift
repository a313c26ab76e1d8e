/// How often one duration was recorded; durations that agree in three significant digits share a bucket.
public struct LatencyBucket: Codable, Sendable, Equatable {
    /// The highest duration of the bucket, in nanoseconds.
    public let nanoseconds: UInt64
    /// How often it was recorded.
    public let count: UInt64
}
