import Rx
import RxBench

/// Timers on a scheduler's private dispatch queue.
let timers: [Benchmark] = [10, 1_000, 100_000].map(pending) + [10, 1_000].map(firing) + [armedAnew]

/// Arms and cancels 1,000 timers while other timers wait.
private func pending(_ count: Int) -> Benchmark {
    Benchmark(
        "scheduler/timers/pending?count=\(count)", decides: "Whether each request may have a timeout of its own.",
        tags: ["timer"], operations: 1_000
    ) {
        let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
        let others = (0..<count).map { number in
            // 389 has no common divisor with these counts, so the order of the due times looks random.
            let dueTime = RxTimeInterval.seconds(3_600 + number * 389 % count)
            return scheduler.scheduleRelative((), dueTime: dueTime) { _ in Disposables.create() }
        }
        var timers: [any Disposable] = []
        timers.reserveCapacity(1_000)
        var cancelled = 0
        return Workload(check: { try confirm(cancelled, is: 1_000) }, tearDown: { others.forEach { $0.dispose() } }) {
            for number in 0..<1_000 {
                timers.append(
                    scheduler.scheduleRelative((), dueTime: .seconds(3_600 + number)) { _ in Disposables.create() })
            }
            cancelled = timers.count
            for timer in timers { timer.dispose() }
            timers.removeAll(keepingCapacity: true)
            blackHole(cancelled)
        }
    }
}

/// Arms timers that are due at once, and waits until they have fired.
private func firing(_ count: Int) -> Benchmark {
    Benchmark(
        "scheduler/timers/fire?count=\(count)", decides: "What a timer costs that is due together with others.",
        tags: ["timer"], operations: count
    ) {
        let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
        let gate = Gate(after: count)
        return Workload(check: { try confirm(gate.count % count, is: 0) }) {
            for _ in 0..<count {
                _ = scheduler.scheduleRelative(gate, dueTime: .nanoseconds(0)) { gate in
                    gate.pass()
                    return Disposables.create()
                }
            }
            try gate.wait()
        }
    }
}

/// Delays elements until the queue's next turn, one after another, with one timer for each element. The allocations
/// belong to the turns.
private let armedAnew = Benchmark(
    "scheduler/timers/armed-anew", decides: "What an operator's timer costs that is armed again as it fires.",
    tags: ["timer"], operations: 1_000, limits: [.allocationsPerIteration(atMost: 100)]
) {
    let gate = Gate(after: 1_000)
    let subject = PublishSubject<Int>()
    let subscription = subject.delay(.nanoseconds(0), scheduler: SerialDispatchQueueScheduler(qos: .userInitiated))
        .subscribe(onNext: { _ in gate.pass() })
    return Workload(check: { try confirm(gate.count % 1_000, is: 0) }, tearDown: subscription.dispose) {
        for value in 0..<1_000 { subject.onNext(value) }
        try gate.wait()
    }
}
