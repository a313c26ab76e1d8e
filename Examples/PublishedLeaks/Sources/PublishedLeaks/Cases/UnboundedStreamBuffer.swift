extension PublishedLeak {
    /// A common report about `AsyncStream`: its buffer is unbounded by default, and the consumer is slower than the
    /// producer or waits elsewhere. The published mend is `.bufferingNewest(_:)`.
    static let unboundedStreamBuffer = PublishedLeak(
        name: "unbounded-stream-buffer",
        expected: Expectation(
            "MetricSample", heldBy: "MetricsPipe.continuation", "MetricsPipe.samples",
            change: "MetricsPipe.continuation", "MetricsPipe.samples"),
        innocents: { count in (0..<count).map { MetricSample(value: Double($0)) } },
        leaky: .synchronous { MetricsPipe.unbounded.record(1.5) },
        fixed: .synchronous { MetricsPipe.bounded.record(1.5) })
}

private final class MetricSample: Sendable {
    let value: Double

    init(value: Double) { self.value = value }
}

private final class MetricsPipe: Sendable {
    static let unbounded = MetricsPipe(buffering: .unbounded)
    static let bounded = MetricsPipe(buffering: .bufferingNewest(8))

    let samples: AsyncStream<MetricSample>
    private let continuation: AsyncStream<MetricSample>.Continuation

    init(buffering: AsyncStream<MetricSample>.Continuation.BufferingPolicy) {
        (samples, continuation) = AsyncStream.makeStream(bufferingPolicy: buffering)
    }

    func record(_ value: Double) { continuation.yield(MetricSample(value: value)) }
}
