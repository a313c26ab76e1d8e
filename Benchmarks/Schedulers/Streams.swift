import Rx
import RxBench

/// Sequences that change threads.
let streams: [Benchmark] = [Threaded.serial, .concurrent].map(observing) + [subscribingOn]

/// Sends 1,000 integers and waits until the last one has arrived on the other thread.
private func observing(on kind: Threaded) -> Benchmark {
    Benchmark(
        "scheduler/observe-on/\(kind.rawValue)", decides: "What handing elements to another thread costs an element.",
        tags: ["stream"],
        operations: 1_000
    ) {
        let subject = PublishSubject<Int>()
        let gate = Gate(after: 1_000)
        let subscription = subject.observe(on: kind.make()).subscribe(onNext: { _ in gate.pass() })
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
