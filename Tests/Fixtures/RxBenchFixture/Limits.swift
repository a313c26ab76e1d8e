import Rx
import RxBench
import Synchronization

/// Benchmarks with limits: for each kind of limit, one that breaks it and one that keeps it.
let limited = Suite(
    "Limited",
    [
        budget("fixture/budget/operation/broken", allocations: 201, .allocations(atMost: 2)),
        budget("fixture/budget/operation/kept", allocations: 200, .allocations(atMost: 2)),
        budget("fixture/budget/iteration/broken", allocations: 4, .allocationsPerIteration(atMost: 3)),
        budget("fixture/budget/iteration/kept", allocations: 3, .allocationsPerIteration(atMost: 3)),
        Benchmark(
            "fixture/budget/iteration/varying", decides: "Nothing: 2 or 4 allocations.",
            limits: [.allocationsPerIteration(atMost: 3)]
        ) {
            var count = 2
            return Workload {
                allocate(count, bytes: 32)
                count = 6 - count
            }
        },
        keeping("fixture/live/broken", resources: 2, .liveResources(atMost: 1)),
        keeping("fixture/live/kept", resources: 1, .liveResources(atMost: 1)),
        keeping("fixture/live/any", resources: 2, .anyLiveResources),
        bar("fixture/bar/ratio/missed", relativeTo: "fixture/loop/short", .ratio(atMost: 0.01)),
        bar("fixture/bar/ratio/met", relativeTo: "fixture/loop/short", .ratio(atMost: 1_000)),
        bar("fixture/bar/time/missed", .time(atMostNanoseconds: 0.001)),
        bar("fixture/bar/time/met", .time(atMostNanoseconds: 1e9)),
    ])

private func budget(_ id: String, allocations count: Int, _ limit: Limit) -> Benchmark {
    Benchmark(id, decides: "Nothing: \(count) allocations.", operations: 100, limits: [limit]) {
        Workload { allocate(count, bytes: 32) }
    }
}

private func keeping(_ id: String, resources count: Int, _ limit: Limit) -> Benchmark {
    Benchmark(id, decides: "Nothing: keeps \(count).", limits: [limit]) {
        Workload { Ledger.live.add(count, ordering: .relaxed) }
    }
}

private func bar(_ id: String, relativeTo baseline: String? = nil, _ limit: Limit) -> Benchmark {
    Benchmark(id, decides: "Nothing: 10000 steps.", operations: 1_000, relativeTo: baseline, limits: [limit]) {
        Workload { for n in 0..<10_000 { blackHole(n) } }
    }
}

/// Keeps subscriptions that are never disposed, and a subject that keeps its observers.
private final class Shelf: @unchecked Sendable {
    // Unchecked: used only on the main thread of a worker.
    let subject = PublishSubject<Int>()
    var subscriptions: [any Disposable] = []
}

/// For the built-in probe of live resources. The other leaks of this tool are counted in its ledger.
let reactive = Suite(
    "Reactive",
    [
        Benchmark("fixture/reactive/leak", decides: "Nothing: keeps a subscription.") {
            let shelf = Shelf()
            return Workload {
                shelf.subscriptions.append(shelf.subject.map { $0 + 1 }.subscribe(onNext: { blackHole($0) }))
            }
        },
        Benchmark("fixture/reactive/clean", decides: "Nothing: gives its subscription back.") {
            let shelf = Shelf()
            return Workload { shelf.subject.map { $0 + 1 }.subscribe(onNext: { blackHole($0) }).dispose() }
        },
    ])
