/// The figures of a stored result without the raw samples and quantiles behind them: what a history of many results
/// needs.
package struct ResultSummary: Sendable, Equatable {
    /// The version of the file's format.
    package let schemaVersion: Int
    /// When the run began, ISO 8601 in UTC.
    package let date: String
    /// The stable name of the machine.
    package let machine: String
    /// `release` or `debug`.
    package let configuration: Reading<String>
    /// Whether the measured code counted its resources.
    package let isTracing: Reading<Bool>
    /// Where an imported result comes from, in words; `nil` for what this tool has measured.
    package let origin: String?
    /// The allocator of the processes that measured time; `nil` where the file does not say so.
    package let allocator: String?
    /// The compiler that built the tool.
    package let swiftVersion: Reading<String>
    /// The measurements.
    package let commit: Reading<Commit>
    /// The time of the control loop, which never changes.
    package let control: Reading<Double>
    /// The benchmarks, in the order of the file.
    package let benchmarks: [Benchmark]

    /// The measurements of one benchmark.
    package struct Benchmark: Sendable, Equatable {
        /// The benchmark's stable name.
        package let id: String
        /// Words to select by.
        package let tags: [String]
        /// Operations per iteration.
        package let operations: Int
        /// Why the benchmark could not be measured; `nil` when it was.
        package let failure: String?
        /// The figures.
        package let metrics: [Figure]

        /// Describes a benchmark.
        package init(id: String, tags: [String], operations: Int, failure: String?, metrics: [Figure]) {
            self.id = id
            self.tags = tags
            self.operations = operations
            self.failure = failure
            self.metrics = metrics
        }
    }

    /// One figure.
    package struct Figure: Sendable, Equatable {
        /// The metric's stable name.
        package let name: String
        /// The metric's unit.
        package let unit: String
        /// Counted or estimated.
        package let kind: Metric.Kind
        /// The figure, or the reason why there is none.
        package let reading: Reading<Double>
        /// Whether all iterations of an exact metric agreed; `nil` for a sampled one.
        package let isStable: Bool?

        /// A figure.
        package init(name: String, unit: String, kind: Metric.Kind, reading: Reading<Double>, isStable: Bool?) {
            self.name = name
            self.unit = unit
            self.kind = kind
            self.reading = reading
            self.isStable = isStable
        }
    }

    init(
        schemaVersion: Int, date: String, machine: String, configuration: Reading<String>, isTracing: Reading<Bool>,
        origin: String? = nil,
        allocator: String? = nil, swiftVersion: Reading<String>, commit: Reading<Commit>, control: Reading<Double>,
        benchmarks: [Benchmark]
    ) {
        self.schemaVersion = schemaVersion
        self.date = date
        self.machine = machine
        self.configuration = configuration
        self.isTracing = isTracing
        self.origin = origin
        self.allocator = allocator
        self.swiftVersion = swiftVersion
        self.commit = commit
        self.control = control
        self.benchmarks = benchmarks
    }

    /// The figures of `result`.
    package init(_ result: RunResult) {
        self.init(
            schemaVersion: result.schemaVersion, date: result.run.date, machine: result.environment.machine,
            configuration: result.environment.configuration, isTracing: result.environment.isTracing,
            origin: result.run.importedFrom?.origin, allocator: result.run.allocator,
            swiftVersion: result.environment.swiftVersion, commit: result.commit, control: result.control.reading,
            benchmarks: result.benchmarks.map { benchmark in
                Benchmark(
                    id: benchmark.id, tags: benchmark.tags, operations: benchmark.operations,
                    failure: benchmark.failure,
                    metrics: benchmark.metrics.map {
                        Figure(name: $0.name, unit: $0.unit, kind: $0.kind, reading: $0.reading, isStable: $0.isStable)
                    })
            })
    }

    /// Reads the figures of a stored result, far faster than all of it. O(*n*) in the number of bytes.
    ///
    /// Skipped parts are not checked beyond their brackets; a file that cannot be understood this way is decoded whole.
    /// - Parameter name: The source's name in an error.
    /// - Throws: ``ResultError``, as ``RunResult/decoded(from:name:)`` does.
    package static func decoded(from bytes: [UInt8], name: String) throws(ResultError) -> ResultSummary {
        var scanner = JSONScanner(bytes)
        if let summary = try? scanner.resultSummary(), summary.schemaVersion <= RunResult.currentSchemaVersion {
            return summary
        }
        return ResultSummary(try RunResult.decoded(from: bytes, name: name))
    }
}
