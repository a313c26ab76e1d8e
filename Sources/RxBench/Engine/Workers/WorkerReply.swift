import RxBench

/// The reply of a worker process, with its measurements.
package struct WorkerReply: Codable, Sendable, Equatable {
    /// A sentence with the reason why nothing could be measured, or `nil`.
    package var failure: String?
    package var exact: [ExactSeries] = []
    package var time: TimeSeries?
    /// Whether the workload records durations itself, or `nil` if the pass does not report it.
    package var recordsLatencies: Bool?

    /// Creates a reply without times.
    package init(failure: String? = nil, exact: [ExactSeries] = []) {
        self.failure = failure
        self.exact = exact
    }

    /// The reply with its failure replaced by an unavailable count. A failure that occurs only under valgrind is not a
    /// failure of the benchmark.
    package var withoutFailure: WorkerReply {
        failure.map { .unavailable("counting was not possible: \($0.dropLast())") } ?? self
    }
}

/// The readings of one exact metric, with one reading for each iteration.
package struct ExactSeries: Codable, Sendable, Equatable {
    package let definition: MetricDefinition
    package let readings: [MetricReading]
    /// Whether other threads worked in these iterations.
    package var isThreaded: Bool

    /// Creates a series of the given readings.
    package init(definition: MetricDefinition, readings: [MetricReading], isThreaded: Bool = false) {
        self.definition = definition
        self.readings = readings
        self.isThreaded = isThreaded
    }

    /// The metric that is computed from the readings. It is unavailable if any reading is unavailable.
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
    /// Combines these series with `more`, the series of another process. The result has one series for each metric.
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

extension WorkerReply {
    /// The median time of an operation, or `nil` if no time was measured.
    package var nanosecondsPerOperation: Double? { time?.median }
    /// Whether durations were recorded during the time pass.
    package var timesLatencies: Bool { time?.latencies != nil }
}

/// The times that one process measured.
package struct TimeSeries: Codable, Sendable, Equatable {
    /// The median time per operation over this process's batches, in nanoseconds.
    var median: Double
    /// The median of the ratios of batches to neighbouring batches of the baseline, or `nil` without a baseline.
    var ratio: Double?
    /// The times per operation of single batches in nanoseconds, thinned.
    var samples: [Double]
    /// The time of one step of the control loop in nanoseconds.
    var control: Double
    var iterations: Int
    var usage: ResourceUsage?
    var latencies: [LatencyBucket]?
    var outcomes: [RaceOutcome]?
    /// The allocator of the process. See ``TimeAllocator/current``.
    var allocator: String?
}
