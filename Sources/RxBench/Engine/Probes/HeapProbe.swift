import RxBench

/// Counts allocations, allocated bytes, deallocations and remaining allocations of all threads through jemalloc. The
/// counts are exact.
///
/// Bytes are counted by size class: a request for 20 bytes counts as 32 bytes. Growing a block in place is not counted.
package final class HeapProbe: MetricProbe {
    /// The metrics: allocations, allocated bytes, deallocations, and allocations minus deallocations.
    package let metrics = [
        MetricDefinition(name: Metric.allocations, unit: "count/iteration"),
        MetricDefinition(name: Metric.allocatedBytes, unit: "bytes/iteration"),
        MetricDefinition(name: Metric.deallocations, unit: "count/iteration"),
        MetricDefinition(name: Metric.netAllocations, unit: "count/iteration"),
    ]

    /// The environment variables that a process needs at its start so that its counts are exact.
    package static let environment = ["MALLOC_CONF": "tcache:false"]

    #if Jemalloc
        private let jemalloc: Jemalloc?
        private var before = Jemalloc.Totals()
    #endif
    private let obstacle: String?

    /// Creates a probe of this process. If its counts would not be exact, its readings are unavailable, and they
    /// contain the reason.
    package init() {
        #if Jemalloc
            let jemalloc = Jemalloc()
            self.jemalloc = jemalloc
            obstacle = Self.obstacle(to: jemalloc)
        #else
            obstacle = "built without the Jemalloc trait; build with '--traits default' or '--traits Jemalloc'"
        #endif
    }

    /// The allocator's version, or the reason why its statistics cannot be read in this process.
    package static var allocatorVersion: Reading<String> {
        #if Jemalloc
            guard let jemalloc = Jemalloc(), let version = Jemalloc.version else {
                return .unavailable("jemalloc was built without statistics")
            }
            return jemalloc.servesThisProcess || !Jemalloc.isUncached
                ? .value(version) : .unavailable("the process does not allocate through jemalloc")
        #else
            return .unavailable("built without the Jemalloc trait")
        #endif
    }

    /// The version of jemalloc that the tool is linked with, even if another allocator serves this process.
    static var linkedVersion: String? {
        #if Jemalloc
            return Jemalloc.version
        #else
            return nil
        #endif
    }

    /// Stores the current totals.
    package func start() {
        #if Jemalloc
            if obstacle == nil, let jemalloc { before = jemalloc.totals() }
        #endif
    }

    /// Returns the readings of ``metrics`` since `start()` was called.
    package func stop() -> [MetricReading] {
        if let obstacle { return metrics.map { _ in .unavailable(obstacle) } }
        #if Jemalloc
            if let after = jemalloc?.totals() {
                let allocations = Double(after.allocations - before.allocations)
                let deallocations = Double(after.deallocations - before.deallocations)
                return [
                    .value(allocations), .value(Double(after.allocatedBytes - before.allocatedBytes)),
                    .value(deallocations),
                    .value(allocations - deallocations),
                ]
            }
        #endif
        return []
    }

    #if Jemalloc
        private static func obstacle(to jemalloc: Jemalloc?) -> String? {
            guard let jemalloc else { return "jemalloc was built without statistics" }
            guard Jemalloc.isUncached else {
                return "jemalloc caches per thread in this process; start it with MALLOC_CONF=tcache:false"
            }
            guard jemalloc.servesThisProcess else {
                return "the process does not allocate through jemalloc; a sanitizer or another allocator is in front"
            }
            return nil
        }
    #endif
}
