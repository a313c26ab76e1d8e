import RxBench

// The form of a result in a file, version 2. A table states the name, unit and kind of each metric once. Each benchmark
// stores its figures by the metric's name. Files of version 1, in which each benchmark has complete metrics, are read
// too.

/// A metric of a result file, with the parts that are the same for most benchmarks.
struct StoredMetric: Codable, Equatable {
    let name: String
    let unit: MetricUnit
    let kind: Metric.Kind
    /// The number of readings of a figure that is stored as a plain number. It is 0 if only the value is stored.
    let readings: Int
    /// The reason why the metric is unavailable for each measured benchmark without a figure. If it is `nil`, such a
    /// benchmark does not have the metric.
    let unavailable: String?

    /// The largest number of readings of a figure that is stored as a plain number. Files are untrusted, and the
    /// readings are stored in memory.
    static let mostReadings = 1_000

    /// Creates the table of the metrics of `benchmarks`, in their order.
    static func table(of benchmarks: [BenchmarkResult]) -> [StoredMetric] {
        var names: [String] = []
        for benchmark in benchmarks {
            var place = 0
            for metric in benchmark.metrics {
                if let index = names.firstIndex(of: metric.name) {
                    place = index + 1
                } else {
                    names.insert(metric.name, at: place)
                    place += 1
                }
            }
        }
        let measured = benchmarks.filter { $0.failure == nil }
        return names.compactMap { name in
            let metrics = benchmarks.compactMap { $0.metric(name) }
            guard let first = metrics.first else { return nil }
            let counts = metrics.filter(\.isConstant).map(\.values.count).filter { $0 <= mostReadings }
            let reasons = metrics.compactMap { metric -> String? in
                if case .unavailable(let reason) = metric.reading { reason } else { nil }
            }
            return StoredMetric(
                name: name, unit: first.unit, kind: first.kind, readings: mostFrequent(counts) ?? 0,
                unavailable: measured.allSatisfy { $0.metric(name) != nil } ? mostFrequent(reasons) : nil)
        }
    }

    private static func mostFrequent<Value: Hashable & Comparable>(_ values: [Value]) -> Value? {
        Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +).max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    private var definition: MetricDefinition { MetricDefinition(name: name, unit: unit) }

    /// Returns the stored form of `metric`, or `nil` if the table states all of it.
    func figure(of metric: Metric) -> StoredFigure? {
        guard let value = metric.reading.value else {
            if case .unavailable(let reason) = metric.reading, reason != unavailable {
                return .complete(StoredFigure.Parts(unavailable: reason))
            }
            return nil
        }
        if metric.isConstant, metric.values.count == readings, (try? self.metric(.plain(value))) == metric {
            return .plain(value)
        }
        return .complete(StoredFigure.Parts(metric, derived: derived(metric.values, isThreaded: metric.isThreaded)))
    }

    /// Returns the metric of a stored figure.
    ///
    /// - Throws: ``UnreadableFigure`` if the figure has neither a value nor a reason.
    func metric(_ figure: StoredFigure) throws(UnreadableFigure) -> Metric {
        switch figure {
        case .plain(let value):
            guard (0...Self.mostReadings).contains(readings) else { throw UnreadableFigure() }
            if readings == 0 { return try self.metric(.complete(StoredFigure.Parts(value: value))) }
            return derived(Array(repeating: value, count: readings), isThreaded: nil)
        case .complete(let parts):
            guard let reading = parts.value.map(Reading.value) ?? parts.unavailable.map(Reading.unavailable) else {
                throw UnreadableFigure()
            }
            let derived = derived(parts.values ?? [], isThreaded: parts.isThreaded)
            return Metric(
                name: name, unit: unit, kind: kind, reading: reading,
                isStable: parts.isStable ?? (reading.value == nil ? nil : derived.isStable),
                isThreaded: parts.isThreaded, interval: parts.interval ?? derived.interval,
                quantiles: parts.quantiles, values: derived.values, samples: parts.samples)
        }
    }

    /// The metric for a benchmark without a figure, or `nil` if the benchmark does not have the metric.
    var missing: Metric? { unavailable.map { .unavailable(definition, kind, because: $0) } }

    /// Returns the metric that follows from its readings.
    private func derived(_ values: [Double], isThreaded: Bool?) -> Metric {
        switch kind {
        case .exact: .exact(definition, values, isThreaded: isThreaded ?? false)
        case .sampled: .sampled(definition, values)
        }
    }
}

/// An error for a figure of a result file that has neither a value nor a reason.
struct UnreadableFigure: Error {}

extension Metric {
    /// Whether the metric has a value and all its stored readings equal that value.
    fileprivate var isConstant: Bool {
        guard let value = reading.value else { return false }
        return values.allSatisfy { $0 == value }
    }
}

/// A benchmark's figure of one metric in a result file.
enum StoredFigure: Codable {
    /// The value, which all readings equal. The table of metrics has the number of readings.
    case plain(Double)
    case complete(Parts)

    /// The parts of a figure that do not follow from others.
    struct Parts: Codable {
        var value: Double?
        var unavailable: String?
        var values: [Double]?
        var isStable: Bool?
        var isThreaded: Bool?
        var interval: Metric.Interval?
        var scatter: StoredScatter?
        var quantiles: [String: Double]?
        var samples: [[Double]]?

        init(value: Double) { self.value = value }

        init(unavailable: String) { self.unavailable = unavailable }

        /// - Parameter derived: The metric that follows from the readings of `metric`.
        init(_ metric: Metric, derived: Metric) {
            // The interval and the scatter of these metrics follow from the values too. They are stored for other
            // programs, which need them to judge the figure.
            let isJudged = [Metric.time, Metric.ratioToBaseline].contains(metric.name)
            value = metric.reading.value
            values = metric.values.isEmpty ? nil : metric.values
            isStable = metric.isStable == derived.isStable ? nil : metric.isStable
            isThreaded = metric.isThreaded
            interval = isJudged || metric.interval != derived.interval ? metric.interval : nil
            scatter = metric.name == Metric.time ? metric.scatter.map(StoredScatter.init) : nil
            quantiles = metric.quantiles
            samples = metric.samples
        }

        private enum CodingKeys: CodingKey {
            case value, unavailable, values, isStable, isThreaded, interval, scatter, quantiles, samples
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            value = try container.decodeIfPresent(Double.self, forKey: .value)
            unavailable = try container.decodeIfPresent(String.self, forKey: .unavailable)
            values = try container.decodeIfPresent([Double].self, forKey: .values)
            isStable = try container.decodeIfPresent(Bool.self, forKey: .isStable)
            isThreaded = try container.decodeIfPresent(Bool.self, forKey: .isThreaded)
            interval = try container.decodeIfPresent(Metric.Interval.self, forKey: .interval)
            quantiles = try container.decodeIfPresent([String: Double].self, forKey: .quantiles)
            samples = try container.decodeIfPresent([[Double]].self, forKey: .samples)
        }
    }

    /// How the processes of a time differ, for other programs. It follows from the values and is never read.
    struct StoredScatter: Encodable {
        let detectable: Double?
        /// Left out if there are none.
        let outliers: Int?
        /// Left out if there are none.
        let oddities: [Scatter.Oddity]?

        init(_ scatter: Scatter) {
            detectable = scatter.detectable?.rounded(toSignificantDigits: 3)
            outliers = scatter.outliers == 0 ? nil : scatter.outliers
            oddities = scatter.oddities.isEmpty ? nil : scatter.oddities
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Double.self) {
            self = .plain(value)
        } else {
            self = .complete(try container.decode(Parts.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .plain(let value): try container.encode(value)
        case .complete(let parts): try container.encode(parts)
        }
    }
}

/// A benchmark's measurements in a result file.
struct StoredBenchmark: Codable {
    let id: String
    let decides: String
    let tags: [String]
    let operations: Int
    let baseline: String?
    let failure: String?
    /// The metrics of a file of version 1.
    private let metrics: [Metric]?
    /// The figures by the metric's name.
    private let figures: [String: StoredFigure]?
    private let storedLimits: [StoredLimit]?
    /// The checked limits of an older file. Checks of the standard limit are not declared.
    private let bars: [StoredBar]?
    let latencies: [LatencyBucket]?
    let outcomes: [RaceOutcome]?
    let leaks: [String]?

    init(_ result: BenchmarkResult, table: [StoredMetric]) {
        id = result.id
        decides = result.decides
        tags = result.tags
        operations = result.operations
        baseline = result.baseline
        failure = result.failure
        metrics = nil
        let figures = table.compactMap { row in
            result.metric(row.name).flatMap(row.figure).map { (row.name, $0) }
        }
        self.figures = Dictionary(figures, uniquingKeysWith: { first, _ in first })
        storedLimits = result.limits.map { limit in
            let check = result.checks.first { $0.quantity == limit.quantity }
            return StoredLimit(quantity: limit.quantity, maximum: limit.maximum, verdict: check?.verdict)
        }
        bars = nil
        latencies = result.latencies
        outcomes = result.outcomes
        leaks = result.leaks
    }

    private enum CodingKeys: String, CodingKey {
        case id, decides, tags, operations, baseline, failure, metrics, figures
        case storedLimits = "limits"
        case bars, latencies, outcomes, leaks
    }

    /// A limit. The verdict is stored for other programs, and follows from the figures.
    private struct StoredLimit: Codable {
        let quantity: Limit.Quantity
        let maximum: Double?
        let verdict: ComparisonVerdict?
    }

    /// A checked limit of an older file. Its verdict follows from the figures.
    private struct StoredBar: Codable {
        let quantity: Limit.Quantity
        let maximum: Double
        let isDeclared: Bool
    }

    /// Returns the limits that the benchmark's definition states.
    func limits(_ metrics: [Metric]) -> [Limit] {
        if let storedLimits {
            return storedLimits.map { limit in
                limit.maximum.map { Limit(limit.quantity, atMost: $0) } ?? .anyLiveResources
            }
        }
        let bars = bars ?? []
        let declared = bars.filter(\.isDeclared).map { Limit($0.quantity, atMost: $0.maximum) }
        // Older files do not contain the limit that lifts the standard limit, and no check of the standard limit.
        let isCounted = metrics.contains { $0.name == Metric.liveResources && $0.reading.value != nil }
        let isLifted = isCounted && !bars.contains { $0.quantity == .liveResources }
        return declared + (isLifted ? [.anyLiveResources] : [])
    }

    /// Returns the metrics in the order of the table.
    func metrics(_ table: [StoredMetric]) throws -> [Metric] {
        guard let figures else { return metrics ?? [] }
        return try table.compactMap { row in
            try figures[row.name].map(row.metric) ?? (failure == nil ? row.missing : nil)
        }
    }
}

extension RunResult: Codable {
    private enum CodingKeys: CodingKey {
        case schemaVersion, run, environment, commit, control, metrics, benchmarks
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(Int.self, forKey: .schemaVersion) <= Self.currentSchemaVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .schemaVersion, in: container, debugDescription: "The format is newer.")
        }
        let table = try container.decodeIfPresent([StoredMetric].self, forKey: .metrics) ?? []
        let environment = try container.decode(Environment.self, forKey: .environment)
        self.init(
            run: try container.decode(RunInformation.self, forKey: .run),
            environment: environment,
            commit: try container.decode(Reading<Commit>.self, forKey: .commit),
            control: try container.decode(Metric.self, forKey: .control),
            benchmarks: try container.decode([StoredBenchmark].self, forKey: .benchmarks).map {
                try BenchmarkResult($0, metrics: $0.metrics(table), isOptimised: environment.isOptimised)
            })
    }

    package func encode(to encoder: any Encoder) throws {
        let table = StoredMetric.table(of: benchmarks)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.currentSchemaVersion, forKey: .schemaVersion)
        try container.encode(run, forKey: .run)
        try container.encode(environment, forKey: .environment)
        try container.encode(commit, forKey: .commit)
        try container.encode(control, forKey: .control)
        try container.encode(table, forKey: .metrics)
        try container.encode(benchmarks.map { StoredBenchmark($0, table: table) }, forKey: .benchmarks)
    }
}
