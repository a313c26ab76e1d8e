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

/// The shape of a result file: `results/schema/result-v1.schema.json`.
extension JSONScanner {
    mutating func resultSummary() throws -> ResultSummary {
        var version: Int?
        var run: RunSummary?
        var commit: Reading<Commit>?
        var control: ResultSummary.Figure?
        var environment: EnvironmentSummary?
        var benchmarks: [ResultSummary.Benchmark]?
        try object { json, key in
            if json.isEqual(key, "schemaVersion") {
                version = try json.integer()
            } else if json.isEqual(key, "run") {
                run = try json.runSummary()
            } else if json.isEqual(key, "environment") {
                environment = try json.environmentSummary()
            } else if json.isEqual(key, "commit") {
                commit = try json.reading { json throws in try json.commit() }
            } else if json.isEqual(key, "control") {
                control = try json.figure()
            } else if json.isEqual(key, "benchmarks") {
                var list: [ResultSummary.Benchmark] = []
                try json.array { json in list.append(try json.benchmark()) }
                benchmarks = list
            } else {
                try json.skip()
            }
        }
        try end()
        guard let version, let run, let environment, let commit, let control, let benchmarks else { throw Malformed() }
        return ResultSummary(
            schemaVersion: version, date: run.date, machine: environment.machine,
            configuration: environment.configuration,
            isTracing: environment.isTracing, origin: run.origin, allocator: run.allocator,
            swiftVersion: environment.swiftVersion, commit: commit, control: control.reading,
            benchmarks: benchmarks)
    }

    private struct EnvironmentSummary {
        let machine: String
        let configuration: Reading<String>
        let isTracing: Reading<Bool>
        let swiftVersion: Reading<String>
    }

    private struct RunSummary {
        let date: String
        let origin: String?
        let allocator: String?
    }

    private mutating func runSummary() throws -> RunSummary {
        var date: String?
        var origin: String?
        var allocator: String?
        try object { json, key in
            if json.isEqual(key, "date") {
                date = try json.string()
            } else if json.isEqual(key, "importedFrom") {
                origin = try json.origin()
            } else if json.isEqual(key, "allocator") {
                allocator = try json.string()
            } else {
                try json.skip()
            }
        }
        guard let date else { throw Malformed() }
        return RunSummary(date: date, origin: origin, allocator: allocator)
    }

    private mutating func origin() throws -> String {
        var format: String?
        var tool: Reading<String>?
        try object { json, key in
            if json.isEqual(key, "format") {
                format = try json.string()
            } else if json.isEqual(key, "tool") {
                tool = try json.reading { json throws in try json.string() }
            } else {
                try json.skip()
            }
        }
        guard let format, let tool else { throw Malformed() }
        return ImportSource.origin(format: format, tool: tool.value)
    }

    private mutating func environmentSummary() throws -> EnvironmentSummary {
        var machine: String?
        var configuration: Reading<String>?
        var isTracing: Reading<Bool>?
        var swiftVersion: Reading<String>?
        try object { json, key in
            if json.isEqual(key, "machine") {
                machine = try json.string()
            } else if json.isEqual(key, "configuration") {
                configuration = try json.stated { json throws in try json.string() }
            } else if json.isEqual(key, "isTracing") {
                isTracing = try json.stated { json throws in try json.bool() }
            } else if json.isEqual(key, "swiftVersion") {
                swiftVersion = try json.reading { json throws in try json.string() }
            } else {
                try json.skip()
            }
        }
        guard let machine, let configuration, let isTracing, let swiftVersion else { throw Malformed() }
        return EnvironmentSummary(
            machine: machine, configuration: configuration, isTracing: isTracing, swiftVersion: swiftVersion)
    }

    private mutating func commit() throws -> Commit {
        var sha: String?
        var isDirty: Bool?
        try object { json, key in
            if json.isEqual(key, "sha") {
                sha = try json.string()
            } else if json.isEqual(key, "isDirty") {
                isDirty = try json.bool()
            } else {
                try json.skip()
            }
        }
        guard let sha, let isDirty else { throw Malformed() }
        return Commit(sha: sha, isDirty: isDirty)
    }

    /// A plain value, or the object of one that is unavailable: ``Stated``.
    private mutating func stated<Value>(_ read: (inout JSONScanner) throws -> Value) throws -> Reading<Value> {
        try isAtObject() ? reading(read) : .value(read(&self))
    }

    private mutating func reading<Value>(_ read: (inout JSONScanner) throws -> Value) throws -> Reading<Value> {
        var value: Value?
        var reason: String?
        try object { json, key in
            if json.isEqual(key, "value") {
                value = json.null() ? nil : try read(&json)
            } else if json.isEqual(key, "unavailable") {
                reason = try json.string()
            } else {
                try json.skip()
            }
        }
        if let value { return .value(value) }
        guard let reason else { throw Malformed() }
        return .unavailable(reason)
    }

    private mutating func benchmark() throws -> ResultSummary.Benchmark {
        var id: String?
        var operations: Int?
        var failure: String?
        var metrics: [ResultSummary.Figure]?
        var tags: [String]?
        try object { json, key in
            if json.isEqual(key, "id") {
                id = try json.string()
            } else if json.isEqual(key, "operations") {
                operations = try json.integer()
            } else if json.isEqual(key, "failure") {
                failure = try json.string()
            } else if json.isEqual(key, "metrics") {
                var list: [ResultSummary.Figure] = []
                try json.array { json in list.append(try json.figure()) }
                metrics = list
            } else if json.isEqual(key, "tags") {
                var list: [String] = []
                try json.array { json in list.append(try json.string()) }
                tags = list
            } else {
                try json.skip()
            }
        }
        guard let id, let tags, let operations, let metrics else { throw Malformed() }
        return ResultSummary.Benchmark(id: id, tags: tags, operations: operations, failure: failure, metrics: metrics)
    }

    private mutating func figure() throws -> ResultSummary.Figure {
        var name: String?
        var unit: String?
        var kind: Metric.Kind?
        var value: Double?
        var reason: String?
        var isStable: Bool?
        try object { json, key in
            if json.isEqual(key, "value") {
                value = json.null() ? nil : try json.number()
            } else if json.isEqual(key, "name") {
                name = try json.string()
            } else if json.isEqual(key, "unit") {
                unit = try json.string()
            } else if json.isEqual(key, "kind") {
                kind = Metric.Kind(rawValue: try json.string())
            } else if json.isEqual(key, "unavailable") {
                reason = try json.string()
            } else if json.isEqual(key, "isStable") {
                isStable = try json.bool()
            } else {
                try json.skip()
            }
        }
        guard let name, let unit, let kind, let reading = value.map(Reading.value) ?? reason.map(Reading.unavailable)
        else { throw Malformed() }
        return ResultSummary.Figure(name: name, unit: unit, kind: kind, reading: reading, isStable: isStable)
    }
}
