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
/// Linking it puts functions of its own before those of Swift's runtime, in every pass of the tool: objects, retains
/// and releases take longer then. So compare times with those of a tool that links it, too. The standard library's own
/// work inside itself is not seen.
public final class ObjectProbe: MetricProbe {
    /// Objects, retains, releases.
    public let metrics = [Metric.objects, Metric.retains, Metric.releases].map {
        MetricDefinition(name: $0, unit: "count/iteration")
    }

    private let obstacle = objects_obstacle().map { String(cString: $0) }
    private var before = objects_counts()

    /// A probe of this process; its readings are unavailable, with the reason, where nothing stands before the runtime.
    public init() {}

    /// Remembers the totals.
    public func start() { if obstacle == nil { before = objects_of_all_threads() } }

    /// Objects made, retains and releases since `start`.
    public func stop() -> [MetricReading] {
        // Before anything else, so that nothing here is counted.
        let after = objects_of_all_threads()
        // A reason ends without a full stop.
        if let obstacle {
            return metrics.map { _ in .unavailable(obstacle.hasSuffix(".") ? String(obstacle.dropLast()) : obstacle) }
        }
        return [
            .value(Double(after.allocations &- before.allocations)), .value(Double(after.retains &- before.retains)),
            .value(Double(after.releases &- before.releases)),
        ]
    }
}
