import Rx
import RxBench
import RxBenchRaces

/// The probes of the measured code, which the harness does not know.
enum CoreProbes {
    /// The built-in probes and `others`, which replace built-in ones of the same metrics.
    static func all(replacedBy others: [any MetricProbe]) -> [any MetricProbe] {
        let replaced = Set(others.flatMap(\.metrics))
        return [liveResources, objects].filter { replaced.isDisjoint(with: $0.metrics) } + others
    }

    /// Objects, retains and releases. Counting them means to stand in for functions of Swift's runtime, which concerns
    /// the whole process: a tool that wants it says so by a probe of its own.
    static var objects: any MetricProbe {
        UnavailableProbe(
            [Metric.objects, Metric.retains, Metric.releases].map {
                MetricDefinition(name: $0, unit: "count/iteration")
            },
            because:
                """
                this tool does not stand before Swift's runtime; link 'RxBenchObjects' and give 'RxBenchMain.run' \
                its ObjectProbe
                """
        )
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

    /// The invariant of a search for races after each execution: as many live resources as before it.
    static var invariants: [RaceInvariant] {
        #if TRACE_RESOURCES
            [RaceInvariant("live resources") { Int(Resources.total) }]
        #else
            []
        #endif
    }

    /// Whether this build counts resources.
    static var isTracing: Bool { Resources.isTracing }
}
