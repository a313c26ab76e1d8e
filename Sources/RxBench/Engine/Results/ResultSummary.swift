import RxBench

/// The figures of a stored result without its raw samples and quantiles. A history of many results needs only these.
package struct ResultSummary: Sendable, Equatable {
    /// The time at which the run began, in ISO 8601 format in UTC.
    package let date: String
    /// The stable name of the machine.
    package let machine: String
    /// `release` or `debug`.
    package let configuration: String
    /// Whether the measured code counted its resources.
    package let isTracing: Bool
    /// The allocator of the processes that measured time, or `nil` if the file does not name it.
    package internal(set) var allocator: String?
    /// The compiler that built the tool.
    package let swiftVersion: Reading<String>
    /// The commit of the measured code.
    package let commit: Reading<Commit>
    /// The time of the control loop, whose code never changes.
    package let control: Reading<Double>
    /// The benchmarks, in the order of the file.
    package let benchmarks: [Benchmark]

    /// The measurements of one benchmark.
    package struct Benchmark: Sendable, Equatable {
        /// The benchmark's stable name.
        package let id: String
        /// Words by which the benchmark can be selected.
        package let tags: [String]
        /// The number of operations per iteration.
        package let operations: Int
        /// The reason why the benchmark could not be measured, or `nil` if it was measured.
        package let failure: String?
        /// The figures.
        package let metrics: [Figure]
    }

    /// A single figure of a benchmark.
    package struct Figure: Sendable, Equatable {
        /// The metric's stable name.
        package let name: String
        /// The metric's unit.
        package let unit: MetricUnit
        /// Whether the metric was counted or estimated.
        package let kind: Metric.Kind
        /// The figure, or the reason why it is unavailable.
        package let reading: Reading<Double>
        /// Whether all iterations of an exact metric agreed. It is `nil` for a sampled metric.
        package let isStable: Bool?
    }
}

extension ResultSummary {
    /// Creates a summary of `result`.
    package init(_ result: RunResult) {
        self.init(
            date: result.run.date, machine: result.environment.machine,
            configuration: result.environment.configuration, isTracing: result.environment.isTracing,
            allocator: result.run.allocator, swiftVersion: result.environment.swiftVersion, commit: result.commit,
            control: result.control.reading,
            benchmarks: result.benchmarks.map { benchmark in
                Benchmark(
                    id: benchmark.id, tags: benchmark.tags, operations: benchmark.operations,
                    failure: benchmark.failure,
                    metrics: benchmark.metrics.map {
                        Figure(name: $0.name, unit: $0.unit, kind: $0.kind, reading: $0.reading, isStable: $0.isStable)
                    })
            })
    }
}
