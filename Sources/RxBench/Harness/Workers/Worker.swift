import Foundation

/// The inside of a worker process: reads a request from its arguments, measures, writes the reply to standard output.
package enum Worker {
    /// The first argument that makes the tool a worker.
    package static let verb = "__worker"

    /// Measures what `arguments` (those behind the verb) ask for and writes the reply. Returns the exit code.
    ///
    /// Whatever the benchmark itself prints goes to standard error, so that it cannot garble the reply.
    package static func run(_ arguments: [String], catalog: Catalog, probes: () -> [any MetricProbe]) -> Int32 {
        guard let text = arguments.first,
            let request = try? JSONDecoder().decode(WorkerRequest.self, from: Data(text.utf8))
        else { return 64 }
        let replies = dup(1)
        dup2(2, 1)
        let reply = measure(request, catalog: catalog, probes: probes)
        guard let bytes = try? JSONEncoder().encode(reply) else { return 70 }
        FileHandle(fileDescriptor: replies, closeOnDealloc: true).write(bytes)
        return 0
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
