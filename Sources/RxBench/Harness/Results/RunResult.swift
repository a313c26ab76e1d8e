/// Everything that one run measured: the content of a result file.
package struct RunResult: Codable, Sendable, Equatable {
    /// The version of the format that this build writes and the newest that it reads.
    package static let currentSchemaVersion = 1

    /// The version of the format.
    package let schemaVersion: Int
    /// How the run was made.
    package let run: RunInformation
    /// Where the run was made.
    package let environment: Environment
    /// The measured code: the commit of the working folder.
    package let commit: Reading<Commit>
    /// A fixed arithmetic loop, measured in every process: how much the machine itself moved.
    package let control: Metric
    /// The benchmarks, in the order of the suites.
    package let benchmarks: [BenchmarkResult]

    /// A result in the current format.
    package init(
        run: RunInformation, environment: Environment, commit: Reading<Commit>, control: Metric,
        benchmarks: [BenchmarkResult]
    ) {
        schemaVersion = Self.currentSchemaVersion
        self.run = run
        self.environment = environment
        self.commit = commit
        self.control = control
        self.benchmarks = benchmarks
    }

    /// The part of the result that any of `filters` selects.
    package func narrowed(to filters: [String]) -> RunResult {
        guard !filters.isEmpty else { return self }
        let words = filters.map(BenchmarkFilter.init)
        return RunResult(
            run: run.narrowed(to: filters), environment: environment, commit: commit, control: control,
            benchmarks: benchmarks.filter { benchmark in
                words.contains { $0.selects(id: benchmark.id, tags: benchmark.tags) }
            })
    }

    /// The benchmark called `id`, or `nil`. O(*n*) in the number of benchmarks.
    package func benchmark(_ id: String) -> BenchmarkResult? { benchmarks.first { $0.id == id } }
}

/// How a run was made.
package struct RunInformation: Codable, Sendable, Equatable {
    /// When the run began, ISO 8601 in UTC.
    package let date: String
    /// The arguments of the tool.
    package let arguments: [String]
    /// The seed of the order of the processes.
    package let seed: UInt64
    /// How many processes measured the time of each benchmark.
    package let processes: Int
    /// How long the run took; all parts together when it was merged.
    package let durationSeconds: Double
    /// The filters of the benchmarks, as the words of `run`; `nil` where all were measured, and in files from before it
    /// was stored.
    package private(set) var filters: [String]?
    /// The allocator of the processes that measured time: `glibc 2.39`. `nil` where none did, and in files from before
    /// it could be chosen, whose times are jemalloc's.
    package let allocator: String?
    /// The part of the suite that was measured; `nil` for a run of its own and for a merged one.
    package let shard: Shard?
    /// The runs that a merged result was put together from; `nil` for a run. Its `seed` and `arguments` are those of
    /// the first.
    package let parts: [MergedPart]?

    /// Describes a run.
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

    /// The name of the ``allocator`` without its version, which is the machine's business as that of other libraries
    /// is.
    package var allocatorName: String { Self.allocatorName(allocator) }

    /// The name in `allocator`. Files from before it could be chosen do not say it.
    package static func allocatorName(_ allocator: String?) -> String {
        String((allocator ?? TimeAllocator.jemalloc.rawValue).prefix { $0 != " " })
    }

    /// The same, of a part that `filters` select.
    func narrowed(to filters: [String]) -> RunInformation {
        var narrowed = self
        narrowed.filters = filters
        return narrowed
    }

    /// The words of the run's filters.
    package var filterInWords: String { (filters ?? []).joined(separator: " ") }

    /// The options of `compare` that select what the run's filters do.
    package var filterOption: String {
        "'\((filters ?? []).map { "--filter \($0)" }.joined(separator: " "))'"
    }

    /// Whether a benchmark was left out of the run by its filters.
    package func leavesOut(_ id: String, tags: [String]) -> Bool {
        guard let filters, !filters.isEmpty else { return false }
        return !filters.contains { BenchmarkFilter($0).selects(id: id, tags: tags) }
    }
}

/// The measurements of one benchmark.
package struct BenchmarkResult: Codable, Sendable, Equatable {
    /// The benchmark's stable name.
    package let id: String
    /// The decision that it informs.
    package let decides: String
    /// Words to select by.
    package let tags: [String]
    /// Operations per iteration.
    package let operations: Int
    /// The benchmark that ratios are taken to, if there is one.
    package let baseline: String?
    /// Why the benchmark could not be measured, in one sentence; `nil` when it was.
    package let failure: String?
    /// The figures; empty after a failure.
    package let metrics: [Metric]
    /// The limits that the benchmark was held to; `nil` when there are none.
    package let bars: [Bar]?
    /// Recorded durations of all processes together, ascending; `nil` for a benchmark that records none.
    package let latencies: [LatencyBucket]?
    /// Counted outcomes of all processes together; `nil` for a benchmark that counts none.
    package let outcomes: [RaceOutcome]?
    /// The leaks that more and more iterations show, a sentence each; `nil` where nothing was found or nobody looked.
    package private(set) var leaks: [String]?

    /// A result of `benchmark`.
    package init(
        _ benchmark: Benchmark, failure: String? = nil, metrics: [Metric] = [], bars: [Bar] = [],
        latencies: [LatencyBucket]? = nil, outcomes: [RaceOutcome]? = nil
    ) {
        id = benchmark.id.text
        decides = benchmark.decides
        tags = benchmark.tags
        operations = benchmark.operations
        baseline = benchmark.baseline?.text
        self.failure = failure
        self.metrics = metrics
        self.bars = bars.isEmpty ? nil : bars
        self.latencies = latencies
        self.outcomes = outcomes
    }

    /// The result, marked with what more and more iterations leave behind.
    package func marked(withLeaks leaks: [String]) -> BenchmarkResult {
        var marked = self
        marked.leaks = leaks.isEmpty ? nil : leaks
        return marked
    }

    /// The metric called `name`, or `nil`.
    package func metric(_ name: String) -> Metric? { metrics.first { $0.name == name } }

    /// Whether an outcome was seen that must not occur.
    package var hasForbiddenOutcome: Bool {
        outcomes?.contains { $0.expectation == .forbidden && $0.count > 0 } ?? false
    }
}
