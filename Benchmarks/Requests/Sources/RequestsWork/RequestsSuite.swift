import RxBench

/// A typical server workload: requests over the loopback address, including I/O.
public let requestsSuite = Suite(
    "Requests",
    [
        benchmark("requests/by-hand", decides: "What the requests cost without any stream.", faults: .none) {
            try $0.performByHand()
        },
        benchmark(
            "requests/streams", decides: "Whether retry, timeout, merge and share are seen beside the network.",
            faults: .none, relativeTo: "requests/by-hand"
        ) { try $0.perform() },
        benchmark(
            "requests/streams/faults", decides: "What requests that fail or stay unanswered do to the others.",
            faults: .usual
        ) { try $0.perform() },
    ])

private let count = 10_000

private func benchmark(
    _ id: String, decides: String, faults: Faults, relativeTo baseline: String? = nil,
    perform: @escaping @Sendable (Requests) throws -> [Requests.Served]
) -> Benchmark {
    // The queue of cancelled timers frees them shortly after an iteration.
    Benchmark(id, decides: decides, operations: count, relativeTo: baseline, limits: [.anyLiveResources]) {
        let requests = try Requests(count: count, faults: faults)
        var problems: [String] = []
        return .latencies(check: { try confirm(problems, is: []) }, tearDown: requests.stop) { recorder in
            let served = try perform(requests)
            problems = Requests.problems(served, requests.server.takeJournal(), faults: faults)
            for element in served { recorder.record(nanoseconds: element.nanoseconds) }
        }
    }
}
