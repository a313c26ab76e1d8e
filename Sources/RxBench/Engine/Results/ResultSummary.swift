import RxBench

/// The figures of a stored result without its raw samples and quantiles. A history of many results needs only these.
package struct ResultSummary: Sendable, Equatable {
    /// The version of the file's format.
    package let schemaVersion: Int
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
        package let unit: String
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
            result.schemaVersion, result.run, result.environment, result.commit, control: result.control.reading,
            benchmarks: result.benchmarks.map { benchmark in
                Benchmark(
                    id: benchmark.id, tags: benchmark.tags, operations: benchmark.operations,
                    failure: benchmark.failure,
                    metrics: benchmark.metrics.map {
                        Figure(name: $0.name, unit: $0.unit, kind: $0.kind, reading: $0.reading, isStable: $0.isStable)
                    })
            })
    }

    /// Creates a summary from the parts of a result and the figures of its benchmarks.
    fileprivate init(
        _ schemaVersion: Int, _ run: RunInformation, _ environment: Environment, _ commit: Reading<Commit>,
        control: Reading<Double>, benchmarks: [Benchmark]
    ) {
        self.init(
            schemaVersion: schemaVersion, date: run.date, machine: environment.machine,
            configuration: environment.configuration, isTracing: environment.isTracing,
            allocator: run.allocator, swiftVersion: environment.swiftVersion,
            commit: commit, control: control, benchmarks: benchmarks)
    }

    /// Reads only the figures of a stored result. This is far faster than decoding the complete result. O(*n*) in the
    /// number of bytes.
    ///
    /// Only the brackets of skipped parts are checked. A file that cannot be read in this way is decoded completely.
    /// - Parameter name: The name of the source in error messages.
    /// - Throws: ``ResultError``, like ``RunResult/decoded(from:name:)``.
    package static func decoded(from bytes: [UInt8], name: String) throws(ResultError) -> ResultSummary {
        var scanner = JSONScanner(bytes)
        if let summary = try? scanner.resultSummary(), summary.schemaVersion <= RunResult.currentSchemaVersion {
            return summary
        }
        return ResultSummary(try RunResult.decoded(from: bytes, name: name))
    }
}

/// Reads the structure of a result file: `results/schema/result-v1.schema.json`.
extension JSONScanner {
    mutating func resultSummary() throws -> ResultSummary {
        var version: Int?
        var run: RunInformation?
        var environment: Environment?
        var commit: Reading<Commit>?
        var control: Reading<Double>?
        var benchmarks: [ResultSummary.Benchmark]?
        try object { json, key in
            switch key {
            case "schemaVersion": version = try json.integer()
            case "run": run = try json.decoded(RunInformation.self)
            case "environment": environment = try json.decoded(Environment.self)
            case "commit": commit = try json.decoded(Reading<Commit>.self)
            case "control": control = try json.figure().reading
            case "benchmarks": benchmarks = try json.array { json in try json.benchmark() }
            default: try json.skip()
            }
        }
        try end()
        guard let version, let run, let environment, let commit, let control, let benchmarks else { throw Malformed() }
        return ResultSummary(version, run, environment, commit, control: control, benchmarks: benchmarks)
    }

    private mutating func benchmark() throws -> ResultSummary.Benchmark {
        var id: String?
        var operations: Int?
        var failure: String?
        var metrics: [ResultSummary.Figure]?
        var tags: [String]?
        try object { json, key in
            switch key {
            case "id": id = try json.string()
            case "operations": operations = try json.integer()
            case "failure": failure = try json.string()
            case "metrics": metrics = try json.array { json in try json.figure() }
            case "tags": tags = try json.array { json in try json.string() }
            default: try json.skip()
            }
        }
        guard let id, let tags, let operations, let metrics else { throw Malformed() }
        return ResultSummary.Benchmark(id: id, tags: tags, operations: operations, failure: failure, metrics: metrics)
    }

    private mutating func figure() throws -> ResultSummary.Figure {
        var (name, unit, reason): (String?, String?, String?)
        var kind: Metric.Kind?
        var value: Double?
        var isStable: Bool?
        try object { json, key in
            switch key {
            case "value": value = json.null() ? nil : try json.number()
            case "name": name = try json.string()
            case "unit": unit = try json.string()
            case "kind": kind = Metric.Kind(rawValue: try json.string())
            case "unavailable": reason = try json.string()
            case "isStable": isStable = try json.bool()
            default: try json.skip()
            }
        }
        guard let name, let unit, let kind, let reading = value.map(Reading.value) ?? reason.map(Reading.unavailable)
        else { throw Malformed() }
        return ResultSummary.Figure(name: name, unit: unit, kind: kind, reading: reading, isStable: isStable)
    }
}
