import RxBench

/// All measurements of one run. A result file contains one such value.
package struct RunResult: Sendable, Equatable {
    /// The version of the format that this build writes, which is also the newest version that it reads.
    package static let currentSchemaVersion = 2

    /// Information about how the run was made.
    package let run: RunInformation
    /// The environment in which the run was made.
    package let environment: Environment
    /// The measured code: the commit of the working folder.
    package let commit: Reading<Commit>
    /// The time of a fixed arithmetic loop in every process. It shows changes in the speed of the machine.
    package let control: Metric
    /// The benchmarks, in the order of the suites.
    package let benchmarks: [BenchmarkResult]

    /// Creates a result in the current format.
    package init(
        run: RunInformation, environment: Environment, commit: Reading<Commit>, control: Metric,
        benchmarks: [BenchmarkResult]
    ) {
        self.run = run
        self.environment = environment
        self.commit = commit
        self.control = control
        self.benchmarks = benchmarks
    }

    /// Returns the part of the result that `filters` select. A benchmark is included if any filter selects it.
    package func narrowed(to filters: [String]) -> RunResult {
        guard !filters.isEmpty else { return self }
        let words = filters.map(BenchmarkFilter.init)
        return RunResult(
            run: run.narrowed(to: filters), environment: environment, commit: commit, control: control,
            benchmarks: benchmarks.filter { benchmark in
                words.contains { $0.selects(id: benchmark.id, tags: benchmark.tags) }
            })
    }

    /// Returns the benchmark with the ID `id`, or `nil`. O(*n*) in the number of benchmarks.
    package func benchmark(_ id: String) -> BenchmarkResult? { benchmarks.first { $0.id == id } }
}

/// Information about how a run was made.
package struct RunInformation: Codable, Sendable, Equatable {
    /// The time at which the run began, in ISO 8601 format in UTC.
    package let date: String
    /// The arguments with which the tool was started.
    package let arguments: [String]
    /// The seed that determines the order of the processes.
    package let seed: UInt64
    /// The number of processes that measured the time of each benchmark.
    package let processes: Int
    /// The duration of the run. For a merged result, this is the total duration of all parts.
    package let durationSeconds: Double
    /// The filters of the benchmarks, as given to `run`. It is `nil` if all benchmarks were measured, and in older
    /// files, which do not contain the filters.
    package private(set) var filters: [String]?
    /// The allocator of the processes that measured time, such as `glibc 2.39`. It is `nil` if no process measured
    /// time, and in older files, whose times were all measured under jemalloc.
    package let allocator: String?
    /// The part of the suite that was measured. It is `nil` for a run of the whole suite and for a merged result.
    package let shard: Shard?
    /// The runs that were merged into this result, or `nil` for a single run. The `seed` and `arguments` of a merged
    /// result are taken from its first run.
    package let parts: [MergedPart]?

    /// Creates the information about a run.
    package init(
        date: String, arguments: [String], seed: UInt64, processes: Int, durationSeconds: Double,
        filters: [String] = [],
        allocator: String? = nil, shard: Shard? = nil, parts: [MergedPart]? = nil
    ) {
        self.date = date
        self.arguments = arguments
        self.seed = seed
        self.processes = processes
        self.durationSeconds = durationSeconds
        self.filters = filters.isEmpty ? nil : filters
        self.allocator = allocator
        self.shard = shard
        self.parts = parts
    }

    /// The name of the ``allocator`` without its version. The version is a property of the machine, like the versions
    /// of other libraries.
    package var allocatorName: String { Self.allocatorName(allocator) }

    /// Returns the name in `allocator`. Older files, written before the allocator could be chosen, do not contain it.
    package static func allocatorName(_ allocator: String?) -> String {
        String((allocator ?? TimeAllocator.jemalloc.rawValue).prefix { $0 != " " })
    }

    /// Returns the information about the part of the run that `filters` select.
    func narrowed(to filters: [String]) -> RunInformation {
        var narrowed = self
        narrowed.filters = filters
        return narrowed
    }

    /// Returns whether the filters of the run left out a benchmark.
    package func leavesOut(_ id: String, tags: [String]) -> Bool {
        guard let filters, !filters.isEmpty else { return false }
        return !filters.contains { BenchmarkFilter($0).selects(id: id, tags: tags) }
    }
}

/// The measurements of one benchmark.
package struct BenchmarkResult: Sendable, Equatable {
    /// The benchmark's stable name.
    package let id: String
    /// The decision that the benchmark informs.
    package let decides: String
    /// Words by which the benchmark can be selected.
    package let tags: [String]
    /// The number of operations per iteration.
    package let operations: Int
    /// The baseline of the benchmark's ratios, or `nil`.
    package let baseline: String?
    /// A sentence with the reason why the benchmark could not be measured, or `nil` if it was measured.
    package let failure: String?
    /// The figures. They are empty after a failure.
    package let metrics: [Metric]
    /// The limits that the benchmark's definition states.
    package let limits: [Limit]
    /// The checks of the limits, and of the standard limit if it applies. They are empty after a failure.
    package let checks: [LimitCheck]
    /// The recorded durations of all processes in ascending order, or `nil` if the benchmark does not record durations.
    /// Unless samples are stored, durations between the reported quantiles share a bucket.
    package let latencies: [LatencyBucket]?
    /// The counted outcomes of all processes, or `nil` if the benchmark does not count outcomes.
    package let outcomes: [RaceOutcome]?
    /// The leaks that were found by repeating more and more iterations, as sentences. It is `nil` if no leak was found
    /// or if leaks were not searched for.
    package private(set) var leaks: [String]?

    /// Creates the result of `benchmark`.
    ///
    /// - Parameter isOptimised: Whether the measured code was optimised.
    package init(
        _ benchmark: Benchmark, failure: String? = nil, metrics: [Metric] = [], isOptimised: Bool = true,
        latencies: [LatencyBucket]? = nil, outcomes: [RaceOutcome]? = nil
    ) {
        id = benchmark.id.text
        decides = benchmark.decides
        tags = benchmark.tags
        operations = benchmark.operations
        baseline = benchmark.baseline?.text
        self.failure = failure
        self.metrics = metrics
        limits = benchmark.limits
        checks =
            failure == nil
            ? LimitCheck.checks(of: limits, operations: operations, metrics, isOptimised: isOptimised) : []
        self.latencies = latencies
        self.outcomes = outcomes
    }

    /// Creates the result that a file contains.
    init(_ stored: StoredBenchmark, metrics: [Metric], isOptimised: Bool) {
        id = stored.id
        decides = stored.decides
        tags = stored.tags
        operations = stored.operations
        baseline = stored.baseline
        failure = stored.failure
        self.metrics = metrics
        limits = stored.limits(metrics)
        checks =
            failure == nil
            ? LimitCheck.checks(of: limits, operations: operations, metrics, isOptimised: isOptimised) : []
        latencies = stored.latencies
        outcomes = stored.outcomes
        leaks = stored.leaks
    }

    /// Returns a copy of the result that is marked with the given leaks.
    package func marked(withLeaks leaks: [String]) -> BenchmarkResult {
        var marked = self
        marked.leaks = leaks.isEmpty ? nil : leaks
        return marked
    }

    /// Returns the metric with the name `name`, or `nil`.
    package func metric(_ name: String) -> Metric? { metrics.first { $0.name == name } }

    /// Whether a forbidden outcome occurred.
    package var hasForbiddenOutcome: Bool {
        outcomes?.contains { $0.expectation == .forbidden && $0.count > 0 } ?? false
    }
}
