internal import CObjects
public import RxBench

/// Counts Swift objects, retains and releases of all threads in an iteration, exactly.
///
/// ```swift compiled
/// import RxBenchCommands
/// import RxBenchObjects
///
/// RxBenchMain.run([mySuite], probes: { [ObjectProbe()] })
/// ```
///
/// Linking this module interposes functions of the Swift runtime in every pass of the tool, so objects, retains and
/// releases take longer. Compare times only with the times of another tool that links it too. Calls within the standard
/// library are not counted.
public final class ObjectProbe: MetricProbe {
    /// The numbers of objects, retains and releases.
    public let metrics = [Metric.objects, Metric.retains, Metric.releases].map {
        MetricDefinition(name: $0, unit: "count/iteration")
    }

    private let obstacle = objects_obstacle().map { String(cString: $0) }
    private var before = objects_counts()

    /// Creates a probe of this process. If the runtime's functions are not interposed, its readings are unavailable,
    /// and they contain the reason.
    public init() {}

    /// Stores the current totals.
    public func start() { if obstacle == nil { before = objects_of_all_threads() } }

    /// Returns the numbers of objects created, retains and releases since `start()` was called.
    public func stop() -> [MetricReading] {
        // This read comes first, so that nothing in this method is counted.
        let after = objects_of_all_threads()
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
