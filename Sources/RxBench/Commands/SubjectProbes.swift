import Rx
import RxBench

/// What the harness cannot know of the code that it measures.
enum SubjectProbes {
    /// The built-in probes and `others`, which replace built-in ones of the same metrics.
    static func all(replacedBy others: [any MetricProbe]) -> [any MetricProbe] {
        let replaced = Set(others.flatMap(\.metrics))
        return [liveResources].filter { replaced.isDisjoint(with: $0.metrics) } + others
    }

    /// How many reactive resources an iteration leaves behind.
    static var liveResources: any MetricProbe {
        TotalProbe(MetricDefinition(name: Metric.liveResources, unit: "count/iteration")) {
            #if TRACE_RESOURCES
                .value(Double(Resources.total))
            #else
                .unavailable("this build does not count resources; build with '--traits default,TRACE_RESOURCES'")
            #endif
        }
    }

    /// Whether this build counts resources.
    static var isTracing: Bool { Resources.isTracing }
}
