/// A request to a worker process.
package struct WorkerRequest: Codable, Sendable, Equatable {
    package enum Pass: String, Codable {
        /// Counts, one probe at a time.
        case exact
        /// Instructions, through the processor's counter or under callgrind.
        case instructions
        /// The clock, with nothing else attached.
        case time

        /// The task, as the beginning of a sentence.
        var task: String {
            switch self {
            case .exact: "Counting its allocations"
            case .instructions: "Counting its instructions"
            case .time: "Measuring its time"
            }
        }
    }

    package let pass: Pass
    package let id: String
    /// How long the time pass may measure, warm-up included.
    package let budgetNanoseconds: UInt64
    /// How many raw samples the reply may hold for each series.
    package let sampleLimit: Int
    /// From what callgrind forms the names of its files; `nil` when the worker does not run under it.
    var callgrindOutput: String?

    /// A request of one pass.
    package init(pass: Pass, id: String, budgetNanoseconds: UInt64 = 0, sampleLimit: Int = 0) {
        self.pass = pass
        self.id = id
        self.budgetNanoseconds = budgetNanoseconds
        self.sampleLimit = sampleLimit
    }
}

/// The findings of a worker process.
package struct WorkerReply: Codable, Sendable, Equatable {
    /// Why nothing could be measured, in one sentence.
    package var failure: String?
    package var exact: [ExactSeries] = []
    package var time: TimeSeries?
    /// Whether the workload records durations of its own, as far as the pass tells.
    package var recordsLatencies: Bool?

    /// A reply to be filled in.
    package init(failure: String? = nil, exact: [ExactSeries] = []) {
        self.failure = failure
        self.exact = exact
    }

    /// The same, with a failure turned into a count that cannot be had: what fails under valgrind alone is no failure
    /// of the benchmark.
    package var withoutFailure: WorkerReply {
        failure.map { .unavailable("counting was not possible: \($0.dropLast())") } ?? self
    }
}

/// The readings of one exact metric, one for each iteration.
package struct ExactSeries: Codable, Sendable, Equatable {
    package let definition: MetricDefinition
    package let readings: [MetricReading]
    /// Whether other threads worked in these iterations.
    package var isThreaded: Bool

    /// A series of given readings.
    package init(definition: MetricDefinition, readings: [MetricReading], isThreaded: Bool = false) {
        self.definition = definition
        self.readings = readings
        self.isThreaded = isThreaded
    }

    /// The metric that the readings come to; unavailable when one of them is.
    package var metric: Metric {
        var values: [Double] = []
        for reading in readings {
            switch reading {
            case .value(let value): values.append(value)
            case .unavailable(let reason): return .unavailable(definition, .exact, because: reason)
            }
        }
        return .exact(definition, values, isThreaded: isThreaded)
    }
}

extension [ExactSeries] {
    /// These with the readings of `more`, which another process has sent; each metric once.
    package func pooled(with more: [ExactSeries]) -> [ExactSeries] {
        var pooled = self
        for one in more {
            guard let index = pooled.firstIndex(where: { $0.definition == one.definition }) else {
                pooled.append(one)
                continue
            }
            pooled[index] = ExactSeries(
                definition: one.definition, readings: pooled[index].readings + one.readings,
                isThreaded: pooled[index].isThreaded || one.isThreaded)
        }
        return pooled
    }
}

/// The times that one process measured.
package struct TimeSeries: Codable, Sendable, Equatable {
    /// Nanoseconds per operation: the median over this process's batches.
    var median: Double
    /// The median of the ratios of neighbouring batches to the baseline's, when there is one.
    var ratio: Double?
    /// Nanoseconds per operation of single batches, thinned.
    var samples: [Double]
    /// Nanoseconds of one step of the control loop.
    var control: Double
    var iterations: Int
    var usage: ResourceUsage?
    var latencies: [LatencyBucket]?
    var outcomes: [RaceOutcome]?
    /// The allocator of the process, see ``TimeAllocator/current``.
    var allocator: String?
}
