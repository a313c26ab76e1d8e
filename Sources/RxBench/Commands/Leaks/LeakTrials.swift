import ArgumentParser
import Foundation
import HeapTrace
import RxBench
import RxBenchEngine

/// Repeats benchmarks, each in a separate process, and collects the resources whose counts grow.
struct LeakTrials {
    let runs: Int
    let maximumRuns: Int
    let timeoutSeconds: Double

    /// Whether a search sees leaks: `Rx` counts its live resources, or is not part of this program.
    static var isPossible: Bool { TracedResources.areCountedOrAbsent }

    /// The traits for a build that counts live resources. The manifest that 'init' writes has no default traits, and
    /// forwards `TRACE_RESOURCES`.
    static var traits: String { RxBenchMain.name == "rxbench" ? "default,TRACE_RESOURCES" : "TRACE_RESOURCES" }

    /// A sentence that says how to get a build that counts live resources.
    static var remedy: String {
        let name = RxBenchMain.name
        let command = "'swift run -c release --traits \(traits) \(name) leaks'"
        // The tool of this repository has a script that builds it with tracing.
        let commands = "Type \(name == "rxbench" ? "'./rxbench leaks', which builds one that does, " : "")\(command)"
        return """
            This build does not trace resources, so nothing can be seen of leaks. \(commands), or use a debug build.
            """
    }

    /// Repeats `benchmark` and returns the record. A failure of the benchmark is part of the record.
    func record(of benchmark: Benchmark) throws -> GrowthReport {
        let request = LeakRequest(id: benchmark.id.text, runs: runs, maximumRuns: maximumRuns)
        let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let start = MonotonicClock.nanoseconds
        let process = SelfSubprocess(executable: try RxBenchMain.executable, timeoutSeconds: timeoutSeconds)
        let failure: String
        do throws(Interrupted) {
            switch try process.output(of: [LeakWorker.verb, text], environment: [:]) {
            case .success(let bytes):
                if let record = try? JSONDecoder().decode(GrowthReport.self, from: Data(bytes)) { return record }
                failure = "Its process ended without a reply."
            case .failure(let error): failure = error.description
            }
        } catch {
            throw ExitCode(128 + error.signal)
        }
        return GrowthReport(
            name: benchmark.id.text, failure: failure,
            seconds: Double((MonotonicClock.nanoseconds - start) / 1_000_000) / 1e3)
    }
}

/// Marks the results of benchmarks that leak. Works only in builds that count live resources.
enum LeakMarks {
    /// Repeats the benchmarks that left resources behind in some iteration although they may not keep any. Five
    /// iterations are not enough to distinguish a leak from a cache.
    static func marked(
        _ results: [BenchmarkResult], _ benchmarks: [Benchmark], timeoutSeconds: Double
    ) throws -> [BenchmarkResult] {
        guard LeakTrials.isPossible else { return results }
        let trials = LeakTrials(runs: 20, maximumRuns: 1_600, timeoutSeconds: timeoutSeconds)
        return try zip(results, benchmarks).map { result, benchmark in
            guard isSuspicious(result) else { return result }
            return result.marked(withLeaks: try trials.record(of: benchmark).leaks.map(\.headline))
        }
    }

    private static func isSuspicious(_ result: BenchmarkResult) -> Bool {
        let mayKeep = result.limits.contains { $0.quantity == .liveResources && $0.maximum != nil }
        return !mayKeep && result.metric(Metric.liveResources)?.values.contains { $0 > 0 } ?? false
    }
}

/// A request to a worker process to repeat a benchmark.
struct LeakRequest: Codable {
    let id: String
    let runs: Int
    let maximumRuns: Int
}

/// The code of a worker process that repeats one benchmark and looks for growth. It reads the request from its
/// arguments and writes the record to its standard output.
enum LeakWorker {
    /// The first argument that starts the tool as such a worker process.
    static let verb = "__leaks"

    /// Runs the request in `arguments`, the arguments after the verb. Returns the exit code.
    ///
    /// The output of the benchmark itself goes to standard error, so that it cannot garble the record.
    static func run(_ arguments: [String], catalog: Catalog) -> Int32 {
        guard let text = arguments.first,
            let request = try? JSONDecoder().decode(LeakRequest.self, from: Data(text.utf8)),
            let id = try? BenchmarkID(request.id), let benchmark = catalog[id]
        else { return Outcome.usage.rawValue }
        let replies = dup(1)
        dup2(2, 1)
        guard let bytes = try? JSONEncoder().encode(record(of: benchmark, request)) else { return 70 }
        FileHandle(fileDescriptor: replies, closeOnDealloc: true).write(bytes)
        return Outcome.fine.rawValue
    }

    private static func record(of benchmark: Benchmark, _ request: LeakRequest) -> GrowthReport {
        let start = MonotonicClock.nanoseconds
        func seconds() -> Double { (Double(MonotonicClock.nanoseconds - start) / 1e6).rounded() / 1e3 }
        do throws(RoundTrips.Refusal) {
            let trips = try RoundTrips(benchmark)
            defer { trips.tearDown() }
            let report = try HeapTrace.detectGrowth(
                named: request.id, runs: request.runs, maximumRuns: request.maximumRuns
            ) {
                () throws(RoundTrips.Refusal) in try trips.perform()
            }
            try trips.check()
            return GrowthReport(report, seconds: seconds())
        } catch {
            return GrowthReport(name: request.id, failure: error.description, seconds: seconds())
        }
    }
}
