public import CoreMetrics
import Rx
public import RxTrace

/// Gauges of swift-metrics that show how many reactive resources are alive.
///
/// ```swift compiled
/// let gauges = ResourceGauges()
/// _ = RxTrace.resourceCounts(every: .seconds(20), scheduler: scheduler).subscribe(onNext: gauges.record)
/// ```
///
/// There is one gauge for all resources, `rx_resources`, and one gauge for each kind, `rx_resources_of_kind` with the
/// dimension `kind`: `observable`, `subject`, `sink` and so on. In a build that does not trace resources nothing is
/// recorded, because a 0 would look like a count.
public struct ResourceGauges: Sendable {
    private let total: Recorder
    private let kinds: [(kind: Resources.Kind, gauge: Recorder)]

    /// Creates gauges of one metrics system.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of their labels, before `_resources`.
    ///   - factory: the metrics system. By default it is the system that `MetricsSystem.bootstrap` has set.
    public init(prefix: String = "rx", factory: (any MetricsFactory)? = nil) {
        let factory = factory ?? MetricsSystem.factory
        // A gauge is a recorder that does not aggregate.
        total = Recorder(label: prefix + "_resources", aggregate: false, factory: factory)
        kinds = Resources.Kind.allCases.map { kind in
            let dimensions = [("kind", "\(kind)")]
            return (
                kind,
                Recorder(
                    label: prefix + "_resources_of_kind", dimensions: dimensions, aggregate: false, factory: factory)
            )
        }
    }

    /// Sets the gauges to the counts of a snapshot. Call it from any thread.
    public func record(_ snapshot: ResourceSnapshot) {
        guard let count = snapshot.total else { return }
        total.record(count)
        for (kind, gauge) in kinds { gauge.record(snapshot.count(of: kind) ?? 0) }
    }

    /// Informs the metrics system that the gauges are no longer used. Record nothing afterwards.
    public func destroy() {
        total.destroy()
        for (_, gauge) in kinds { gauge.destroy() }
    }
}
