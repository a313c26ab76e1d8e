import Rx
import RxBench

/// The time from `schedule` to the first instruction of the work, with one piece of work scheduled at a time.
let latency: [Benchmark] = Threaded.allCases.map { kind in
    Benchmark(
        "scheduler/latency/\(kind.rawValue)",
        decides: "Whether a hop to another thread is quick enough to stand in an input's path.",
        tags: ["latency"], operations: rounds
    ) {
        let scheduler = kind.make()
        let began = BeginTime()
        let gate = Gate(after: 1)
        return .latencies(check: { try confirm(gate.count % rounds, is: 0) }) { recorder in
            for _ in 0..<rounds {
                let start = MonotonicClock.nanoseconds
                _ = scheduler.schedule(gate) { gate in
                    began.nanoseconds = MonotonicClock.nanoseconds
                    gate.pass()
                    return Disposables.create()
                }
                try gate.wait()
                recorder.record(nanoseconds: began.nanoseconds - start)
            }
        }
    }
}

private let rounds = 50

/// The time at which the work began.
// @unchecked: the work writes it, and it is read after the gate was passed.
private final class BeginTime: @unchecked Sendable {
    var nanoseconds: UInt64 = 0
}
