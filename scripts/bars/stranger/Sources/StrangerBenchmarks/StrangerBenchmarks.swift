import Foundation
import Plants
import RxBench

private func benchmark(_ name: String, _ leaks: Bool, _ iteration: @escaping @Sendable () -> Void) -> Benchmark {
    Benchmark("\(leaks ? "leak" : "twin")/\(name)", decides: "What a search for leaks sees.") {
        Workload { iteration() }
    }
}

private func benchmarks(_ leaks: Bool) -> [Benchmark] {
    [
        benchmark("cycle", leaks) { Plants.cycle(leaks: leaks) },
        benchmark("closure", leaks) { Plants.closure(leaks: leaks) },
        benchmark("queue", leaks) { Plants.queue(leaks: leaks) },
        benchmark("timer", leaks) { Plants.timer(leaks: leaks) },
        benchmark("set", leaks) { Plants.set(leaks: leaks) },
        benchmark("data", leaks) { Plants.data(leaks: leaks) },
        benchmark("room", leaks) { Plants.room(leaks: leaks) },
        benchmark("dictionary", leaks) { Plants.dictionary(leaks: leaks) },
        benchmark("cache", leaks) { Plants.cache(leaks: leaks) },
        benchmark("memory", leaks) { Plants.memory(leaks: leaks) },
        // The task is not awaited, because an iteration is not asynchronous.
        benchmark("task", leaks) { Task { await Plants.task(leaks: leaks) } },
        benchmark("stream", leaks) { Task { await Plants.stream(leaks: leaks) } },
    ]
}

/// Benchmarks that leak and their twins. If the environment variable `STRANGER_PLANT` is 1, 'work/allocate' makes an
/// additional allocation.
public let strangerSuite = Suite(
    "stranger",
    benchmarks(true) + benchmarks(false) + [
        Benchmark("work/allocate", decides: "What a comparison sees.") {
            let count = ProcessInfo.processInfo.environment["STRANGER_PLANT"] == "1" ? 4 : 3
            return Workload { for size in 0..<count { blackHole([UInt8](repeating: 1, count: 100 + size)) } }
        }
    ])
