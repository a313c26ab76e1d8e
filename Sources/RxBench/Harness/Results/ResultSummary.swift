/// The figures of a stored result without the raw samples and quantiles behind them: what a history of many results
/// needs.
public struct ResultSummary: Sendable, Equatable {
    /// The version of the file's format.
    public let schemaVersion: Int
    /// When the run began, ISO 8601 in UTC.
    public let date: String
    /// The stable name of the machine.
    public let machine: String
    /// `release` or `debug`.
    public let configuration: Reading<String>
    /// Whether the measured code counted its resources.
    public let isTracing: Reading<Bool>
    /// Where an imported result comes from, in words; `nil` for what this tool has measured.
    public let origin: String?
    /// What served the processes that measured time; `nil` where the file does not say so.
    public let allocator: String?
    /// The compiler that built the tool.
    public let swiftVersion: Reading<String>
    /// What was measured.
    public let commit: Reading<Commit>
    /// The time of the control loop, which never changes.
    public let control: Reading<Double>
    /// The benchmarks, in the order of the file.
    public let benchmarks: [Benchmark]

    /// What was measured of one benchmark.
    public struct Benchmark: Sendable, Equatable {
        /// The benchmark's stable name.
        public let id: String
        /// Words to select by.
        public let tags: [String]
        /// Operations per iteration.
        public let operations: Int
        /// Why the benchmark could not be measured; `nil` when it was.
        public let failure: String?
        /// The figures.
        public let metrics: [Figure]

        /// Describes a benchmark.
        public init(id: String, tags: [String], operations: Int, failure: String?, metrics: [Figure]) {
            self.id = id
            self.tags = tags
            self.operations = operations
            self.failure = failure
            self.metrics = metrics
        }
    }

    /// One figure.
    public struct Figure: Sendable, Equatable {
        /// The metric's stable name.
        public let name: String
        /// The metric's unit.
        public let unit: String
        /// Counted or estimated.
        public let kind: Metric.Kind
        /// The figure, or the reason why there is none.
        public let reading: Reading<Double>
        /// Whether all iterations of an exact metric agreed; `nil` for a sampled one.
        public let isStable: Bool?

        /// A figure.
        public init(name: String, unit: String, kind: Metric.Kind, reading: Reading<Double>, isStable: Bool?) {
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
    public init(_ result: RunResult) {
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

    /// Reads the figures of a stored result, about fifty times faster than all of it. O(*n*) in the number of bytes.
    ///
    /// What is skipped is not checked beyond its brackets; a file that cannot be understood this way is decoded whole.
    /// - Parameter name: What the source is called in an error.
    /// - Throws: ``ResultError``, as ``RunResult/decoded(from:name:)`` does.
    public static func decoded(from bytes: [UInt8], name: String) throws(ResultError) -> ResultSummary {
        var scanner = JSONScanner(bytes)
        if let summary = try? scanner.resultSummary(), summary.schemaVersion <= RunResult.currentSchemaVersion {
            return summary
        }
        return ResultSummary(try RunResult.decoded(from: bytes, name: name))
    }
}
