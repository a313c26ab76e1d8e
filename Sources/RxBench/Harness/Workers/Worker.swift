import Foundation

/// The entry point of a worker process. It reads a request from its arguments, measures, and writes the reply to
/// standard output.
package enum Worker {
    /// The first argument that starts the tool as a worker.
    package static let verb = "__worker"

    /// Runs the request in `arguments`, the arguments after the verb, writes the reply and ends the process.
    package static func run(_ arguments: [String], catalog: Catalog, probes: () -> [any MetricProbe]) -> Never {
        guard let text = arguments.first,
            let request = try? JSONDecoder().decode(WorkerRequest.self, from: Data(text.utf8))
        else { _exit(64) }
        let output = ReplyOutput()
        output.end(with: measure(request, catalog: catalog, probes: probes))
    }

    static func measure(_ request: WorkerRequest, catalog: Catalog, probes: () -> [any MetricProbe]) -> WorkerReply {
        guard let id = try? BenchmarkID(request.id), let benchmark = catalog.resolve(id) ?? NoiseTrial.benchmark(id)
        else {
            return WorkerReply(failure: "No benchmark is called '\(request.id)'.")
        }
        do throws(PreparedWorkload.Refusal) {
            switch request.pass {
            case .exact: return try ExactPass.run(benchmark, probes: [HeapProbe()] + probes())
            case .instructions: return try countInstructions(benchmark, callgrindOutput: request.callgrindOutput)
            case .time:
                return try TimePass.run(
                    benchmark, baseline: benchmark.baseline.flatMap { catalog.resolve($0) },
                    budgetNanoseconds: request.budgetNanoseconds,
                    sampleLimit: request.sampleLimit)
            }
        } catch {
            return WorkerReply(failure: error.description)
        }
    }

    private static func countInstructions(
        _ benchmark: Benchmark, callgrindOutput: String?
    ) throws(PreparedWorkload.Refusal) -> WorkerReply {
        guard let callgrindOutput else {
            guard let probe = PerfEventProbe() else {
                return .unavailable("the system's counter of instructions cannot be opened any more")
            }
            return try InstructionPass.run(benchmark, probe: probe)
        }
        guard let probe = CallgrindProbe(output: callgrindOutput) else {
            return .unavailable("the process does not run under valgrind")
        }
        return try InstructionPass.run(benchmark, probe: probe)
    }
}

/// The standard output of a worker, which is reserved for its reply. The output of the benchmark itself goes to
/// standard error.
package struct ReplyOutput {
    private let descriptor: Int32

    /// Reserves the standard output and redirects later output to standard error.
    package init() {
        descriptor = dup(1)
        dup2(2, 1)
    }

    /// Writes `bytes` and ends the process. `exit` is not used, because it runs destructors while threads of the
    /// benchmark may still use the destroyed objects.
    package func end(with bytes: Data) -> Never {
        FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(bytes)
        _exit(0)
    }

    /// Writes `reply` as JSON and ends the process.
    package func end(with reply: some Encodable) -> Never {
        guard let bytes = try? JSONEncoder().encode(reply) else { _exit(70) }
        end(with: bytes)
    }
}

/// A request to a worker process.
package struct WorkerRequest: Codable, Sendable, Equatable {
    package enum Pass: String, Codable {
        /// Counts events, one probe at a time.
        case exact
        /// Counts instructions, with the processor's counter or under callgrind.
        case instructions
        /// Measures time only, with the clock.
        case time

        /// A description of the pass, as the beginning of a sentence.
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
    /// The time for which the time pass may measure, including warm-up.
    package let budgetNanoseconds: UInt64
    /// The largest number of raw samples of each series in the reply.
    package let sampleLimit: Int
    /// The prefix of callgrind's file names, or `nil` if the worker does not run under callgrind.
    var callgrindOutput: String?

    /// Creates a request for one pass.
    package init(pass: Pass, id: String, budgetNanoseconds: UInt64 = 0, sampleLimit: Int = 0) {
        self.pass = pass
        self.id = id
        self.budgetNanoseconds = budgetNanoseconds
        self.sampleLimit = sampleLimit
    }
}

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
