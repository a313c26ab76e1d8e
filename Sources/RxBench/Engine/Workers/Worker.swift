import Foundation
import RxBench

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
