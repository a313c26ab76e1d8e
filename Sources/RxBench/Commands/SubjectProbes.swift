import RxBench

/// What the harness cannot know of the code that it measures.
enum SubjectProbes {
    /// How many reactive resources an iteration leaves behind.
    static var liveResources: any MetricProbe {
        TotalProbe(MetricDefinition(name: Metric.liveResources, unit: "count/iteration")) {
            .unavailable("the core does not count its resources yet")
        }
    }

    /// Whether this build counts resources.
    static var isTracing: Bool {
        #if TRACE_RESOURCES
            true
        #else
            false
        #endif
    }
}
