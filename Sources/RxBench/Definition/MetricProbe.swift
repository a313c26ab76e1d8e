/// Reads one or more exact metrics before and after an iteration.
///
/// Each probe runs in separate iterations of the exact pass, so that probes do not disturb each other or the clock. The
/// runner calls `start`, runs one iteration, and calls `stop`, all on one thread.
public protocol MetricProbe: AnyObject {
    /// The metrics of this probe, in the order of the readings that `stop` returns.
    var metrics: [MetricDefinition] { get }
    /// Stores the state before an iteration. This method must not allocate after its last reading.
    func start()
    /// Returns the readings of the iteration since `start` was called, one for each of ``metrics``.
    func stop() -> [MetricReading]
}

/// The name and unit of a metric.
public struct MetricDefinition: Codable, Sendable, Hashable {
    /// A stable name in camel case, such as `allocations`.
    public let name: String
    /// The unit of the reading of one iteration, such as `count` or `bytes`.
    public let unit: MetricUnit

    /// Creates a metric with the given name and unit.
    public init(name: String, unit: MetricUnit) {
        self.name = name
        self.unit = unit
    }
}

/// A figure, or the reason why it is unavailable. A figure that could not be read is never reported as 0.
public enum MetricReading: Sendable, Equatable, Codable {
    /// The figure, in the metric's unit.
    case value(Double)
    /// The figure is unavailable. The reason is the end of a sentence without a full stop.
    case unavailable(String)
}

/// Reads the change of a running total over an iteration, such as the number of live resources.
///
/// ```swift
/// let probe = TotalProbe(MetricDefinition(name: "liveResources", unit: "count")) { .value(Double(Resources.total)) }
/// probe.start()
/// print(probe.stop())  // [RxBench.MetricReading.value(0.0)]
/// ```
public final class TotalProbe: MetricProbe {
    /// The single metric of this probe.
    public let metrics: [MetricDefinition]
    private let read: () -> MetricReading
    private var before = MetricReading.value(0)

    /// Creates a probe of the metric `definition`. `read` returns the running total.
    public init(_ definition: MetricDefinition, read: @escaping () -> MetricReading) {
        metrics = [definition]
        self.read = read
    }

    /// Stores the current total.
    public func start() { before = read() }

    /// Returns the increase of the total since `start()` was called. It is negative if the total has decreased.
    public func stop() -> [MetricReading] {
        switch (before, read()) {
        case (.value(let before), .value(let after)): [.value(after - before)]
        case (.unavailable(let reason), _), (_, .unavailable(let reason)): [.unavailable(reason)]
        }
    }
}
