import Foundation
import RxBench
import RxTrace

/// A request to a process to repeat a benchmark.
struct LeakRequest: Codable {
    let id: String
    let runs: Int
    let maximumRuns: Int
}

/// The inside of a process that repeats one benchmark and looks for growth: request in its arguments, record on its
/// standard output.
enum LeakWorker {
    /// The first argument that makes the tool such a process.
    static let verb = "__leaks"

    /// Repeats what `arguments` (those behind the verb) ask for. Returns the exit code.
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
            let report = try RxTrace.detectGrowth(
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
