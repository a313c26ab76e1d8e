public import CoreMetrics
import Synchronization

/// A metrics system that has only gauges, and writes them in the text format of Prometheus. A service with a different
/// metrics system passes that system to `MetricsSystem.bootstrap` instead.
public final class GaugeTable: MetricsFactory {
    private let values = Mutex<[String: Double]>([:])

    public init() {}

    /// One line for each gauge, sorted by name.
    public var text: String {
        values.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    }

    private final class Gauge: RecorderHandler {
        let table: GaugeTable
        let name: String

        init(_ name: String, of table: GaugeTable) {
            self.name = name
            self.table = table
        }

        func record(_ value: Int64) { record(Double(value)) }
        func record(_ value: Double) { table.values.withLock { $0[name] = value } }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let labels = dimensions.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
        return Gauge(labels.isEmpty ? label : "\(label){\(labels)}", of: self)
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        NOOPMetricsHandler.instance
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
}
