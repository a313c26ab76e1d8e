/// Says of metrics that nothing reads them, and why: so that a result names what it lacks.
///
/// ```swift
/// let probe = UnavailableProbe(
///     [MetricDefinition(name: Metric.retains, unit: "count/iteration")], because: "nothing counts them")
/// print(probe.stop().count)  // 1
/// ```
public final class UnavailableProbe: MetricProbe {
    /// What is not read.
    public let metrics: [MetricDefinition]
    private let reason: String

    /// A probe of `metrics`; `reason` is the end of a sentence without a full stop, with the remedy.
    public init(_ metrics: [MetricDefinition], because reason: String) {
        self.metrics = metrics
        self.reason = reason
    }

    /// Nothing to remember.
    public func start() {}

    /// The reason, once for each metric.
    public func stop() -> [MetricReading] { metrics.map { _ in .unavailable(reason) } }
}
