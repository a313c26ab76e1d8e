import CRxBench
import RxBench

/// Counts Swift objects, retains and releases of all threads in an iteration, exactly.
///
/// Counting requires that functions of the Swift runtime are interposed, which the product `RxTraceObjects` does in
/// every program that links it. Objects, retains and releases then take longer in every pass of the tool. Compare times
/// only with the times of another tool that links it too. Calls within the standard library are not counted.
package final class ObjectProbe: MetricProbe {
    /// The numbers of objects, retains and releases.
    package let metrics = [Metric.objects, Metric.retains, Metric.releases].map {
        MetricDefinition(name: $0, unit: "count/iteration")
    }

    private let obstacle = rxbench_objects_obstacle().map { String(cString: $0) }
    private var before = rxbench_objects()

    /// Creates a probe of this process. If the runtime's functions are not interposed, its readings are unavailable,
    /// and they contain the reason.
    package init() {}

    /// Stores the current totals.
    package func start() { if obstacle == nil { before = rxbench_objects_of_all_threads() } }

    /// Returns the numbers of objects created, retains and releases since `start()` was called.
    package func stop() -> [MetricReading] {
        // This read comes first, so that nothing in this method is counted.
        let after = rxbench_objects_of_all_threads()
        // Reasons in readings do not end with a full stop.
        if let obstacle {
            return metrics.map { _ in .unavailable(obstacle.hasSuffix(".") ? String(obstacle.dropLast()) : obstacle) }
        }
        return [
            .value(Double(after.allocations &- before.allocations)), .value(Double(after.retains &- before.retains)),
            .value(Double(after.releases &- before.releases)),
        ]
    }
}
