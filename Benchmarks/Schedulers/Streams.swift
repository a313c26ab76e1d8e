import Dispatch
import Rx
import RxBench

/// Sequences that switch threads.
let streams: [Benchmark] =
    [Threaded.serial, .concurrent].map { kind in observing(kind.rawValue, kind.make) }
    + [observing("actor") { ActorScheduler(Place()) }, subscribingOn, awaited, handOver]

private actor Place {}

/// Sends 1,000 integers and waits until the last one has arrived on the other thread.
private func observing(_ kind: String, _ make: @escaping @Sendable () -> any ImmediateSchedulerType) -> Benchmark {
    Benchmark(
        "scheduler/observe-on/\(kind)", decides: "What handing elements to another thread costs an element.",
        tags: ["stream"],
        operations: 1_000
    ) {
        let subject = PublishSubject<Int>()
        let gate = Gate(after: 1_000)
        let subscription = subject.observe(on: make()).subscribe(onNext: { _ in gate.pass() })
        return Workload(check: { try confirm(gate.count % 1_000, is: 0) }, tearDown: subscription.dispose) {
            for value in 0..<1_000 { subject.onNext(value) }
            try gate.wait()
        }
    }
}

private let subscribingOn = Benchmark(
    "scheduler/subscribe-on/serial", decides: "What subscribing on another thread costs a subscription.",
    tags: ["stream", "subscribe"],
    operations: 500
) {
    let sequence = Observable.just(1).subscribe(on: SerialDispatchQueueScheduler(qos: .userInitiated))
    let gate = Gate(after: 500)
    return Workload(check: { try confirm(gate.count % 500, is: 0) }) {
        for _ in 0..<500 { _ = sequence.subscribe(onNext: { _ in gate.pass() }) }
        try gate.wait()
    }
}

/// One subscription at a time: to another thread and back.
private let awaited = Benchmark(
    "scheduler/subscribe-on/serial-awaited", decides: "What one request costs that is sent to another thread.",
    tags: ["stream", "subscribe"], operations: 100, relativeTo: "scheduler/hand-over/dispatch"
) {
    let sequence = Observable.just(1).subscribe(on: SerialDispatchQueueScheduler(qos: .userInitiated))
    let gate = Gate(after: 1)
    return Workload(check: { try confirm(gate.count % 100, is: 0) }) {
        for _ in 0..<100 {
            _ = sequence.subscribe(onCompleted: { gate.pass() })
            try gate.wait()
        }
    }
}

/// The same two hand-overs, without a sequence.
private let handOver = Benchmark(
    "scheduler/hand-over/dispatch", decides: "What is left of a subscription on another thread beside its queue.",
    tags: ["stream"], operations: 100
) {
    let queue = DispatchQueue(label: "hand-over", target: .global(qos: .userInitiated))
    let gate = Gate(after: 1)
    return Workload(check: { try confirm(gate.count % 100, is: 0) }) {
        for _ in 0..<100 {
            queue.async { gate.pass() }
            try gate.wait()
        }
    }
}
