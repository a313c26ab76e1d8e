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
