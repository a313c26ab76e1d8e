import Rx
import RxBench

/// Many pieces of work, from the first `schedule` to the end of the last piece.
let throughput: [Benchmark] =
    Threaded.allCases.map(scheduling) + [
        inline("scheduler/schedule/current-thread", decides: "What work on this thread costs that may begin at once.") {
            CurrentThreadScheduler.instance
        },
        queued,
        // The main thread of a worker serves no queue, so only work that runs at once can be measured there.
        inline("scheduler/schedule/main-inline", decides: "What MainScheduler costs where it is not needed.") {
            MainScheduler.instance
        },
        recursive("scheduler/recursive/current-thread", decides: "What a turn of a recursion costs beside its work.") {
            CurrentThreadScheduler.instance
        },
        recursive(
            "scheduler/recursive/serial",
            decides: "What a recursion costs whose turns leave room for others on the queue."
        ) {
            SerialDispatchQueueScheduler(qos: .userInitiated)
        },
    ]

private func scheduling(_ kind: Threaded) -> Benchmark {
    Benchmark(
        "scheduler/schedule/\(kind.rawValue)", decides: "How small a piece of work may be to be worth another thread.",
        tags: ["schedule"],
        operations: kind.batch
    ) {
        let scheduler = kind.make()
        let gate = Gate(after: kind.batch)
        return Workload(check: { try confirm(gate.count % kind.batch, is: 0) }) {
            for _ in 0..<kind.batch {
                _ = scheduler.schedule(gate) { gate in
                    gate.pass()
                    return Disposables.create()
                }
            }
            try gate.wait()
        }
    }
}

/// Schedules 1,000 pieces of work that each run inside `schedule`.
private func inline(
    _ id: String, decides: String, make: @escaping @Sendable () -> any ImmediateSchedulerType
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["schedule"], operations: 1_000) {
        let scheduler = make()
        var count = 0
        return Workload(check: { try confirm(count, is: 1_000) }) {
            count = 0
            withUnsafeMutablePointer(to: &count) { cell in
                for _ in 0..<1_000 {
                    _ = scheduler.schedule(cell) { cell in
                        cell.pointee &+= 1
                        return Disposables.create()
                    }
                }
            }
        }
    }
}

/// Schedules inside a piece of work, so that all other pieces wait until it ends.
private let queued = Benchmark(
    "scheduler/schedule/current-thread-queued", decides: "What keeping the stack flat costs a piece of work.",
    tags: ["schedule"], operations: 1_000
) {
    let scheduler = CurrentThreadScheduler.instance
    var count = 0
    var countInside = -1
    return Workload(check: { try confirm(count, is: 1_000) && confirm(countInside, is: 0) }) {
        count = 0
        withUnsafeMutablePointer(to: &count) { cell in
            _ = scheduler.schedule(cell) { cell in
                for _ in 0..<1_000 {
                    _ = scheduler.schedule(cell) { cell in
                        cell.pointee &+= 1
                        return Disposables.create()
                    }
                }
                countInside = cell.pointee
                return Disposables.create()
            }
        }
    }
}

/// Schedules 1,000 turns, each inside the previous one.
private func recursive(
    _ id: String, decides: String, make: @escaping @Sendable () -> any ImmediateSchedulerType
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["schedule", "recursive"], operations: 1_000) {
        let scheduler = make()
        let gate = Gate(after: 1_000)
        return Workload(check: { try confirm(gate.count % 1_000, is: 0) }) {
            _ = scheduler.scheduleRecursive(1_000) { left, recurse in
                gate.pass()
                if left > 1 { recurse(left - 1) }
            }
            try gate.wait()
        }
    }
}
