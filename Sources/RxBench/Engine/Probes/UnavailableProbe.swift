import RxBench

/// Reports that metrics are unavailable and why, so that a result names the metrics that it lacks.
///
/// ```swift
/// let probe = UnavailableProbe(
///     [MetricDefinition(name: Metric.retains, unit: "count/iteration")], because: "nothing counts them")
/// print(probe.stop().count)  // 1
/// ```
package final class UnavailableProbe: MetricProbe {
    /// The metrics that are unavailable.
    package let metrics: [MetricDefinition]
    private let reason: String

    /// Creates a probe of `metrics`. `reason` is the end of a sentence without a full stop. It contains the remedy.
    package init(_ metrics: [MetricDefinition], because reason: String) {
        self.metrics = metrics
        self.reason = reason
    }

    /// Does nothing.
    package func start() {}

    /// Returns the reason, once for each metric.
    package func stop() -> [MetricReading] { metrics.map { _ in .unavailable(reason) } }
}
